import CEL
import PipelineCore
import PipelineDocument
import PipelineEngine
import PipelineScenarios
import PipelineSimulator
import Testing

/// Questions of the transfer service about requests of queued transfers (TX12, TX14, RL5, RL6).
struct RenewalTests {
  private static let text = """
    pipeline: renewing
    inputs:
      photos: { type: files }
      password: { type: secret }
    steps:
      - id: sign_in
        request: { method: POST, url: "http://server/login" }
        effect: repeatable
        outputs:
          token: { value: "${{ response.json.token }}", secret: true, expires: { in: 10m, skew: 0s } }
      - for_each: photo
        in: ${{ inputs.photos }}
        concurrency: 4
        steps:
          - id: upload
            upload:
              url: "http://server/content/${{ photo.name }}"
              bearer: ${{ steps.sign_in.token }}
              file: ${{ photo }}
              renew: [challenge]
    """

  /// A server whose tokens are valid for 10 min, and whose responses report expiry with a challenge.
  private struct Bouncer: SimulatedServer {
    var issued: [Instant] = []

    mutating func respond(to exchange: SimulatedRequest, for command: Command) -> SimulatedResponse
    {
      if exchange.request.url.hasSuffix("/login") {
        issued.append(exchange.at)
        return SimulatedResponse(body: Array(#"{"token": "t\#(issued.count)"}"#.utf8))
      }
      let number = exchange.header("Authorization").flatMap { Int($0.dropFirst("Bearer t".count)) }
      guard let number, exchange.at < issued[number - 1] + .seconds(600) else {
        return SimulatedResponse(
          status: 401, headers: [.init(name: "WWW-Authenticate", value: "Bearer")])
      }
      return SimulatedResponse()
    }
  }

  private static let begin = (
    from: "renew: [challenge]", to: "renew: [begin]\n          earliest: 1h"
  )

  /// Transfers that are queued in the foreground, and find a network of 100 kB/s an hour later.
  private func run(
    _ profile: DeviceProfile, megabytes: [Int64], _ change: (from: String, to: String)? = nil,
    life: [PhoneDevice.ScheduledLifeEvent] = []
  ) throws -> (run: SimulatedRun, phone: PhoneDevice) {
    let scene = try Scene(
      change.map { Self.text.replacing($0.from, with: $0.to) } ?? Self.text,
      files: Dictionary(
        uniqueKeysWithValues: megabytes.enumerated().map { ("\($0).mov", $1 * 1_000_000) }))
    var settings = SimulatedRun.Settings()
    settings.limit = .seconds(20 * 86400)
    let evening = PhoneDevice.ScheduledLifeEvent(
      after: .seconds(3600), .conditions(.init(bandwidth: 100_000)))
    let phone = PhoneDevice(
      profile, life: [.init(after: .seconds(10), .leaveApp), evening] + life,
      from: settings.start, conditions: .init(network: .none, bandwidth: 100_000))
    var run = SimulatedRun(
      scene.pipeline, inputs: scene.inputs, server: Bouncer(), device: phone, disk: scene.disk,
      settings: settings)
    run.simulate()
    return (run, try #require(run.device as? PhoneDevice))
  }

  private func transfers(_ run: SimulatedRun) -> Int {
    run.trace.events.count { if case .transferQueued = $0.fact { true } else { false } }
  }

  private func questions(_ run: SimulatedRun) -> [Duration] {
    run.trace.events.filter { if case .asked = $0.fact { true } else { false } }
      .map { $0.at - run.start }
  }

  private func challenges(_ run: SimulatedRun) -> [Duration] {
    run.trace.events.filter {
      if case .answered(_, let response) = $0.fact { response.isChallenge } else { false }
    }
    .map { $0.at - run.start }
  }

  /// 100 MB take 1000 s, longer than any token is valid on the server; the app assumes a day.
  @Test func `TX12: a second refusal is the transfer's response, and it is queued again`() throws {
    let (run, phone) = try run(.ios8, megabytes: [100], ("in: 10m", "in: 1d"))
    let first = try #require(run.trace.exchanges.first { $0.file != nil }).id
    let renewed = run.trace.events.compactMap { event in
      if case .renewed(first, let isAnew) = event.fact { isAnew } else { nil }
    }
    #expect(renewed == [true, false])
    #expect(transfers(run) > 1)
    #expect(phone.addedWait(at: run.now) > .zero)
  }

  @Test func `FQ1: swiping the app away ends a question too`() throws {
    let (run, _) = try run(
      .ios17, megabytes: [10], Self.begin,
      life: [
        .init(after: .seconds(1000), .forceQuit), .init(after: .seconds(9000), .openApp),
      ])
    #expect(run.outcome == .rested)
    #expect(run.count(.done) == 1)
    #expect(transfers(run) == 2)
  }

  /// The first challenge makes the delay, which the second one meets: 10 and 20 MB share the network, so
  /// that the first is refused after 200 s.
  @Test(arguments: [(DeviceProfile.ios8, 0), (.ios7, 60)])
  func `RL5: a challenge resumes the app at once, but on iOS 7 after the delay`(
    profile: DeviceProfile, delay: Int
  ) throws {
    let (run, _) = try run(profile, megabytes: [10, 20])
    let (challenges, questions) = (challenges(run), questions(run))
    try #require(challenges.count == 2 && questions.count == 2)
    #expect(challenges[0] == .seconds(3800))
    #expect(questions[0] == challenges[0])
    #expect(questions[1] - challenges[1] == .seconds(delay))
    #expect(run.count(.done) == 2)
  }

  @Test func `RL6, RL4: the resumes for challenges count, and no transfer is queued for them`()
    throws
  {
    let (run, phone) = try run(.ios8, megabytes: [10, 20])
    let delays = run.trace.events.compactMap { event in
      if case .device(.woken(let delay)) = event.fact { delay.components.seconds } else { nil }
    }
    #expect(delays == [60, 120, 240])
    #expect(transfers(run) == 2)
    #expect(phone.addedWait(at: run.now) == .zero)
    #expect(phone.daemon.bytesWasted == 30_000_000)
    #expect(run.trace.exchanges.count { $0.request.url.hasSuffix("/login") } == 2)
  }

  @Test(arguments: [(DeviceProfile.ios17, 0), (.worst, 60)])
  func `TX14: a delayed transfer wakes the app at its start, and counts on the worst device`(
    profile: DeviceProfile, delay: Int
  ) throws {
    // The other faults of the worst device do not matter here.
    var quiet = DeviceProfile.ios17
    quiet.limiter = profile.limiter
    let (run, phone) = try run(quiet, megabytes: [10], Self.begin)
    #expect(questions(run).count == 1)
    #expect(questions(run).first.map { $0 >= .seconds(3600) } == true)
    let woken = run.trace.events.first { if case .device(.woken) = $0.fact { true } else { false } }
    #expect(woken?.fact == .device(.woken(delay: .seconds(delay))))
    let sent = try #require(run.trace.exchanges.first { $0.file != nil })
    #expect(sent.header("Authorization") == "Bearer t2")
    #expect(phone.daemon.bytesWasted == 0)
  }

  @Test func `FQ4: a transfer that outlived its process asks the next one`() throws {
    let (run, _) = try run(
      .ios17, megabytes: [10], Self.begin, life: [.init(after: .seconds(1000), .systemKill)])
    #expect(questions(run).count == 1)
    #expect(transfers(run) == 1)
    #expect(run.count(.done) == 1)
    #expect(run.trace.events.contains { $0.fact == .processBegan(resumed: true) })
  }

  @Test func `if a process ends between question and reply, the next one is asked`()
    throws
  {
    let (calm, _) = try run(.ios17, megabytes: [10])
    let asked = try #require(questions(calm).first)
    // The sign-in is instantaneous here; the end comes with the question.
    let (run, _) = try run(
      .ios17, megabytes: [10], life: [.init(after: asked, .systemKill)])
    #expect(run.count(.done) == 1)
    #expect(transfers(run) == 1)
    #expect(run.trace.events.contains { $0.fact == .processEnded })
  }
}
