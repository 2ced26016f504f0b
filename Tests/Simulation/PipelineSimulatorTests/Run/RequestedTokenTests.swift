import Basics
import CEL
import PipelineCore
import PipelineDocument
import PipelineEngine
import PipelineSimulator
import Synchronization
import Testing

/// Tokens that a credential requests: once for all, renewed in time, and never locked out.
struct RequestedTokenTests {
  /// An authorization server that rotates refresh tokens: the old one is used up when the new one is used, or the access token that came with it.
  private final class RotatingServer: Sendable {
    struct State {
      /// The tokens that may still be used, oldest first.
      var valid = ["r-0"]
      var issued = 0
      var refusals: [String] = []
      var grants: [String] = []
      var uploads = 0
    }
    let state = Mutex(State())
    let life: Int

    init(life: Int = 3600) { self.life = life }

    func respond(to exchange: SimulatedRequest) -> SimulatedResponse {
      state.withLock { state in
        let url = exchange.request.url
        if url.hasSuffix("/token") { return token(exchange, &state) }
        let bearer = exchange.header("Authorization") ?? ""
        guard let number = Int(bearer.drop { !$0.isNumber }), bearer.hasPrefix("Bearer a-") else {
          return SimulatedResponse(status: 401, latency: .milliseconds(10))
        }
        // The new token is in use: those before it are used up.
        if let place = state.valid.firstIndex(of: "r-\(number)") {
          state.valid.removeFirst(place)
        }
        state.uploads += 1
        return SimulatedResponse(latency: .milliseconds(10))
      }
    }

