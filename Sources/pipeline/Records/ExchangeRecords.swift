import PipelineCommands
import PipelineCore
import PipelineEngine

struct ExchangeRecords {
  let log: LogFile?
  let trace: HARFile?
  /// How much the display shows: nothing, lines, or headers and bodies.
  let shown: Int

  /// Passes exchanges on; `nil` if they go nowhere.
  func observer(_ display: any ProgressDisplay) -> (any ExchangeObserver)? {
    guard log != nil || trace != nil || shown > 0 else { return nil }
    return Observer(records: self, display: display)
  }

  /// The display, which also writes to the log.
  func recording(_ display: any ProgressDisplay) -> any ProgressDisplay {
    log.map { LoggedDisplay(display: display, log: $0) } ?? display
  }

  /// Says which file is not complete.
  func complain() {
    for text in [log?.complaint, trace?.complaint].compactMap({ $0 }) {
      Terminal.error("pipeline: warning: \(text)")
    }
  }

  private struct Observer: ExchangeObserver {
    let records: ExchangeRecords
    let display: any ProgressDisplay

    func exchanged(_ exchange: Exchange) {
      records.log?.write(exchange)
      records.trace?.write(exchange)
      guard records.shown > 0 else { return }
      display.note(
        records.shown > 1
          ? ExchangeText.details(exchange, bodyLimit: ExchangeText.shownBody)
          : [ExchangeText.line(exchange)])
    }
  }
}

/// Writes the beginning, and the ends of items, beside the exchanges.
private struct LoggedDisplay: ProgressDisplay {
  let display: any ProgressDisplay
  let log: LogFile

  var interval: Duration? { display.interval }

  func begin(_ run: RunFolder) {
    log.write(["run \(run.id)"])
    display.begin(run)
  }

  func itemsLeft(_ items: [Item], _ lines: [FailureTally.Line]) {
    log.write(
      items.map { item in
        let reason = item.reason.map { ": \(ReportFormatting.reason($0))" } ?? ""
        return "\(item.key) \(item.status.word) \(ReportFormatting.label(item))\(reason)"
      })
    display.itemsLeft(items, lines)
  }

  func progressed(_ facts: ProgressFacts, news: [String]) { display.progressed(facts, news: news) }

  func note(_ lines: [String]) { display.note(lines) }

  func end() { display.end() }
}
