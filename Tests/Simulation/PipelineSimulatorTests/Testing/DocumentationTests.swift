import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import TestSupport
import Testing

/// The statements of the documentation are true.
struct DocumentationTests {
  /// The YAML blocks of a page, in order.
  private func blocks(_ page: String) throws -> [String] {
    var blocks: [String] = []
    var block: [Substring]?
    for line in try TestFiles.text(page).split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```yaml" {
        block = []
      } else if line == "```", let lines = block {
        blocks.append(lines.map { $0 + "\n" }.joined())
        block = nil
      } else {
        block?.append(line)
      }
    }
    return blocks
  }

  @Test func `the first test of the page passes`() throws {
    let blocks = try blocks("docs/testing.md")
    #expect(blocks.count == 2)
    let result = TestDocument.load(
      bytes: blocks[1].utf8, file: "hello.test.yaml",
      files: DocumentFiles { $0 == "hello.yaml" ? Array(blocks[0].utf8) : nil })
    #expect(result.diagnostics == [])
    let results = TestRunner(try #require(result.document)).results()
    #expect(results.count == 3)
    let report = TestReport([.init(name: "hello.test.yaml", results: results)])
    #expect(report.isPassed, "\(report.text())")
  }

  @Test func `a step of a used file is named after the step that uses it`() throws {
    let files = [
      "main.yaml": """
      pipeline: main
      inputs: { server: { type: url } }
      steps:
        - id: login
          use: login.yaml
          with: { server: "${{ inputs.server }}" }
        - id: ask
          request: { url: "${{ inputs.server }}/ask", bearer: "${{ steps.login.token }}" }
      """,
      "login.yaml": """
      pipeline: login
      inputs: { server: { type: url } }
      steps:
        - id: get
          request: { method: POST, url: "${{ inputs.server }}/login" }
          effect: repeatable
          outputs:
            token: { value: "${{ response.json.token }}", secret: true, expires: { in: 1h } }
      outputs:
        token: ${{ steps.get.token }}
      """,
    ]
    let test = """
      test: used
      pipeline: main.yaml
      inputs: { server: "http://s" }
      cases:
        - name: the token of the used file is shown
          answers:
            login.get: [{ json: { token: t1 } }]
          expect:
            status: done
            attempts: { login.get: 1, ask: 1 }
            requests: [{ step: ask, headers: { Authorization: Bearer t1 } }]
      """
    let result = TestDocument.load(
      bytes: test.utf8, file: "a.test.yaml",
      files: DocumentFiles { path in files[path].map { Array($0.utf8) } })
    let document = try #require(result.document, "\(result.diagnostics.map(\.message))")
    let report = TestReport([.init(name: "a", results: TestRunner(document).results())])
    #expect(report.isPassed, "\(report.text())")
  }
}
