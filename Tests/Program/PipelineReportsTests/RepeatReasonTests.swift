import CEL
import PipelineCore
import PipelineDocument
import PipelineReports
import Testing

/// Why the history says that a step is done again.
struct RepeatReasonTests {
  private static let pipeline = """
    pipeline: photos
    inputs: { server: { type: url }, photos: { type: files, default: "*.jpg" } }
    steps:
      - id: sign_in
        request: { method: POST, url: "${{ inputs.server }}/login" }
        effect: repeatable
        outputs: { token: { value: "${{ response.json.token }}", secret: true, expires: { in: 1h } } }
      - for_each: photo
        in: ${{ inputs.photos }}
        on_abandon: [{ request: { method: DELETE, url: "${{ inputs.server }}/${{ steps.allocate.id }}" } }]
        steps:
          - id: allocate
            request: { method: POST, url: "${{ inputs.server }}/allocate", headers: { Authorization: "Bearer ${{ steps.sign_in.token }}" } }
            effect: repeatable
            outputs: { id: { value: "${{ response.json.id }}", expires: { in: 1h } } }
          - id: send
            upload: { url: "${{ inputs.server }}/${{ steps.allocate.id }}", file: "${{ photo }}" }
    """

  /// The reason of the last of these events, which come a second apart.
  private func reason(_ events: [String]) throws -> String? {
    let result = PipelineDocument.load(text: Self.pipeline, file: "photos.yaml")
    var reasons = RepeatReasons(try #require(result.pipeline, "\(result.diagnostics)"))
    var last: String?
    for (second, event) in events.enumerated() {
      let fields = try #require(try Value(json: event).mapValue)
      last = reasons.reason(fields, at: Instant(milliseconds: Int64(second) * 1000))
    }
    return last
  }

  private func done(_ step: String, generation: Int = 1, item: Bool = true) -> String {
    let place = item ? #""loop":0,"item":0,"# : ""
    return
      #"{"event":"concluded",\#(place)"step":"\#(step)","generation":\#(generation),"verdict":"success","outputs":[]}"#
  }

  @Test func `what is done again after the item was undone says so`() throws {
    let undone = #"{"event":"concluded","loop":0,"item":0,"compensation":true,"verdict":"success"}"#
    let found = try reason([
      done("sign_in", item: false), done("allocate"), undone,
      done("sign_in", generation: 2, item: false), done("allocate", generation: 2),
    ])
    #expect(found == "the item had been undone")
  }

  @Test func `a new result that is read is a reason, but not a new credential`() throws {
    let credential = try reason([
      done("sign_in", item: false), done("allocate"),
      done("sign_in", generation: 2, item: false), done("allocate", generation: 2),
    ])
    #expect(credential == nil)
    let read = try reason([
      done("allocate"), done("send"), done("allocate", generation: 2), done("send", generation: 2),
    ])
    #expect(read == "step 'allocate' was done again")
  }
}
