import Foundation
import PipelineDocument
import TestSupport
import Testing

/// The pages of the checks: their examples are the fixtures of their codes.
struct CheckPagesTests {
  @Test func `each code has exactly one page`() {
    let codes = Check.all.map(\.code)
    #expect(Set(codes).count == codes.count)
    let missing = DiagnosticCode.allCases.filter { Check.page(for: $0) == nil }
    #expect(missing.map(\.rawValue) == [])
    #expect(codes.map(\.rawValue) == codes.map(\.rawValue).sorted())
  }

  @Test func `each section of the files with pages is the page of a code`() throws {
    let folder = TestFiles.repository.appending(
      path: "Sources/Document/PipelineDocument/Checks/Pages")
    let sections = try FileManager.default.contentsOfDirectory(atPath: folder.path).flatMap {
      try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        .split(separator: "\n").filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
    }
    #expect(sections.sorted() == DiagnosticCode.allCases.map(\.rawValue).sorted())
  }

  @Test(arguments: DiagnosticCode.allCases)
  func `the wrong example of a page is reported with its code and severity`(
    _ code: DiagnosticCode
  ) throws {
    let check = try #require(Check.page(for: code))
    guard let wrong = check.wrong else {
      #expect(check.explanation.contains("There is no example"))
      return
    }
    let found = PipelineDocument.load(text: wrong, file: CheckPage.file).diagnostics
    let own = found.filter { $0.code == code }
    #expect(!own.isEmpty, "\(CheckPage.output(of: wrong))")
    #expect(own.contains { $0.severity == check.severity })
    // Unintended findings would be noise in an example.
    #expect(found.count == own.count, "\(CheckPage.output(of: wrong))")
  }

  @Test(arguments: DiagnosticCode.allCases)
  func `the right example of a page has no findings`(_ code: DiagnosticCode) throws {
    guard let right = try #require(Check.page(for: code)).right else { return }
    #expect(CheckPage.output(of: right) == "")
  }

  @Test(arguments: DiagnosticCode.allCases)
  func `a page is a line, paragraphs and examples that end`(_ code: DiagnosticCode) throws {
    let check = try #require(Check.page(for: code))
    #expect(!check.summary.isEmpty && !check.summary.hasSuffix("."))
    #expect(!check.summary.contains("\n"))
    #expect(check.explanation.hasSuffix("."))
    #expect((check.wrong == nil) == (check.right == nil))
    let page = try #require(CheckPage.markdown(code))
    #expect(page.hasPrefix("# \(code.rawValue)\n"))
    #expect(page.components(separatedBy: "```").count == (check.wrong == nil ? 1 : 7))
  }
}
