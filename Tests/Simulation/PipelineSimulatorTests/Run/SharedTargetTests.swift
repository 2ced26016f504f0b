import PipelineCore
import PipelineDocument
import PipelineEngine
import PipelineSimulator
import Testing

/// Two files with the same name in different folders: no item replaces what another item has stored.
struct SharedTargetTests {
  static let put = """
    - id: put
      upload: { url: "http://server/${{ urlEscape(photo.name) }}", file: "${{ photo }}" }
    """

  static func text(_ steps: String, concurrency: Int = 4, abandon: String = "") -> String {
    let indented = steps.split(separator: "\n").map { "      \($0)\n" }.joined()
    return """
      pipeline: flat
      inputs: { password: { type: secret }, photos: { type: files } }
      retry: { standard: { attempts: 3, jitter: none } }
      steps:
        - for_each: photo
          in: ${{ inputs.photos }}
          concurrency: \(concurrency)
          steps:
      \(indented)
      """ + (abandon.isEmpty ? "" : "    on_abandon: [{ request: \(abandon), undoes: [put] }]\n")
  }

  private static func scene(_ text: String) throws -> Scene {
    var scene = try Scene(text)
    let files = ["a/IMG.jpg", "b/IMG.jpg"].map { (relative: String) in
      FileValue(path: "/p/\(relative)", name: "IMG.jpg", relative: relative, size: 9, modified: 0)
    }
    scene.inputs.files["photos"] = files
    for file in files { scene.disk.add(file) }
    return scene
  }

  /// The files whose content reached the server, in order.
  private static func stored(_ run: SimulatedRun) -> [String] {
    run.trace.exchanges.filter { $0.purpose == .attempt }.compactMap { $0.file?.relative }
  }

  @Test(arguments: [1, 4])
  func `the second file fails before it is sent, and names the first`(concurrency: Int) throws {
    var run = try Self.scene(Self.text(Self.put, concurrency: concurrency)).run()
    #expect(run.simulate() == .rested)
    #expect(run.items(loop: 0).map(\.status) == [.done, .failed])
    let reason = try #require(run.items(loop: 0)[1].reason?.message)
    #expect(reason.contains("same upload target as item 0/0, '/p/a/IMG.jpg'"), "\(reason)")
    #expect(Self.stored(run) == ["a/IMG.jpg"])
    run.begin(retrying: true)
    run.simulate()
    #expect(run.items(loop: 0).map(\.status) == [.done, .failed], "a later process remembers it")
    #expect(Self.stored(run) == ["a/IMG.jpg"])
  }

  @Test func `an item may store under its own target again`() throws {
    let second = Self.put.replacing("id: put", with: "id: again")
    var run = try Self.scene(Self.text(Self.put + "\n" + second)).run { exchange in
      exchange.id.attempt == 1 ? SimulatedResponse(status: 503) : SimulatedResponse()
    }
    #expect(run.simulate() == .rested)
    #expect(run.items(loop: 0).map(\.status) == [.done, .failed])
    #expect(Self.stored(run) == Array(repeating: "a/IMG.jpg", count: 4))
  }

  @Test func `with shared_target both are sent`() throws {
    var run = try Self.scene(Self.text(Self.put + "\n  shared_target: allow")).run()
    #expect(run.simulate() == .rested)
    #expect(run.count(.done) == 2)
  }

  @Test func `a name in the body of a request is a target if the step declares it`() throws {
    let open = """
      - id: open
        request: { method: POST, url: "http://server/sessions", json: { name: "${{ photo.name }}" } }
      """
    var run = try Self.scene(Self.text(open)).run()
    #expect(run.simulate() == .rested)
    #expect(run.count(.done) == 2)
    var named = try Self.scene(Self.text(open + "\n  target: ${{ photo.name }}")).run()
    #expect(named.simulate() == .rested)
    #expect(named.items(loop: 0).map(\.status) == [.done, .failed])
    #expect(named.trace.exchanges.count == 1)
  }

  @Test func `the session of a large file and the PUT of a small one can have one target`() throws {
    let steps = """
      - id: put
        if: ${{ photo.relative == "b/IMG.jpg" }}
        upload: { url: "http://server/${{ photo.name }}", file: "${{ photo }}" }
      - id: open
        if: ${{ photo.relative == "a/IMG.jpg" }}
        request: { method: POST, url: "http://server/${{ photo.name }}?uploads=" }
        target: http://server/${{ photo.name }}
      """
    var run = try Self.scene(Self.text(steps, concurrency: 1)).run()
    #expect(run.simulate() == .rested)
    #expect(run.items(loop: 0).map(\.status) == [.done, .failed])
  }

