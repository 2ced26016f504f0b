import Basics
import PipelineDocument
import Testing

struct FlowChecksTests {
  private func codes(_ entries: String, step: String = "") -> [DiagnosticCode] {
    let text = """
      pipeline: example
      steps:
        - for_each: name
          in: ${{ ["a"] }}
          steps:
            - id: make
              request: { url: "https://example.com/${{ name }}" }
              outputs: { id: "${{ response.json.id }}" }
            - id: other
              request: { url: "https://example.com/other" }
            - id: send
              request: { method: POST, url: "https://example.com/${{ steps.make.id }}" }
              on: [\(entries)]
              \(step)
            - id: last
              request: { url: "https://example.com/last" }
      """
    return PipelineDocument.load(text: text, file: "a.yaml").diagnostics.map(\.code)
  }

  private static func entry(_ condition: String, _ outcome: String = "then: fail") -> String {
    "{ if: \"${{ \(condition) }}\", \(outcome) }"
  }

  @Test(arguments: [
    "{ then: finish_item }", "{ then: fail }",
    entry("response.status < 300", "then: skip_item") + ", { then: fail }",
    entry("response.status >= 200", "then: finish_item") + ", "
      + entry("response.status >= 500", "then: retry"),
  ])
  func `steps after one that never succeeds are reported`(_ entries: String) {
    #expect(codes(entries).contains(.unreachableStep))
  }

  @Test(arguments: [
    entry("response.status >= 300"), entry("response.status == 200", "then: finish_item"),
    entry("response.json.done == true", "then: finish_item"),
    entry("response.status in [200, 201]", "then: success") + ", { then: fail }",
    entry("response.status >= 200 && response.json.done == true", "then: finish_item"),
  ])
  func `a step that can succeed hides nothing`(_ entries: String) {
    #expect(codes(entries) == [])
  }

  @Test func `a loop after a run-level step that never succeeds is reported, but not later steps`()
  {
    let text = """
      pipeline: example
      steps:
        - id: a
          request: { url: "https://example.com/" }
          on: [{ then: pause }]
        - for_each: name
          in: ${{ ["a"] }}
          steps:
            - id: b
              request: { url: "https://example.com/${{ name }}" }
              on: [{ then: finish_item }]
        - id: c
          request: { url: "https://example.com/" }
      """
    let found = PipelineDocument.load(text: text, file: "a.yaml").diagnostics
    #expect(found.map(\.code) == [.unreachableStep])
    #expect(found.first?.range.start == SourcePosition(line: 6, column: 15))
    #expect(found.first?.message == "the loop is never reached: 'a' never succeeds")
  }

  @Test func `a step that may be skipped, or found done by its probe, hides nothing`() {
    #expect(codes("{ then: fail }", step: #"if: "${{ name != 'b' }}""#) == [])
    let probe =
      #"{ request: { url: "https://example.com/" }, took_effect: "${{ response.status == 200 }}" }"#
    #expect(codes("{ then: fail }", step: "effect: create\n        probe: \(probe)") == [])
    #expect(codes("{ then: fail }", step: "probe: \(probe)") == [.unaskedProbe])
  }

  @Test(arguments: [
    "{ then: poll }", "{ then: retry, after: 5s }", "{ expired: make }",
    entry("response.status >= 500", "then: retry") + ", { expired: make }",
    entry("response.status == 0 || response.status >= 500", "then: retry") + ", "
      + entry("response.status < 600", "then: poll"),
  ])
  func `a step that no response ends is reported`(_ entries: String) {
    #expect(codes(entries).contains(.endlessStep))
  }

  @Test(arguments: [
    entry("response.status >= 500", "then: poll"),
    entry("response.status < 400", "then: poll") + ", { then: pause }",
    entry("response.json.state == 'busy'", "then: poll") + ", "
      + entry("response.status == 404", "expired: make"),
  ])
  func `a step that some response ends is not endless`(_ entries: String) {
    #expect(!codes(entries).contains(.endlessStep))
  }

  @Test(arguments: [
    entry("response.status == 503", "then: retry, progress: true"),
    entry("response.error == 'timeout'", "then: retry, progress: true"),
    entry("size(history.statuses) > 2", "then: retry, progress: true"),
    entry("response.status == 404") + ", { then: retry, progress: true }",
  ])
  func `progress that no response shows is reported`(_ entries: String) {
    #expect(codes(entries).contains(.repeatWithoutProgress))
  }

