import Basics
import CEL
import PipelineCore
import PipelineDocument
import PipelineEngine
import PipelineSimulator
import Synchronization
import Testing

/// Tokens for which the user signs in with a browser (RFC 8628).
struct DeviceSignInTests {
  /// An authorization server whose responses to questions about a code are scripted.
  private final class Server: Sendable {
    struct State {
      var script: [String]
      var codes = 0
      var log: [String] = []
      var times: [Instant] = []
    }
    let state: Mutex<State>
    /// Whether errors have the status 200, as some servers send them.
    let isFriendly: Bool

    init(_ script: [String], isFriendly: Bool = false) {
      state = Mutex(State(script: script))
      self.isFriendly = isFriendly
    }

    func respond(to exchange: SimulatedRequest) -> SimulatedResponse {
      state.withLock { state in
        let url = exchange.request.url
        let form = String(decoding: exchange.body ?? [], as: UTF8.self)
        if url.hasSuffix("/device") {
          state.codes += 1
          state.log.append("device \(form)")
          return json(
            #"{"device_code": "d-\#(state.codes)", "user_code": "WDJB-\#(state.codes)", "verification_uri": "https://login/device", "expires_in": 600, "interval": 5}"#
          )
        }
        guard url.hasSuffix("/token") else {
          let bearer = exchange.header("Authorization")
          return SimulatedResponse(
            status: bearer?.hasPrefix("Bearer a-") == true ? 200 : 401, latency: .milliseconds(10))
        }
        state.times.append(exchange.at)
        let next = state.script.isEmpty ? "refresh" : state.script.removeFirst()
        state.log.append(form.contains("device_code=d-") ? "ask \(state.codes)" : form)
        switch next {
        case "token": return json(#"{"access_token": "a-1", "refresh_token": "r-1"}"#)
        case "bare": return json(#"{"access_token": "a-1"}"#)
        case "refresh": return json(#"{"access_token": "a-2", "expires_in": 3600}"#)
        default:
          return json(#"{"error": "\#(next)"}"#, status: isFriendly ? 200 : 400)
        }
      }
    }

    private func json(_ text: String, status: Int = 200) -> SimulatedResponse {
      SimulatedResponse(
        status: status, headers: [.init(name: "Content-Type", value: "application/json")],
        body: Array(text.utf8), latency: .milliseconds(10))
    }
  }

  private static func scene(_ more: String) throws -> Scene {
    try Scene(
      """
      pipeline: device
      inputs: { photos: { type: files } }
      retry: { standard: { attempts: 3, jitter: none, backoff: { initial: 1s } } }
      credentials:
        api: { oauth2: { token_url: "http://server/token", client: me, device_url: "http://server/device", scope: "a"\(more) } }
      steps:
        - for_each: photo
          in: ${{ inputs.photos }}
          steps:
            - id: put
              request: { method: PUT, url: "http://server/${{ photo.name }}", credentials: api }
      """, files: ["a": 10, "b": 10])
  }

  private static func run(_ server: Server, more: String = "") throws -> SimulatedRun {
    var run = try scene(more).run(server.respond)
    run.simulate()
    return run
  }

  @Test func `a refusal by the user pauses the run with the server's message`() throws {
    let server = Server(["authorization_pending", "access_denied"])
    let run = try Self.run(server)
    #expect(run.count(.done) == 0)
    #expect(run.state?.reason?.message.contains("access_denied") == true)
  }

  @Test func `the code limits the user's time, the server's pace is kept, the token is refreshed`()
    throws
  {
    let server = Server([
      "authorization_pending", "slow_down", "authorization_pending", "slow_down", "token",
    ])
    let run = try Self.run(server)
    #expect(run.count(.done) == 2)
    let (log, times) = server.state.withLock { ($0.log, $0.times) }
    #expect(
      log == [
        "device scope=a&client_id=me", "ask 1", "ask 1", "ask 1", "ask 1", "ask 1",
        "grant_type=refresh_token&refresh_token=r-1&scope=a&client_id=me",
      ])
    let pauses = zip(times, times.dropFirst()).map { ($1 - $0).milliseconds / 1000 }
    // All pauses grow with each `slow_down`, and not just the next one (RFC 8628 §3.5).
    #expect(Array(pauses.prefix(4)) == [5, 10, 10, 15])
  }

  @Test func `a code that has expired is asked for again`() throws {
    let server = Server(["expired_token", "token"])
    let run = try Self.run(server)
    #expect(run.count(.done) == 2)
    #expect(server.state.withLock(\.codes) == 2)
  }

  @Test func `a refresh token that is refused asks the user again`() throws {
    let server = Server(["token", "invalid_grant", "token"])
    let run = try Self.run(server)
    #expect(run.count(.done) == 2)
    #expect(server.state.withLock(\.codes) == 2)
  }

  @Test func `a server without refresh tokens responds with 200 and an error`() throws {
    let server = Server(["authorization_pending", "bare"], isFriendly: true)
    let run = try Self.run(server, more: ", refresh: false")
    #expect(run.count(.done) == 2)
    #expect(server.state.withLock(\.log) == ["device scope=a&client_id=me", "ask 1", "ask 1"])
  }

  @Test func `a server that issues no refresh token is reported`() throws {
    let run = try Self.run(Server(["bare"]))
    #expect(run.count(.done) == 0)
    #expect(run.state?.reason?.message.contains("refresh: false") == true)
  }

  @Test(arguments: ["", ", refresh: false"])
  func `a later run uses the sign-in of an earlier one, and the user is asked once`(
    more: String
  ) throws {
    let server = Server(["token"])
    let first = try Self.run(server, more: more)
    #expect(first.count(.done) == 2)
    var second = try Self.scene(more).run(server.respond)
    second.credentials = first.credentials
    second.simulate()
    #expect(second.count(.done) == 2)
    #expect(server.state.withLock(\.codes) == 1)
    #expect(
      server.state.withLock(\.log).last
        == (more.isEmpty
          ? "grant_type=refresh_token&refresh_token=r-1&scope=a&client_id=me" : "ask 1"))
  }

  @Test func `a sign-in that the server refuses later is asked for again`() throws {
    let server = Server(["token"])
    let first = try Self.run(server)
    server.state.withLock { $0.script = ["invalid_grant", "token"] }
    var second = try Self.scene("").run(server.respond)
    second.credentials = first.credentials
    second.simulate()
    #expect(second.count(.done) == 2)
    #expect(server.state.withLock(\.codes) == 2)
  }

  @Test func `a token without refreshing that is refused later is asked for again`() throws {
    let server = Server(["token"])
    let first = try Self.run(server, more: ", refresh: false")
    server.state.withLock { $0.script = ["token"] }
    var second = try Self.scene(", refresh: false").run { exchange in
      guard exchange.id.item != nil, server.state.withLock({ $0.codes < 2 }) else {
        return server.respond(to: exchange)
      }
      return SimulatedResponse(status: 401, latency: .milliseconds(10))
    }
    second.credentials = first.credentials
    second.simulate()
    #expect(second.count(.done) == 2)
    #expect(server.state.withLock(\.codes) == 2)
  }
}