    private func token(_ exchange: SimulatedRequest, _ state: inout State) -> SimulatedResponse {
      let form = String(decoding: exchange.body ?? [], as: UTF8.self)
      state.grants.append(form)
      let given = form.split(separator: "&").first { $0.hasPrefix("refresh_token=") }?
        .dropFirst("refresh_token=".count)
      if let given {
        guard let place = state.valid.firstIndex(of: String(given)) else {
          state.refusals.append(String(given))
          return SimulatedResponse(
            status: 400,
            body: Array(#"{"error": "invalid_grant", "error_description": "Token withdrawn"}"#.utf8)
          )
        }
        state.valid.removeFirst(place)
        state.valid = [String(given)]
      }
      state.issued += 1
      state.valid.append("r-\(state.issued)")
      let refresh = given == nil ? "" : #", "refresh_token": "r-\#(state.issued)""#
      return SimulatedResponse(
        body: Array(
          #"{"access_token": "a-\#(state.issued)", "expires_in": \#(life)\#(refresh)}"#.utf8),
        latency: .milliseconds(10))
    }
  }

  private static func pipeline(_ credential: String) -> String {
    """
    pipeline: tokens
    inputs:
      password: { type: secret }
      photos: { type: files }
    retry: { standard: { attempts: 3, jitter: none, backoff: { initial: 1s } } }
    credentials: { api: \(credential) }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        concurrency: 4
        steps:
          - id: put
            request: { method: PUT, url: "http://server/${{ photo.name }}", credentials: api }
    """
  }

  private static let clientCredentials = """
    { oauth2: { token_url: "http://server/token", client: me, secret: "${{ inputs.password }}", scope: "a b", parameters: { audience: x } } }
    """
  private static let refreshToken = """
    { oauth2: { token_url: "http://server/token", client: me, refresh_token: "${{ inputs.password }}" } }
    """

  private static func scene(_ credential: String, files: Int) throws -> Scene {
    var scene = try Scene(
      pipeline(credential),
      files: Dictionary(uniqueKeysWithValues: (0..<files).map { ("f\(10 + $0)", 10) }))
    scene.inputs.secrets["password"] = .string("r-0")
    return scene
  }

  @Test func `client credentials are requested once for all items`() throws {
    let server = RotatingServer()
    var run = try Self.scene(Self.clientCredentials, files: 9).run(server.respond)
    #expect(run.simulate() == .rested)
    #expect(run.count(.done) == 9)
    let grants = server.state.withLock(\.grants)
    #expect(grants == ["grant_type=client_credentials&scope=a%20b&audience=x"])
    #expect(run.sent.first == "POST token")
    #expect(run.trace.exchanges.first?.header("Authorization") == "Basic bWU6ci0w")
    #expect(run.pipeline.steps.map(\.id.rawValue) == ["api_token", "put"])
  }

  @Test func `an access token that is refused is renewed once for all`() throws {
    let server = RotatingServer()
    let refused = Mutex(0)
    var run = try Self.scene(Self.refreshToken, files: 6).run { exchange in
      let isFirst = exchange.header("Authorization") == "Bearer a-1"
      guard isFirst, exchange.id.item != nil,
        refused.withLock({
          $0 += 1; return $0 <= 4
        })
      else {
        return server.respond(to: exchange)
      }
      return SimulatedResponse(status: 401, latency: .milliseconds(10))
    }
    #expect(run.simulate() == .rested)
    #expect(run.count(.done) == 6)
    #expect(server.state.withLock(\.grants).count == 2)
    #expect(server.state.withLock(\.refusals).isEmpty)
  }

  @Test func `a rotated refresh token replaces the user's`() throws {
    let server = RotatingServer(life: 60)
    let scene = try Self.scene(
      Self.refreshToken.replacing("me,", with: "me, client_in: body,"), files: 12)
    var run = scene.run { exchange in
      var response = server.respond(to: exchange)
      // Slow enough that the access token expires between items.
      response.latency = .seconds(20)
      return response
    }
    #expect(run.simulate() == .rested)
    #expect(run.count(.done) == 12)
    let grants = server.state.withLock(\.grants)
    #expect(grants.count > 1)
    #expect(grants[0] == "grant_type=refresh_token&refresh_token=r-0&client_id=me")
    #expect(grants[1] == "grant_type=refresh_token&refresh_token=r-1&client_id=me")
  }

  @Test(arguments: [
    (
      #"assertion: { alg: ES256, key: "${{ inputs.password }}", claims: { iss: robot, scope: a } }, scope: b"#,
      "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&scope=b&assertion=",
      #""aud":"http://server/token","iss":"robot","scope":"a","iat":"#
    ),
    (
      #"client: me, client_assertion: { alg: ES256, key: "${{ inputs.password }}" }"#,
      "grant_type=client_credentials&client_assertion_type="
        + "urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer&client_id=me&client_assertion=",
      #""iss":"me","sub":"me","aud":"http://server/token","iat":"#
    ),
    (
      #"client: me, assertion: { alg: ES256, key: "${{ inputs.password }}" }"#,
      "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&client_id=me&assertion=",
      #"{"iss":"me","aud":"http://server/token","iat":"#
    ),
    (
      #"client: me, client_assertion: { alg: ES256, key: "${{ inputs.password }}", claims: { aud: other } }"#,
      "grant_type=client_credentials&", #""iss":"me","sub":"me","aud":"other","iat":"#
    ),
  ])
  func `a key identifies the client, each time with a separate assertion`(
    keys: String, form: String, claims: String
  ) throws {
    let server = RotatingServer(life: 60)
    let scene = try Self.scene(
      "{ oauth2: { token_url: \"http://server/token\", \(keys) } }", files: 12)
    var run = scene.run { exchange in
      var response = server.respond(to: exchange)
      response.latency = .seconds(20)
      return response
    }
    #expect(run.simulate() == .rested)
    #expect(run.count(.done) == 12)
    let grants = server.state.withLock(\.grants)
    #expect(grants.count > 1)
    #expect(grants.allSatisfy { $0.hasPrefix(form) }, "\(grants)")
    #expect(Set(grants).count == grants.count)
    // The fields of the client are the whole proof.
    #expect(run.trace.exchanges.first?.header("Authorization") == nil)
    let token = try #require(grants[0].split(separator: "=").last)
    let payload = try #require(token.split(separator: ".").dropFirst().first)
    let text = payload.replacing("-", with: "+").replacing("_", with: "/")
    let bytes = try #require(
      Base64.decode(text + String(repeating: "=", count: (4 - text.count % 4) % 4)))
    let read = String(decoding: bytes, as: UTF8.self)
    #expect(read.contains(claims) && read.contains(#""jti":""#), "\(read)")
  }

  /// Ends the process at one crash point.
  private struct OneCrash: FaultHooks {
    let at: Int
    var count = 0
    mutating func endsProcess(at point: CrashPoint) -> Bool {
      count += 1
      return count == at
    }
  }

  @Test func `a server that rotates refresh tokens never locks a run out, wherever it is killed`()
    throws
  {
    var crashes = 0
    for point in 1...400 {
      let server = RotatingServer(life: 60)
      var settings = SimulatedRun.Settings()
      settings.faultHooks = OneCrash(at: point)
      settings.isTraced = false
      var run = try Self.scene(Self.refreshToken, files: 8).run(settings: settings) { exchange in
        var response = server.respond(to: exchange)
        response.latency = .seconds(20)
        return response
      }
      #expect(run.simulate() == .rested)
      #expect(run.count(.done) == 8, "killed at point \(point)")
      #expect(server.state.withLock(\.refusals).isEmpty, "killed at point \(point)")
      guard let hooks = run.faultHooks as? OneCrash, hooks.count >= point else { break }
      crashes = point
    }
    #expect(crashes > 20)
  }

