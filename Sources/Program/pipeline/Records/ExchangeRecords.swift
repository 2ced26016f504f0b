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

  /// Ends the files, and reports which is not complete.
  func complain() {
    trace?.end()
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

/// Writes the start, and the ends of items, in addition to the exchanges.
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

enum ExchangeText {
  /// The maximum length of a body's start that is shown on a terminal, in characters; a file gets all that is kept.
  static let shownBody = 4096

  /// `PUT https://host/path 403, 120 ms, 1.21 MiB sent, 231 B received (upload of IMG_1.jpg; x-request-id: 7f3a)`.
  static func line(_ exchange: Exchange) -> String {
    var facts = ["\(exchange.request.method) \(exchange.request.url) "]
    facts[0] += exchange.answer.map { String($0.status) } ?? "no answer"
    if let error = exchange.error { facts.append(error) }
    facts.append(time(exchange.timings.total))
    if exchange.request.bodyBytes > 0 {
      facts.append("\(ReportFormatting.bytes(exchange.request.bodyBytes)) sent")
    }
    if let answer = exchange.answer, answer.bodyBytes > 0 {
      facts.append("\(ReportFormatting.bytes(answer.bodyBytes)) received")
    }
    var origin = [
      "\(exchange.step)\(exchange.item.map { " of \(ReportFormatting.shortened($0))" } ?? "")"
    ]
    origin += (exchange.answer?.headers ?? []).filter { KeptResponse.isRequestID($0.name) }
      .map { "\($0.name): \($0.value)" }
    return "\(facts.joined(separator: ", ")) (\(origin.joined(separator: "; ")))"
  }

  /// Milliseconds below ten seconds.
  private static func time(_ duration: Duration) -> String {
    duration < .seconds(10) ? "\(duration.milliseconds) ms" : ReportFormatting.duration(duration)
  }

  /// The line, then headers and bodies: the request after `>`, the response after `<`.
  static func details(_ exchange: Exchange, bodyLimit: Int = .max) -> [String] {
    let request = exchange.request
    var lines = [line(exchange)]
    lines += request.headers.map { "  > \($0.name): \($0.value)" }
    lines += body(
      request.body, of: request.bodyBytes, "  > ", bodyLimit, otherwise: "a file or no text")
    guard let answer = exchange.answer else { return lines }
    lines.append("  < \(answer.status)")
    lines += answer.headers.map { "  < \($0.name): \($0.value)" }
    lines += body(
      answer.body, of: answer.bodyBytes, "  < ", bodyLimit,
      otherwise: answer.isSecret ? "not shown: the step has secret outputs" : "a file or no text")
    return lines
  }

  private static func body(
    _ text: String?, of bytes: Int64, _ mark: String, _ limit: Int, otherwise: String
  ) -> [String] {
    guard bytes > 0 else { return [] }
    guard let text else {
      return [mark, "\(mark)(\(ReportFormatting.bytes(bytes)): \(otherwise))"]
    }
    let shown = text.prefix(limit)
    var lines = [mark]
    lines += shown.split(separator: "\n", omittingEmptySubsequences: false).map { mark + $0 }
    let isCut = shown.utf8.count < text.utf8.count || text.utf8.count >= ExchangeContext.longestBody
    if isCut { lines.append("\(mark)… (\(ReportFormatting.bytes(bytes)) in all)") }
    return lines
  }
}
