/// Remarks on an input's files, in words.
enum FileRemarks {
  /// The subject of a remark, and the option that would change it.
  private static func words(_ cause: GlobReport.Cause, _ count: Int) -> (String, String) {
    let s = count == 1 ? "" : "s"
    return switch cause {
    case .excluded: ("\(count) excluded", "")
    case .hidden: ("\(count) hidden", "; --hidden includes them")
    case .folder: ("\(count) folder\(s)", "; ** at the end of a pattern includes files in folders")
    case .folderLink: ("\(count) link\(s) to folders", "; --follow-links enters them")
    case .cycle: ("\(count) link\(s) to a folder that contains the link", "")
    case .unreadable: ("\(count) that cannot be read", "; each is an item that fails")
    case .outsideLink:
      ("\(count) link\(s) to a place outside the folder", "; --exclude leaves one out")
    case .repeated: ("\(count) named twice, and used once", "")
    }
  }

  struct Line {
    let text: String
    /// Whether something is wrong with the files, and not only as the user intended.
    let isWarning: Bool
  }

  /// A line for each cause, with at most `limit` names.
  static func lines(_ report: GlobReport, names limit: Int = 3) -> [Line] {
    GlobReport.Cause.allCases.compactMap { cause -> Line? in
      guard let found = report.remarks[cause], found.count > 0 else { return nil }
      let (what, remedy) = words(cause, found.count)
      let shown = found.names.prefix(limit).map { "'\($0)'" }
      let more = found.count - shown.count
      let rest = more > 0 ? " and \(more) more" : ""
      return Line(
        text: "\(title(cause)): \(what): \(shown.joined(separator: ", "))\(rest)\(remedy)",
        isWarning: [.cycle, .unreadable].contains(cause))
    }
  }

  private static func title(_ cause: GlobReport.Cause) -> String {
    switch cause {
    case .unreadable: "failed"
    case .outsideLink: "included"
    case .excluded, .hidden, .folder, .folderLink, .cycle, .repeated: "left out"
    }
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
    remarks = GlobReport.Cause.allCases.compactMap { cause in
      report.remarks[cause].map { found in
        RemarkForm {
          $0.cause = cause.rawValue
          $0.count = found.count
          $0.names = found.names
        }
      }
    }
  }
}
