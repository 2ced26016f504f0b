import CEL
import PipelineCore
import PipelineDocument
import PipelineEngine
import Synchronization
import Testing

/// A pipeline of text, a store, a clock and a world to run it in.
struct Fixture {
  static let photos = """
    pipeline: photos
    inputs:
      photos: { type: files }
      password: { type: secret }
    budgets: { disk: 1 KiB, transfers: 2 }
    steps:
      - id: sign_in
        request: { method: POST, url: "http://server/login", json: { password: "${{ inputs.password }}" } }
        effect: repeatable
        outputs:
          token: { value: "${{ response.json.token }}", secret: true }
      - for_each: photo
        in: ${{ inputs.photos }}
        concurrency: 2
        steps:
          - id: allocate
            request:
              method: POST
              url: "http://server/allocate/${{ photo.name }}"
              bearer: ${{ steps.sign_in.token }}
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs:
              id: { value: "${{ response.json.id }}" }
          - id: body
            materialize: { text: "body of ${{ photo.name }}" }
          - id: upload
            upload:
              url: "http://server/content/${{ steps.allocate.id }}"
              bearer: ${{ steps.sign_in.token }}
              file: ${{ steps.body.file }}
          - id: finalize
            request: { method: POST, url: "http://server/finalize/${{ steps.allocate.id }}" }
            effect: create
            probe:
              request: { url: "http://server/status/${{ steps.allocate.id }}" }
              took_effect: ${{ response.json.done }}
    """

  let pipeline: Pipeline
  let store: InMemoryCheckpointStore
  let clock = VirtualClock()

  init(_ text: String = Fixture.photos) throws {
    let result = PipelineDocument.load(text: text, file: "test.yaml")
    pipeline = try #require(result.pipeline, "\(result.diagnostics)")
    store = InMemoryCheckpointStore(pipeline)
  }

  /// Answers that bring every item through.
  static func respond(to exchange: ScriptedWorld.ScriptedExchange) -> ScriptedWorld.ScriptedResponse
  {
    let parts = exchange.url.split(separator: "/")
    switch parts.count > 2 ? parts[2] : "" {
    case "login": return .init(json: #"{"token": "t0ken"}"#)
    case "allocate": return .init(status: 201, json: #"{"id": "id-\#(parts[3])"}"#)
    case "status": return .init(json: #"{"done": false}"#)
    default: return .init()
    }
  }

  /// The files that ``state(files:)`` puts into the run.
  static func files(_ count: Int) -> [FileValue] {
    (0..<count).map { FileValue(path: "/p/\($0)", name: "\($0)", size: 10, modified: 0) }
  }

  func state(files: Int) async throws -> RunState {
    let state = RunState(
      id: RunID("run"), pipeline: pipeline, inputs: [:], secrets: secrets, seed: 1,
      began: clock.now())
    let loop = EnumeratedLoop(loop: 0) { yield in
      for file in Self.files(files) { try yield(.file(file)) }
    }
    return try await store.create(state, items: files > 0 ? [loop] : [])
  }

  var secrets: [String: Value] { ["password": .string("pa55")] }

  func executor(
    _ world: ScriptedWorld, store: (any CheckpointStore)? = nil, device: (any Device)? = nil,
    transfers: (any TransferService)? = nil
  ) -> Executor {
    Executor(
      evaluator: Evaluator(pipeline),
      ports: .init(
        store: store ?? self.store, requests: world, transfers: transfers ?? world,
        files: world, clock: clock,
        device: device))
  }

  /// The state as another process finds it.
  func reloaded() async throws -> RunState {
    var state = try await store.load()
    state.secrets = secrets
    return state
  }
}

/// Something that opens once and then lets all waiting tasks through.
final class Gate: Sendable {
  private struct Content {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let content = Mutex(Content())

  func open() {
    let waiting = content.withLock { content in
      content.isOpen = true
      defer { content.waiting = [] }
      return content.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the gate opens or the task is cancelled.
  func pass() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOpen = content.withLock { content in
          if content.isOpen || Task.isCancelled { return true }
          content.waiting.append(continuation)
          return false
        }
        if isOpen { continuation.resume() }
      }
    } onCancel: {
      open()
    }
  }
}
