/// A report that commands print.
protocol PrintedReport {
  func json(event: String?) -> String
  func printText()
}

extension PrintedReport {
  func print(_ format: ReportFormat) {
    if format == .text { printText() } else { Terminal.print(json(event: nil)) }
  }

  /// Prints the report as the last of the lines that `--progress json` prints, or else in `format`.
  func print(after progress: ProgressMode, _ format: ReportFormat) {
    if progress == .json { Terminal.print(json(event: "ended")) } else { print(format) }
  }
}

extension RunReport: PrintedReport {
  func printText() {
    let (lines, word) = (text, statusWord)
    Terminal.print(
      lines[0], painting: word, ReportFormatting.paint(word, isComplete: isComplete))
    lines.dropFirst().forEach(Terminal.print)
  }

  /// The reason of a run that was asked to pause before a worker had it.
  static let pausedByUser = "paused by `pipeline pause`"

  var text: [String] {
    let title = (name.map { " '\($0)'" } ?? "") + (shard.map { ", shard \($0)" } ?? "")
    let waited =
      idle < .seconds(1) ? "" : " of work (\(ReportFormatting.duration(idle)) without a process)"
    let duration = worked.map { " in \(ReportFormatting.duration($0))\(waited)" } ?? ""
    let words =
      progress.map { ["\($0.percent) %"] + $0.words }
      ?? [ReportFormatting.counts(counts, isAtRest: isAtRest), ReportFormatting.bytes(bytesMoved)]
    var lines = ["run \(id)\(title): \(statusWord)\(duration): \(words.joined(separator: ", "))"]
    lines += progress?.waiting.prefix(4).map { "  \($0.text)" } ?? []
    if let reason = reasonInWords { lines.append("  because: \(reason)") }
    if let hidden {
      let files = ReportFormatting.count(hidden, "hidden file")
      lines.append("  \(files) skipped; --hidden includes them")
    }
    if leftAtServer > 0 {
      lines.append(
        "  \(ReportFormatting.count(leftAtServer, "item")) left something at the server: "
          + "`\(place.command("explain"))` shows why, `\(place.command("cancel"))` tries to undo it again"
      )
    }
    switch status {
    case .finished where hasFailures:
      lines.append("  `\(place.command("explain"))` shows why; \(continuing) tries them again")
    case .paused: lines.append("  continue with \(continuing)")
    case .running where isWorkedOn == false: lines.append("  continue with \(continuing)")
    case .cancelling where isWorkedOn != true:
      lines.append("  continue cancelling with `\(place.command("cancel"))`")
    default: break
    }
    return lines
  }
}
