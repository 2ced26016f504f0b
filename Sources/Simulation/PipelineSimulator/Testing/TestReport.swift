/// Reports on the results of tests.
public struct TestReport: Sendable {
  /// The results of one file.
  public struct File: Sendable {
    /// Its name, as the user wrote it.
    public let name: String
    /// Its cases.
    public let results: [TestResult]

    /// Combines a file with its results.
    public init(name: String, results: [TestResult]) { (self.name, self.results) = (name, results) }
  }

  private let files: [File]

  /// A report on `files`.
  public init(_ files: [File]) { self.files = files }

  private var results: [TestResult] { files.flatMap(\.results) }
  /// Whether no case failed.
  public var isPassed: Bool { results.allSatisfy(\.isPassed) }

  /// Lines of text: each failure as `file:line:column: …`, and the timeline of each failed case.
  public func text() -> String {
    var text = ""
    for file in files {
      text += file.name.visibleLine + "\n"
      for result in file.results { text += lines(result) }
    }
    let failed = results.count { !$0.isPassed }
    let cases = results.count == 1 ? "1 case" : "\(results.count) cases"
    return text + (failed == 0 ? "\(cases), all passed\n" : "\(cases), \(failed) failed\n")
  }

  private func lines(_ result: TestResult) -> String {
    let figures = "\(result.requests) requests, \(TraceText.time(result.elapsed))"
    let name = result.name.visibleLine
    guard !result.isPassed else { return "  ok      \(name) (\(figures))\n" }
    var text = "  FAILED  \(name) (\(figures))\n"
    for failure in result.failures {
      text += "\(failure.range): error[test-failed]: \(Self.message(failure))".visibleLine + "\n"
    }
    return text + "  timeline of '\(name)'\n" + result.timeline
  }

  private static func message(_ failure: TestFailure) -> String {
    "\(failure.what): expected \(failure.expected), found \(failure.found)"
  }

  /// The XML format that build servers read, with one suite per file.
  public func junit() -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let failed = results.count { !$0.isPassed }
    text += "<testsuites tests=\"\(results.count)\" failures=\"\(failed)\">\n"
    for file in files {
      let failed = file.results.count { !$0.isPassed }
      text +=
        "  <testsuite name=\"\(Self.escaped(file.name.visibleLine))\" tests=\"\(file.results.count)\""
      text += " failures=\"\(failed)\">\n"
      for result in file.results { text += Self.xml(result) }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func xml(_ result: TestResult) -> String {
    let head =
      "    <testcase classname=\"\(escaped(result.test.visibleLine))\" "
      + "name=\"\(escaped(result.name.visibleLine))\""
    guard !result.isPassed else { return head + "/>\n" }
    var text = head + ">\n"
    for failure in result.failures {
      let message = "\(failure.range): \(message(failure))".visibleLine
      text += "      <failure message=\"\(escaped(message))\">"
      text += "\(escaped(result.timeline))</failure>\n"
    }
    return text + "    </testcase>\n"
  }

  /// Text escaped for attributes and elements of XML 1.0, which lacks two characters that HTML has.
  private static func escaped(_ text: String) -> String {
    let scalars = Page.escaped(text).unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar == "\u{FFFE}" || scalar == "\u{FFFF}" ? "\u{FFFD}" : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
