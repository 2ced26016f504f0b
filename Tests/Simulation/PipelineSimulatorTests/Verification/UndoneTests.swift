import PipelineCore
import PipelineDocument
import PipelineSimulator
import TestSupport
import Testing

/// Unknown outcomes that outlive the sources of the request, and the effects that compensations undo.
struct UndoneTests {
  /// Allocates an ID that lives an hour, uploads, and finalizes under a key.
  static func keyed(_ abandon: String = "", key: String = "") -> String {
    """
    pipeline: keyed
    inputs: { server: { type: url, default: "https://api.test" }, files: { type: files } }
    steps:
      - for_each: film
        in: ${{ inputs.files }}
        steps:
          - id: allocate
            request: { method: POST, url: "${{ inputs.server }}/uploads", json: { name: "${{ film.name }}" } }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs: { id: { value: "${{ response.json.id }}", expires: { in: 1h } } }
          - id: upload
            upload: { url: "${{ inputs.server }}/uploads/${{ steps.allocate.id }}/content", file: "${{ film }}" }
            success_if: "${{ response.status == 201 }}"
            on: [{ if: "${{ response.status in [404, 410] }}", expired: allocate }]
          - id: finalize
            depends_on: [upload]
            request: { method: POST, url: "${{ inputs.server }}/uploads/${{ steps.allocate.id }}/finalize" }
            effect: create
            idempotency: { header: Idempotency-Key\(key) }
            success_if: "${{ response.status == 201 }}"
            on: [{ if: "${{ response.status in [404, 410] }}", expired: allocate }]

    """ + abandon
  }

  private static func deletion(_ path: String, undoes: String = "") -> String {
    """
        on_abandon:
          - request: { method: DELETE, url: "${{ inputs.server }}/\(path)/${{ steps.allocate.id }}" }
    \(undoes.isEmpty ? "" : "        undoes: [\(undoes)]\n")
    """
  }

  @Test func `an ID that expires while the outcome is unknown does no harm`() throws {
    let safety = try CrashVerifierTests.verify(Self.keyed(), pairs: 2000)
    #expect(safety.counterexamples.isEmpty, "\(safety.counterexamples)")
    #expect(safety.verdict == (TestSupport.TestFiles.isThorough ? .assumed : .incomplete))
    let finalize = try #require(safety.steps.first { $0.id == StepID("finalize") })
    #expect(
      finalize.assumptions == [
        "a response that makes the step report 'allocate' as expired means that its request was not carried out, and "
          + "never will be"
      ])
  }

  @Test(arguments: ["uploads", "unrelated"])
  func `a deletion does not undo effects derived from its target`(path: String) throws {
    let safety = try CrashVerifierTests.verify(Self.keyed(Self.deletion(path)), pairs: 200)
    let example = try #require(safety.counterexamples.first)
    #expect(example.kind == .doubleEffect)
    #expect(example.step == StepID("finalize"))
    #expect(example.message.contains("undoes: [finalize]"), "\(example.message)")
  }

  @Test func `other effects that a deletion undoes are an assumption`() throws {
    let text = Self.keyed(Self.deletion("uploads", undoes: "finalize"))
    let safety = try CrashVerifierTests.verify(text, pairs: 20)
    #expect(safety.counterexamples.isEmpty, "\(safety.counterexamples)")
    let entry = try #require(safety.steps.last)
    #expect(
      entry.assumptions == ["it undoes what 'finalize' did, without reading any of its outputs"])
    #expect(entry.grade == .assumed)
  }

  @Test func `a key that is the same in all generations needs no compensation`() throws {
    let text = Self.keyed(
      Self.deletion("uploads"), key: ", key: \"finalize-${{ item.key }}\"")
    let safety = try CrashVerifierTests.verify(text, pairs: 20)
    #expect(safety.counterexamples.isEmpty, "\(safety.counterexamples)")
  }

  @Test func `only steps of the loop can be undone`() {
    let text = Self.keyed(Self.deletion("uploads", undoes: "nothing"))
    let result = PipelineDocument.load(text: text, file: "test.yaml")
    #expect(result.diagnostics.contains { $0.message.contains("nothing") })
  }

  @Test func `an empty file does not block the steps that wait for its pieces`() throws {
    let text = """
      pipeline: direct
      inputs: { server: { type: url }, files: { type: files } }
      steps:
        - for_each: file
          in: ${{ inputs.files }}
          steps:
            - id: sent
              repeat:
                from: { offset: 0 }
                until: ${{ steps.sent.offset == file.size }}
                steps:
                  - id: send
                    upload: { url: "${{ inputs.server }}/piece/${{ item.key }}", file: "${{ file }}", range: { offset: "${{ steps.sent.offset }}", length: "${{ file.size - steps.sent.offset }}" } }
                    outputs: { offset: "${{ file.size }}" }
                next: { offset: "${{ steps.send.offset }}" }
            - { id: tell, request: { method: PUT, url: "${{ inputs.server }}/done/${{ urlEscape(file.name) }}" }, depends_on: [send] }
      """
    let safety = try CrashVerifierTests.verify(text, pairs: 20)
    #expect(safety.counterexamples.isEmpty, "\(safety.counterexamples)")
  }
}
