import Basics
import Foundation
import PipelineDocument
import Testing

/// Files crafted to cost much, and to have many findings.
struct BoundsTests {
  @Test func `a hundred findings of a kind are reported, with the number of the others`() {
    let keys = (0..<2_000).map { "k\($0): 1\n" }.joined()
    let text =
      "pipeline: p\n\(keys)steps:\n  - id: a\n    request: { url: \"https://example.com/\" }\n"
    let found = PipelineDocument.load(text: text, file: "a.yaml").diagnostics
    #expect(found.count == 101)
    #expect(found.last?.message == "1900 more findings of this kind from here on")
    #expect(found.last?.range.start.line == 102)
  }

  @Test func `one text contains at most a thousand expressions`() {
    func codes(_ count: Int) -> [DiagnosticCode] {
      let text = String(repeating: "${{ run.id }}", count: count)
      return PipelineDocument.load(
        text: """
          pipeline: p
          steps:
            - id: a
              request: { method: POST, url: "https://example.com/", text: "\(text)" }
          """, file: "a.yaml"
      ).diagnostics.map(\.code)
    }
    #expect(codes(1_000) == [])
    #expect(codes(10_000) == [.tooLarge])
    let blanks = String(repeating: " ", count: 200_000)
    let text = "pipeline: p\nsteps: [\(blanks)7\(blanks)]\n"
    let found = PipelineDocument.load(text: text, file: "a.yaml").diagnostics
    #expect(!found.isEmpty)
    #expect(DiagnosticText(sources: ["a.yaml": text]).render(found).utf8.count < 5_000)
  }

  @Test func `a foreign file is not shown`() {
    let secret = "TOKEN=s3cret\u{0}HOME: [\n"
    let text = """
      pipeline: p
      use: [env]
      steps:
        - id: a
          request: { url: "https://example.com/" }
      """
    for content in [secret, "root:x:0:0", "a: [1", "password: s3cret\n"] {
      let result = PipelineDocument.load(
        text: text, file: "a.yaml", files: DocumentFiles { _ in Array(content.utf8) })
      #expect(
        result.diagnostics.map(\.message)
          == ["the file 'env' is neither a pipeline nor definitions for pipelines"])
      #expect(result.usedSources.isEmpty)
    }
  }

  @Test func `a file that is refused is reported with the reason`() {
    let files = DocumentFiles(reading: { (_: String) throws(DocumentFiles.Refusal) -> [UInt8] in
      throw DocumentFiles.Refusal("it is outside 'x'", help: "move it")
    })
    let result = PipelineDocument.load(
      text: "pipeline: p\nuse: [/etc/passwd]\nsteps: []\n", file: "a.yaml", files: files)
    let refused = result.diagnostics.first { $0.code == .unreadableUse }
    #expect(
      refused?.message == "the file '/etc/passwd' cannot be read: it is outside 'x'")
    #expect(refused?.help == "move it")
  }

  @Test func `an element of a response may have a member named like a digest`() {
    func messages(_ list: String) -> [String] {
      PipelineDocument.load(
        text: """
          pipeline: p
          inputs: { server: { type: url }, files: { type: files } }
          steps:
            - id: list
              request: { url: "${{ inputs.server }}/list" }
              outputs: { entries: "${{ response.json.entries }}" }
            - for_each: entry
              in: ${{ \(list) }}
              steps:
                - id: get
                  request: { url: "${{ inputs.server }}/${{ entry.sha256 }}" }
          """, file: "a.yaml"
      ).diagnostics.filter { $0.severity == .error }.map(\.message)
    }
    #expect(messages("steps.list.entries") == [])
    #expect(messages("inputs.files") == ["the file 'entry' has no digest 'sha256'"])
  }

  @Test func `where warnings are denied a report counts them as failures`() {
    let text =
      "pipeline: p\ninputs: { a: { type: int } }\nsteps:\n  - id: a\n    request: { url: \"https://example.com/\" }\n"
    let found = PipelineDocument.load(text: text, file: "a.yaml").diagnostics
    #expect(found.map(\.severity) == [.warning])
    for (denies, failures) in [(false, 0), (true, 1)] {
      let report = DiagnosticJUnit(
        suite: "s", sources: ["a.yaml": text], deniesWarnings: denies
      ).render(found, files: ["a.yaml"])
      #expect(report.contains("tests=\"1\" failures=\"\(failures)\""))
      #expect(report.contains("<failure") == denies)
    }
  }
}
