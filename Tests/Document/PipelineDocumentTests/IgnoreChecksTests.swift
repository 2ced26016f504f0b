import Basics
import PipelineDocument
import Testing

struct IgnoreChecksTests {
  /// Findings about the comments themselves, which comments must not hide.
  private static let ofComments: Set<DiagnosticCode> = [.invalidIgnore, .unusedIgnore]

  @Test func `every warning can be ignored`() {
    let warnings = Check.all.filter { $0.severity == .warning }.map(\.code)
    #expect(warnings.count > 20)
    let stubborn = warnings.filter { $0.isStructural && !Self.ofComments.contains($0) }
    #expect(stubborn.map(\.rawValue) == [])
  }

  @Test(arguments: Check.all.filter { !$0.code.isStructural && $0.wrong != nil }.map(\.code))
  func `a comment above its line silences a check`(_ code: DiagnosticCode) throws {
    let wrong = try #require(Check.page(for: code)?.wrong)
    let found = PipelineDocument.load(text: wrong, file: "a.yaml").diagnostics
    let reported = Set(found.filter { $0.code == code }.map(\.range.start.line))
    #expect(!reported.isEmpty)
    var lines: [String] = []
    for (index, line) in wrong.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if reported.contains(index + 1) {
        let indent = line.prefix { $0 == " " }
        lines.append("\(indent)# pipeline: ignore[\(code.rawValue)] a test says so")
      }
      lines.append(String(line))
    }
    let text = lines.joined(separator: "\n")
    let left = PipelineDocument.load(text: text, file: "a.yaml")
    let report = DiagnosticText(sources: ["a.yaml": text]).render(left.diagnostics)
    #expect(report == "")
    #expect(left.pipeline != nil)
  }
}