  @Test(arguments: [
    entry("response.headers['upload-offset'] != '0'", "then: retry, progress: true"),
    entry("response.json.offset > 0", "then: retry, progress: true"),
    entry("response.status == 503", "then: retry"),
  ])
  func `progress that a response shows is not`(_ entries: String) {
    #expect(!codes(entries).contains(.repeatWithoutProgress))
  }

  @Test func `an expiry of a result that this step does not depend on is reported`() {
    #expect(codes(Self.entry("response.status == 410", "expired: other")) == [.unrelatedRewind])
    #expect(codes(Self.entry("response.status == 410", "expired: make")) == [])
    #expect(
      codes(Self.entry("response.status == 410", "expired: other"), step: "depends_on: [other]")
        == [])
  }

  @Test func `a step depends on the dependencies of the steps that it reads`() {
    let text = """
      pipeline: example
      steps:
        - id: a
          request: { url: "https://example.com/" }
          outputs: { id: "${{ response.text }}" }
        - id: b
          request: { url: "https://example.com/${{ steps.a.id }}" }
          outputs: { id: "${{ response.text }}" }
        - id: c
          request: { url: "https://example.com/${{ steps.b.id }}" }
          on: [{ if: "${{ response.status == 410 }}", expired: a }]
      """
    #expect(PipelineDocument.load(text: text, file: "a.yaml").diagnostics == [])
  }

  @Test func `a token that only authorized an earlier step is nothing to depend on`() {
    func codes(_ last: String) -> [DiagnosticCode] {
      let text = """
        pipeline: example
        steps:
          - id: sign_in
            request: { url: "https://example.com/" }
            outputs: { token: { value: "${{ response.json.token }}", secret: true } }
          - id: make
            request: { url: "https://example.com/", bearer: "${{ steps.sign_in.token }}" }
            outputs: { id: "${{ response.text }}" }
          - id: send
            request: { url: "https://example.com/${{ steps.make.id }}"\(last) }
            on: [{ if: "${{ response.status == 401 }}", expired: sign_in }]
        """
      return PipelineDocument.load(text: text, file: "a.yaml").diagnostics.map(\.code)
    }
    // A new token does not change the result of 'make', nor the request of 'send'.
    #expect(codes("") == [.unrelatedRewind])
    #expect(codes(#", bearer: "${{ steps.sign_in.token }}""#) == [])
  }

  @Test(arguments: [
    ("{ for_each: x, in: '${{ inputs.list.split(\",\").map(x, x + \"a\") }}' }", 0),
    ("{ for_each: list, in: '${{ inputs.list.split(\",\") }}' }", 1),
    ("{ for_each: x, in: '${{ inputs.list.split(\",\").map(run, run + \"a\") }}' }", 1),
  ])
  func `a name that hides another is reported`(_ loop: String, _ count: Int) {
    let text = """
      pipeline: example
      inputs: { list: { type: string } }
      steps:
        - \(loop.dropLast(2)), steps: [{ id: ping, request: { url: "https://example.com/" } }] }
      """
    let found = PipelineDocument.load(text: text, file: "a.yaml").diagnostics.map(\.code)
    #expect(found == Array(repeating: .shadowedName, count: count))
  }

  @Test func `a macro inside a loop hides the element by its name only`() {
    func codes(_ name: String) -> [DiagnosticCode] {
      let text = """
        pipeline: example
        steps:
          - for_each: part
            in: ${{ [1, 2] }}
            steps:
              - id: ping
                if: ${{ [part].exists(\(name), \(name) > 1) }}
                request: { url: "https://example.com/" }
        """
      return PipelineDocument.load(text: text, file: "a.yaml").diagnostics.map(\.code)
    }
    #expect(codes("part") == [.shadowedName])
    #expect(codes("other") == [])
  }

  @Test func `a policy that a step names is used, and standard always is`() {
    func codes(_ policy: String, _ step: String) -> [DiagnosticCode] {
      let text = """
        pipeline: example
        retry: { \(policy): { attempts: 3 } }
        steps:
          - { id: ping, request: { url: "https://example.com/" }\(step) }
        """
      return PipelineDocument.load(text: text, file: "a.yaml").diagnostics.map(\.code)
    }
    #expect(codes("patient", "") == [.unusedPolicy])
    #expect(codes("patient", ", retry: patient") == [])
    #expect(codes("standard", ", retry: { attempts: 2 }") == [])
  }
}
