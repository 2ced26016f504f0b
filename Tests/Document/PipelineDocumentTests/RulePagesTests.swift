import Foundation
import PipelineDocument
import Testing

/// Where the pages of checks are.
struct RulePagesTests {
  @Test(arguments: ["", "docs", "./docs", "ftp://a.test/docs", "file://host", "https"])
  func `text that is neither an address nor an absolute path is refused`(folder: String) {
    #expect(RulePages(folder: folder) == nil)
  }

  @Test(arguments: [
    ("https://a.test/docs", "https://a.test/docs/checks.md#unused-input", true),
    ("HTTP://a.test/docs/", "HTTP://a.test/docs/checks.md#unused-input", true),
    ("/a b/é", "file:///a%20b/%C3%A9/checks.md#unused-input", false),
    ("file:///docs", "file:///docs/checks.md#unused-input", false),
  ])
  func `a check has an address below the folder`(folder: String, address: String, isPublic: Bool) {
    let pages = RulePages(folder: folder)
    #expect(pages?.address(of: .unusedInput) == address)
    #expect(pages?.isPublic == isPublic)
  }

  @Test func `a report in SARIF has them as helpUri`() {
    let found = PipelineDocument.load(text: "pipelin: a\n", file: "a.yaml").diagnostics
    #expect(!DiagnosticSARIF(version: "1").render(found).contains("helpUri"))
    let report = DiagnosticSARIF(version: "1", pages: RulePages(folder: "https://a.test")).render(
      found)
    #expect(report.contains("\"helpUri\": \"https://a.test/checks.md#unknown-key\""))
  }

  @Test func `deletable text is marked as such`() {
    #expect(DiagnosticCode.unusedInput.isUnnecessary)
    #expect(!DiagnosticCode.unknownInput.isUnnecessary)
    let codes = DiagnosticCode.allCases
    let others = codes.filter { $0.rawValue.hasPrefix("unused-") && !$0.isUnnecessary }
    #expect(others == [])
  }
}
