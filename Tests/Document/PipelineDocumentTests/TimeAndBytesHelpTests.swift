import Foundation
import PipelineDocument
import Testing

/// The help of a check is applied: then there are no more findings.
struct TimeAndBytesHelpTests {
  /// The page's wrong example, and its help.
  private func example(_ code: DiagnosticCode) throws -> (text: String, help: [String]) {
    let text = try #require(Check.page(for: code)?.wrong)
    let found = PipelineDocument.load(text: text, file: "a.yaml").diagnostics
    return (text, found.compactMap(\.help))
  }

  @Test(arguments: [
    (DiagnosticCode.lifetimeWithinSkew, "skew: 60s"), (.timeoutBeyondAllowance, "timeout: 1m"),
    (.pollBeyondAllowance, "after: 30s"), (.concurrencyBeyondDisk, "concurrency: 8"),
  ])
  func `a value that the help names is accepted in place of the one that is reported`(
    _ code: DiagnosticCode, _ written: String
  ) throws {
    let (text, help) = try example(code)
    let key = try #require(written.split(separator: ":").first)
    let advice = try #require(help.first?.firstMatch(of: /'([a-z_]+: [0-9a-z]+)'/)?.output.1)
    #expect(advice.hasPrefix(key))
    let fixed = text.replacing(written, with: advice)
    #expect(fixed != text)
    #expect(CheckPage.output(of: fixed) == "")
  }

  @Test(arguments: [DiagnosticCode.uploadOutlivesIdentifier, .uploadOutlivesCredential])
  func `an entry of 'on' that the help writes out is accepted`(_ code: DiagnosticCode) throws {
    let (text, help) = try example(code)
    let entry = try #require(help.first?.firstMatch(of: /'(\{ if: .*? \})' in 'on'/)?.output.1)
    #expect(CheckPage.output(of: text + "\n    on: [\(entry)]\n") == "")
  }

  @Test func `an upload is abandoned in time with the help's fix`() throws {
    let (text, help) = try example(.uploadOutlivesIdentifier)
    let advice = try #require(
      help.first?.firstMatch(of: /'(resource_timeout: [0-9a-z]+)'/)?.output.1)
    let fixed = text.replacing(
      "    upload:\n", with: "    upload:\n      \(advice)\n")
    #expect(fixed != text)
    #expect(CheckPage.output(of: fixed) == "")
  }

  @Test func `a limit of transfers is accepted with the help's fix`() throws {
    let (text, help) = try example(.tooManyTransfers)
    #expect(help == ["set 'transfers: 100' under 'budgets'"])
    #expect(CheckPage.output(of: text + "\nbudgets: { transfers: 100 }\n") == "")
  }
}