  @Test func `a failed item does not undo what another item stored`() throws {
    let delete = #"{ method: DELETE, url: "http://server/${{ urlEscape(photo.name) }}" }"#
    var run = try Self.scene(Self.text(Self.put, abandon: delete)).run()
    #expect(run.simulate() == .rested)
    #expect(run.items(loop: 0).map(\.status) == [.done, .failed])
    #expect(run.sent == ["PUT IMG.jpg"])
  }

  /// Ends the process at each point, one run for each.
  @Test(arguments: [
    put,
    put + """

        effect: create
        probe: { request: { url: "http://server/${{ urlEscape(photo.name) }}" }, took_effect: "${{ response.status == 200 }}" }
      """,
  ])
  func `wherever the process ends, only one file is stored`(steps: String) throws {
    var point = 0
    var isReached = true
    while isReached {
      point += 1
      var settings = SimulatedRun.Settings()
      settings.faultHooks = EndAt(point)
      var run = try Self.scene(Self.text(steps)).run(settings: settings)
      #expect(run.simulate() == .rested)
      #expect(
        run.items(loop: 0).map(\.status).sorted { $0.rawValue < $1.rawValue }
          == [.failed, .done], "ended at \(point)")
      #expect(Set(Self.stored(run)).count <= 1, "ended at \(point): \(run.sent)")
      isReached = (run.faultHooks as? EndAt)?.hasEnded == true
    }
    #expect(point > 6)
  }

  private struct EndAt: FaultHooks {
    private var left: Int
    private(set) var hasEnded = false

    init(_ point: Int) { left = point }

    mutating func endsProcess(at point: CrashPoint) -> Bool {
      left -= 1
      if left == 0 { hasEnded = true }
      return left == 0
    }
  }

  /// A shell that does not ask for the claims: the tests above would find it.
  @Test func `a store that is not asked lets one file replace the other`() throws {
    var settings = SimulatedRun.Settings()
    settings.faultHooks = NoClaims()
    var run = try Self.scene(Self.text(Self.put)).run(settings: settings)
    #expect(run.simulate() == .rested)
    #expect(run.count(.done) == 2)
    #expect(Self.stored(run).count == 2)
  }

  private struct NoClaims: FaultHooks {
    mutating func commit(
      _ batch: CheckpointBatch, to table: inout CheckpointTable<ValueForm>
    ) throws(StoreFailure) -> [TargetClaim.Refusal] {
      var batch = batch
      batch.checkpoint.claims = []
      return try table.commit(batch)
    }
  }

  private static let steps: [(replaces: Bool, action: String)] = [
    (true, #"request: { method: PUT, url: "/${{ photo.name }}", text: "${{ photo.path }}" }"#),
    (true, #"request: { method: PUT, url: "/latest", json: { name: "${{ photo.name }}" } }"#),
    (true, #"request: { method: MOVE, url: "/x", headers: { Destination: "${{ photo.name }}" } }"#),
    (
      true, #"upload: { url: "/", headers: { X-Name: "${{ photo.name }}" }, file: "${{ photo }}" }"#
    ),
    (true, #"upload: { url: "/${{ steps.look.place }}", file: "${{ photo }}" }"#),
    (true, #"upload: { url: "/", query: { n: "${{ item.index }}" }, file: "${{ photo }}" }"#),
    // Values that the server issued, or that belong to only one item.
    (false, #"upload: { url: "/${{ steps.look.id }}", file: "${{ photo }}" }"#),
    (false, #"upload: { url: "/", headers: { X-Key: "${{ item.key }}" }, file: "${{ photo }}" }"#),
    (false, #"upload: { url: "/${{ item.key }}", file: "${{ photo }}" }"#),
    // The same request for each item, or one that replaces nothing.
    (false, #"request: { method: PUT, url: "/${{ photo.folder }}" }"#),
    (false, #"request: { method: PUT, url: "/${{ photo.name }}", json: { state: ready } }"#),
    (false, #"upload: { method: POST, url: "/${{ photo.name }}", file: "${{ photo }}" }"#),
  ]

  @Test(arguments: steps)
  func `a step replaces if it stores an item's content under a name that the pipeline chose`(
    replaces: Bool, action: String
  ) throws {
    let text = Self.text(
      """
      - id: look
        request: { url: "/${{ photo.name }}" }
        outputs: { place: "${{ photo.name }}", id: "${{ response.json.id }}" }
      - id: put
        \(action)
      """
    ).replacing("retry:", with: "defaults: { url: \"http://s\" }\nretry:")
    let result = PipelineDocument.load(text: text, file: "test.yaml")
    let pipeline = try #require(result.pipeline, "\(result.diagnostics)")
    #expect(Array(pipeline.targets.keys) == (replaces ? [1] : []))
  }
}
