import PipelineCore
import PipelineEngine
import Synchronization
import Testing

/// The result of a sign-in is stored before anything uses it,
/// and a store that fails stops the run before a token is sent.
struct SignInTests {
  private final class Store: CredentialStore {
    let kept = Mutex<[CredentialID: StoredCredential]>([:])
    /// The stored sign-ins that exchanges received, in order.
    let given = Mutex<[String?]>([])
    let failure: CredentialFailure?

    init(failing failure: CredentialFailure? = nil) { self.failure = failure }

    var tokens: [String] { kept.withLock { $0.values.map(\.token) } }

    func withCredential(
      _ id: CredentialID,
      _ exchange: @escaping @Sendable (StoredCredential?) async -> (StoredCredential?, Verdict)
    ) async throws(CredentialFailure) -> Verdict {
      if let failure { throw failure }
      let stored = kept.withLock { $0[id] }
      given.withLock { $0.append(stored?.token) }
      let (changed, verdict) = await exchange(stored)
      if let changed { kept.withLock { $0[id] = changed } }
      return verdict
    }
  }

  private static let pipeline = """
    pipeline: rotating
    inputs: { photos: { type: files }, password: { type: secret } }
    credentials:
      api: { oauth2: { token_url: "http://server/token", client: me, refresh_token: "${{ inputs.password }}" } }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: put
            request: { method: PUT, url: "http://server/${{ photo.name }}", credentials: api }
    """

  private static func executor(
    _ fixture: Fixture, _ world: ScriptedWorld, _ store: Store?
  ) -> Executor {
    Executor(
      evaluator: Evaluator(fixture.pipeline),
      ports: .init(
        store: fixture.store, requests: world, transfers: world, files: world,
        clock: fixture.clock, credentials: store))
  }

  private static let token = ScriptedWorld.ScriptedResponse(
    json: #"{"access_token": "a-1", "refresh_token": "r-1", "expires_in": 3600}"#)

  @Test func `a token is kept before it is used, and an interruption lets its exchange end`()
    async throws
  {
    let fixture = try Fixture(Self.pipeline)
    let store = Store()
    let (arrived, answers) = (Gate(), Gate())
    let world = ScriptedWorld(clock: fixture.clock) { exchange in
      guard exchange.url.hasSuffix("/token") else {
        #expect(store.tokens == ["r-1"])
        return .init()
      }
      arrived.open()
      await answers.pass()
      return Self.token
    }
    let executor = Self.executor(fixture, world, store)
    let state = try await fixture.state(files: 1)
    let epoch = try await fixture.store.claim()
    let run = Task { try await executor.run(state, epoch: epoch, events: [.runBegan]) }
    await arrived.pass()
    run.cancel()
    answers.open()
    #expect(try await run.value.status == .paused)
    #expect(store.tokens == ["r-1"])

    let next = Self.executor(fixture, world, store)
    let end = try await next.run(
      try await fixture.reloaded(), epoch: try await fixture.store.claim(),
      events: [.runResumed, .unpaused])
    #expect(end.status == .finished)
    #expect(store.given.withLock { $0 } == [nil, "r-1"])
  }

  @Test(arguments: [true, false])
  func `without a store that opens, nothing is sent`(hasStore: Bool) async throws {
    let fixture = try Fixture(Self.pipeline)
    let world = ScriptedWorld(clock: fixture.clock) { _ in Self.token }
    let failing = Store(failing: CredentialFailure(message: "the key does not open it"))
    let executor = Self.executor(fixture, world, hasStore ? failing : nil)
    let end = try await executor.run(
      try await fixture.state(files: 1), epoch: try await fixture.store.claim(),
      events: [.runBegan])
    #expect(end.status == .paused)
    #expect(
      end.reason?.message.contains(hasStore ? "'api': the key" : "no credential store") == true)
    #expect(world.exchanges.isEmpty)
  }
}
