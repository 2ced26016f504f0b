/// What was left out of an input's files, in words.
enum FileRemarks {
  /// What is left out for a cause, and what would change that.
  private static func words(_ cause: GlobReport.Cause, _ count: Int) -> (String, String) {
    let s = count == 1 ? "" : "s"
    return switch cause {
    case .excluded: ("\(count) excluded", "")
    case .hidden: ("\(count) hidden", "; --hidden takes them")
    case .folder: ("\(count) folder\(s)", "; ** at the end of a pattern takes the files in folders")
    case .folderLink: ("\(count) link\(s) to folders", "; --follow-links enters them")
    case .cycle: ("\(count) link\(s) to a folder that contains the link", "")
    case .brokenLink: ("\(count) broken link\(s)", "")
    case .notAFile: ("\(count) that \(count == 1 ? "is" : "are") a pipe, a socket or a device", "")
    case .notUTF8: ("\(count) whose name is not UTF-8", "")
    case .repeated: ("\(count) named twice, and taken once", "")
    }
  }

  struct Line {
    let text: String
    /// Whether something is wrong with the files, and not only as the person wanted.
    let isWarning: Bool
  }

  private static func isWarning(_ cause: GlobReport.Cause) -> Bool {
    switch cause {
    case .excluded, .hidden, .folder, .folderLink, .repeated: false
    case .cycle, .brokenLink, .notAFile, .notUTF8: true
    }
  }

  /// A line for each cause, with at most `limit` names, and one for each warning.
  static func lines(_ report: GlobReport, names limit: Int = 3) -> [Line] {
    var lines = GlobReport.Cause.allCases.compactMap { cause -> Line? in
      guard let found = report.leftOut[cause], found.count > 0 else { return nil }
      let (what, remedy) = words(cause, found.count)
      let shown = found.names.prefix(limit).map { "'\($0)'" }
      let more = found.count - shown.count
      let rest = more > 0 ? " and \(more) more" : ""
      return Line(
        text: "left out: \(what): \(shown.joined(separator: ", "))\(rest)\(remedy)",
        isWarning: isWarning(cause))
    }
    lines += report.warnings.map { Line(text: "\($0.path): \($0.message)", isWarning: true) }
    if report.omittedWarnings > 0 {
      lines.append(Line(text: "and \(report.omittedWarnings) more", isWarning: true))
    }
    return lines
  }

  /// `3 files, 1.20 MiB`.
  static func total(_ report: GlobReport) -> String {
    "\(ReportFormatting.count(report.files, "file")), \(ReportFormatting.bytes(report.bytes))"
  }
}

extension PlanFilesForm {
  init(_ report: GlobReport) {
    self.init()
    files = report.files
    bytes = report.bytes
    left_out = GlobReport.Cause.allCases.compactMap { cause in
      report.leftOut[cause].map { left in
        LeftOutForm {
          $0.cause = cause.rawValue
          $0.count = left.count
          $0.names = left.names
        }
      }
    }
    warnings = report.warnings.map { "\($0.path): \($0.message)" }
  }
}
