import PipelineCore
import PipelineDocument
import PipelineSimulator
import Testing

/// Responses that repeat values of the request, or have a form that the pipeline requires.
struct InferredValuesTests {
  private static func pipeline(_ steps: String) -> String {
    """
    pipeline: p
    inputs:
      server: { type: url, default: "http://s" }
      files: { type: files }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
    \(steps)
    """
  }

  private func run(_ steps: String) throws -> SimulatedRun {
    let run = try ModelScene(Self.pipeline(steps)).run(count: 3)
    #expect(run.done() == 3, "\(TraceText(run).render(run.trace, limit: 60))")
    return run
  }

  @Test func `a batch gets a result for each of its members`() throws {
    let run = try run(
      #"""
          - id: make
            batch: { items: 2, within: 1s, entry: { name: "${{ file.name }}" } }
            request: { method: POST, url: "${{ inputs.server }}", json: "${{ batch.entries }}" }
            effect: repeatable
            results:
              each: ${{ response.json.made.filter(one, one.name == batch.entry.name)[0] }}
              on:
                - { if: "${{ has(batch.result.error) }}", then: fail, message: "${{ batch.result.error.text }}" }
                - { if: "${{ batch.result.state == 'made' }}", then: success }
            outputs: { id: "${{ batch.result.id }}" }
          - { id: use, request: { url: "${{ inputs.server }}/${{ steps.make.id }}" } }
      """#)
    #expect(run.journal.commits.count { $0.step == 0 } == 2)
    let uses = run.trace.exchanges.map(\.request.url).filter { $0.contains("/id-") }
    #expect(Set(uses).count == 3)
  }

  @Test func `the results of a batch may be known by their places`() throws {
    _ = try run(
      #"""
          - id: make
            batch: { items: 3, within: 1s, entry: "${{ file.name }}" }
            request: { method: POST, url: "${{ inputs.server }}", json: "${{ batch.entries }}" }
            effect: repeatable
            results:
              each: ${{ response.json.made[batch.index] }}
              on: [{ if: "${{ batch.result['.tag'] == 'success' }}", then: success }]
      """#)
  }

  @Test func `the probe of a batch finds its effect, and no effect`() throws {
    _ = try run(
      #"""
          - id: share
            batch: { items: 3, within: 1s, entry: { id: "${{ file.name }}" } }
            request: { method: POST, url: "${{ inputs.server }}", json: "${{ batch.entries }}" }
            effect: create
            probe:
              request: { url: "${{ inputs.server }}/${{ batch.entries[0].id }}" }
              took_effect: ${{ response.json.ok }}
            results:
              each: ${{ response.json.?files.orValue([batch.entry]).filter(one, one.id == batch.entry.id)[0] }}
              on: [{ then: success }]
      """#)
  }

  @Test func `names that a step defines are resolved`() throws {
    _ = try run(
      #"""
          - id: look
            let: { found: "${{ response.json.filter(one, one.name == file.name && !one.is_draft)[0] }}" }
            request: { url: "${{ inputs.server }}" }
            outputs: { id: "${{ found.id }}" }
          - { id: use, request: { url: "${{ inputs.server }}/${{ steps.look.id }}" } }
      """#)
  }

  @Test func `digests of files have values`() throws {
    _ = try run(
      #"""
          - { id: sum, digest: { file: "${{ file }}", take: [md5] } }
          - id: put
            upload: { url: "${{ inputs.server }}/${{ file.name }}", file: "${{ file }}" }
            on:
              - { if: "${{ response.json.checksum != 'md5:' + steps.sum.md5.hex }}", then: fail }
      """#)
  }

  @Test func `a question between turns reads the values of the turn`() throws {
    _ = try run(
      #"""
          - id: sent
            repeat:
              from: { offset: 0, size: "${{ file.size / 2 }}" }
              until: ${{ steps.sent.offset == file.size }}
              resync:
                request: { method: HEAD, url: "${{ inputs.server }}", query: { size: "${{ string(steps.sent.size) }}" } }
                next: { offset: "${{ int(response.headers['upload-offset']) }}", size: "${{ steps.sent.size * 1 }}" }
              steps:
                - id: send
                  upload:
                    method: PATCH
                    url: ${{ inputs.server }}
                    file: ${{ file }}
                    range: { offset: "${{ steps.sent.offset }}", length: "${{ steps.sent.size }}" }
                  effect: repeatable
                  outputs: { offset: "${{ steps.sent.offset + steps.sent.size }}" }
              next: { offset: "${{ steps.send.offset }}" }
      """#)
  }

  @Test(arguments: [
    #"(type(response.json.data) == list ? response.json.data : [response.json.data])"#,
    #"(has(response.json.data) ? response.json.data : [response.json])"#,
  ])
  func `a value that may be an object or a list is either`(list: String) throws {
    _ = try run(
      #"""
          - id: make
            request: { method: POST, url: "${{ inputs.server }}" }
            effect: create
            probe:
              request: { url: "${{ inputs.server }}" }
              took_effect: ${{ response.json.data.exists(one, one.name == file.name && one.size.bytes == file.size) }}
            outputs: { id: "${{ LIST.filter(one, one.name == file.name && one.size.bytes == file.size)[0].id }}" }
      """#.replacing("LIST", with: list))
  }

  @Test func `a text has the form that is searched in it, and other words for each commit`() throws
  {
    let run = try run(
      #"""
          - id: open
            request: { method: POST, url: "${{ inputs.server }}" }
            effect: repeatable
            outputs: { id: '${{ capture(response.text, "<UploadId>([^<]+)</UploadId>").value() }}' }
          - { id: use, request: { url: "${{ inputs.server }}/${{ steps.open.id }}" } }
      """#)
    #expect(Set(run.trace.exchanges.map(\.request.url)).count == 4)
  }

  @Test func `a list of ranges covers the file`() throws {
    _ = try run(
      #"""
          - id: ask
            request: { url: "${{ inputs.server }}" }
            outputs: { list: "${{ covering(response.json.parts, file.size) }}" }
          - id: parts
            for_each: part
            in: ${{ steps.ask.list }}
            steps:
              - id: send
                upload: { url: "${{ part.url }}", file: "${{ file }}", range: { offset: "${{ part.offset }}", length: "${{ part.length }}" } }
      """#)
  }

  @Test func `a list has an element for each piece, and headers have names`() throws {
    _ = try run(
      #"""
          - id: ask
            request: { url: "${{ inputs.server }}" }
            outputs: { list: "${{ response.json.parts }}" }
          - id: pieces
            for_each: piece
            in: '${{ parts(file.size, {"size": file.size / 3 + 1}) }}'
            steps:
              - id: send
                upload:
                  url: ${{ steps.ask.list[piece.index].url }}
                  headers: ["${{ steps.ask.list[piece.index].headers.transformMapEntry(_, one, {one.name: one.value}) }}"]
                  file: ${{ file }}
                  range: { offset: "${{ piece.offset }}", length: "${{ piece.length }}" }
      """#)
  }

  @Test func `a step is reached whose condition only a rare response meets`() throws {
    let run = try run(
      #"""
          - id: ask
            request: { url: "${{ inputs.server }}" }
            outputs:
              first: ${{ response.json.?first.orValue('') }}
              second: ${{ response.json.?second.orValue('') }}
              third: ${{ response.json.?third.orValue('') }}
              last: ${{ response.json.?last.orValue('') }}
          - id: check
            if: ${{ steps.ask.last != "" }}
            request: { url: "${{ steps.ask.last }}" }
      """#)
    #expect(run.journal.commits.count { $0.step == 1 } == 3)
  }

  @Test func `a server is derived for files that are large enough`() throws {
    let scene = try ModelScene(
      Self.pipeline(
        #"""
            - id: look
              request: { url: "${{ inputs.server }}" }
              on:
                - { if: "${{ file.size <= 100000000 }}", then: skip_item, message: "it is small" }
        """#))
    _ = try ModelServer(scene.pipeline)
  }
}
