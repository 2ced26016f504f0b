import CEL
import PipelineCore
import PipelineEngine
import Synchronization
import Testing

/// Transfers that ask the executor for a new request.
struct RenewalTests {
  private static func pipeline(_ keys: String) -> String {
    """
    pipeline: renewing
    inputs:
      photos: { type: files }
      password: { type: secret }
    steps:
      - id: sign_in
        request: { method: POST, url: "http://server/login", json: { password: "${{ inputs.password }}" } }
        effect: repeatable
        outputs:
          token: { value: "${{ response.json.token }}", secret: true, expires: { in: 10m, skew: 0s } }
        retry: { backoff: { initial: 0s } }
      - for_each: photo
        in: ${{ inputs.photos }}
        concurrency: 3
        steps:
          - id: upload
            upload:
              url: "http://server/content/${{ photo.name }}"
              bearer: ${{ steps.sign_in.token }}
              file: ${{ photo }}
              \(keys)
    """
  }

  private static let challenge = [Response.Header(name: "WWW-Authenticate", value: "Bearer")]

  /// Issues tokens in order, and refuses those that were issued before `valid`.
  private final class Servers: Sendable {
    private let tokens = Mutex(0)
    let valid: Int

    init(valid: Int) { self.valid = valid }

    func respond(to exchange: ScriptedWorld.ScriptedExchange) -> ScriptedWorld.ScriptedResponse {
      if exchange.url.hasSuffix("/login") {
        let number = tokens.withLock { tokens in
          tokens += 1
          return tokens
        }
        return .init(json: #"{"token": "t\#(number)"}"#)
      }
      let authorization = exchange.headers.first { $0.name == "Authorization" }?.value ?? ""
      let number = Int(authorization.dropFirst("Bearer t".count)) ?? 0
      return number < valid ? .init(status: 401, headers: challenge) : .init()
    }
  }

  private func run(
    _ keys: String, files: Int, valid: Int
  ) async throws -> (end: RunState, world: ScriptedWorld) {
    let fixture = try Fixture(Self.pipeline(keys))
    let servers = Servers(valid: valid)
    let world = ScriptedWorld(clock: fixture.clock) { servers.respond(to: $0) }
    let end = try await fixture.executor(world).run(
      try await fixture.state(files: files), epoch: try await fixture.store.claim(),
      events: [.runBegan])
    return (end, world)
  }

  @Test func `a second challenge of one value ends the attempt, and the token is reissued`()
    async throws
  {
    let (end, world) = try await run("renew: [challenge]", files: 1, valid: 4)
    #expect(end.status == .finished)
    // The first and the second value are refused to one transfer, the third and the fourth go to the next.
    #expect(world.exchanges.count { $0.url.hasSuffix("/login") } == 4)
    #expect(world.exchanges.count { $0.url.hasSuffix("/content/0") } == 4)
  }

  @Test func `a pause stops a transfer that waits for its reply`() async throws {
    let fixture = try Fixture(Self.pipeline("renew: [challenge]"))
    let servers = Servers(valid: 2)
    let asked = Gate()
    let count = Mutex(0)
    let world = ScriptedWorld(clock: fixture.clock) { exchange in
      var response = servers.respond(to: exchange)
      guard exchange.url.hasSuffix("/login") else { return response }
      let isSecond = count.withLock { count in
        count += 1
        return count == 2
      }
      guard isSecond else { return response }
      asked.open()
      let never = Gate()
      response.hold = { await never.pass() }
      return response
    }
    let executor = fixture.executor(world)
    let state = try await fixture.state(files: 1)
    let epoch = try await fixture.store.claim()
    async let run = executor.run(state, epoch: epoch, events: [.runBegan])
    await asked.pass()
    executor.requestPause("enough")
    let rest = try await run
    #expect(rest.status == .paused)
    #expect(rest.loops[0].active.values.flatMap(\.frame).allSatisfy { $0.failures == 0 })
  }

  @Test func `three challenged transfers continue with one new token`()
    async throws
  {
    let (end, world) = try await run("renew: [challenge]", files: 3, valid: 2)
    #expect(end.loops[0].counts[.done] == 3)
    #expect(world.exchanges.count { $0.url.hasSuffix("/login") } == 2)
    #expect(world.exchanges.count { $0.url.contains("/content/") } == 6)
  }

  @Test func `a transfer that starts later is sent with the values valid then`() async throws {
    let fixture = try Fixture(Self.pipeline("renew: [begin]\n          earliest: 1h"))
    let servers = Servers(valid: 0)
    let world = ScriptedWorld(clock: fixture.clock) { servers.respond(to: $0) }
    let begun = fixture.clock.now()
    async let run = fixture.executor(world).run(
      try await fixture.state(files: 1), epoch: try await fixture.store.claim(),
      events: [.runBegan])
    await fixture.clock.waitForSleepers(1)
    fixture.clock.jump()
    #expect(try await run.status == .finished)
    let upload = try #require(world.exchanges.first { $0.url.hasSuffix("/content/0") })
    #expect(upload.at - begun == .seconds(3600))
    #expect(upload.headers.contains(.init(name: "Authorization", value: "Bearer t2")))
  }
}