  @Test func `a refusal reports where to sign in again, in the server's words`() throws {
    let server = RotatingServer()
    var scene = try Self.scene(Self.refreshToken, files: 1)
    scene.inputs.secrets["password"] = .string("revoked")
    var run = scene.run(server.respond)
    run.simulate()
    #expect(run.state?.status == .paused)
    #expect(
      run.state?.frame[0].failure?.message
        == "the authorization server refuses 'api': invalid_grant (Token withdrawn); sign in again, and pass the new refresh token"
    )
  }

  /// The token that the token step of a finished run would send,
  /// if the store kept `stored` and the user passed `given`.
  private static func next(
    after run: SimulatedRun, stored: StoredCredential?, given: String
  ) throws -> (begins: Interpreter.SignInBeginning, interpreter: Interpreter) {
    var state = try #require(run.state)
    state.secrets["password"] = .string(given)
    state.frame[0].previous = state.frame[0].outputs
    state.frame[0].outputs = []
    let step = run.pipeline.steps[0]
    let command = Command(
      id: EffectID(
        run: state.id, item: nil, target: .step(0, generation: 2), attempt: 1),
      action: .attempt(reservedBytes: 0), scope: Scope(state, item: nil, now: run.now))
    let interpreter = Interpreter(Evaluator(run.pipeline))
    let (signIn, id) = try #require(try interpreter.signIn(of: command))
    #expect(id.tokenURL == "http://server/token" && id.client == "me" && step.signIn == signIn)
    return (interpreter.begin(command, of: signIn, id, stored: stored), interpreter)
  }

  @Test(arguments: [
    ("r-0", "r-9", "refresh_token=r-9"),
    // Someone has signed in again.
    ("fresh", nil, "refresh_token=fresh"),
    ("fresh", "r-9", "refresh_token=r-9"),
  ])
  func `the stored sign-in is sent, or without one the user's newer token`(
    given: String, stored: String?, sent: String
  ) throws {
    var run = try Self.scene(Self.refreshToken, files: 1).run(RotatingServer().respond)
    run.simulate()
    let (begins, interpreter) = try Self.next(
      after: run, stored: stored.map { StoredCredential(token: $0) }, given: given)
    guard case .perform(let command) = begins,
      case .send(let request) = interpreter.operation(for: command)
    else {
      Issue.record("\(begins)")
      return
    }
    #expect(String(decoding: request.body, as: UTF8.self).contains(sent))
  }

  @Test func `a used token is never sent again, even if the store has lost its replacement`()
    throws
  {
    var run = try Self.scene(Self.refreshToken, files: 1).run(RotatingServer().respond)
    run.simulate()
    let (begins, _) = try Self.next(after: run, stored: nil, given: "r-0")
    guard case .conclude(.pause(let failure), nil) = begins else {
      Issue.record("\(begins)")
      return
    }
    #expect(failure.message.contains("the credential store has no sign-in of 'api'"))
  }

  // MARK: Challenges

  private static let challenge = """
    { challenge: { url: "http://server/v2/", realm: "http://auth/token", scope: "repository:photos:push", \
    basic: { user: me, password: "${{ inputs.password }}" } } }
    """

  @Test func `the token that a challenge asks for is requested with the challenge's service`()
    throws
  {
    var run = try Self.scene(Self.challenge, files: 3).run { exchange in
      switch exchange.request.url {
      case "http://server/v2/":
        SimulatedResponse(
          status: 401,
          headers: [
            .init(
              name: "WWW-Authenticate",
              value: #"Bearer realm="http://evil/token",service="registry, \"one\"",scope="x""#)
          ])
      case let url where url.hasPrefix("http://auth/token"):
        SimulatedResponse(body: Array(#"{"token": "t"}"#.utf8))
      default:
        SimulatedResponse(status: exchange.header("Authorization") == "Bearer t" ? 200 : 403)
      }
    }
    #expect(run.simulate() == .rested)
    #expect(run.count(.done) == 3)
    #expect(
      run.sent.prefix(2) == [
        "GET v2/",
        "GET http://auth/token?service=registry%2C%20%22one%22&scope=repository%3Aphotos%3Apush",
      ])
    #expect(!run.sent.contains { $0.contains("evil") })
  }

  @Test func `a server that requests no token is distinguished`() throws {
    var run = try Self.scene(Self.challenge, files: 1).run { _ in SimulatedResponse() }
    run.simulate()
    #expect(
      run.state?.frame[0].failure?.message
        == "the server requests no token; leave out the credentials 'api'")
  }
}
