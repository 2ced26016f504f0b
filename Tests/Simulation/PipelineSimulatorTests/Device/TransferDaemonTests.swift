import PipelineCore
import PipelineScenarios
import PipelineSimulator
import Testing

struct TransferDaemonTests {
  private let start = Instant(milliseconds: 0)

  private func second(_ number: Int64) -> Instant { Instant(milliseconds: number * 1000) }

  private func id(_ number: Int) -> EffectID {
    EffectID(
      run: RunID("r"), item: ItemKey(loop: 0, ordinal: number), step: 0, generation: 1, attempt: 1)
  }

  private func request(
    _ number: Int, bytes: Int64 = 1_000_000,
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) -> TransferRequest {
    var request = TransferRequest(id: id(number), url: "https://h/", body: .file(bytes: bytes))
    change(&request)
    return request
  }

  /// A service with a network of 1 MB/s and a session.
  private func daemon(
    _ rules: TransferDaemon.Rules = .init(), budget: TransferBudget.Rules = .init(),
    conditions: DeviceConditions = .init(bandwidth: 1_000_000)
  ) -> TransferDaemon {
    var daemon = TransferDaemon(rules, budget: budget, conditions: conditions, at: start)
    let isConnected1 = daemon.connect()
    #expect(isConnected1)
    return daemon
  }

  /// Responds to everything that is sent, at once, until `limit`;
  /// returns the transfers with their times.
  private func run(
    _ daemon: inout TransferDaemon, until limit: Int64
  ) -> [(item: Int, second: Int64)] {
    var sent: [(Int, Int64)] = []
    while let due = daemon.due, due <= second(limit) {
      for case .requestSent(let id, _) in daemon.advance(to: due) {
        sent.append((id.item?.ordinal ?? -1, due.milliseconds / 1000))
        daemon.answered(id)
      }
    }
    _ = daemon.advance(to: second(limit))
    return sent
  }

  private func create(
    _ daemon: inout TransferDaemon, _ request: TransferRequest, inBackground: Bool = false,
    start: Instant? = nil
  ) throws {
    try daemon.create(
      request, at: self.start, inBackground: inBackground, start: start ?? self.start)
  }

  @Test func `TX1: a body that is not a file is refused`() {
    var daemon = daemon()
    let request = TransferRequest(id: id(0), url: "https://h/", body: .memory)
    #expect(throws: TransferDaemon.Refusal.bodyNotFile) {
      try create(&daemon, request)
    }
  }

  @Test func `TX2: only http and https are accepted`() {
    var daemon = daemon()
    let request = TransferRequest(id: id(0), url: "ftp://h/", body: .file(bytes: 1))
    #expect(throws: TransferDaemon.Refusal.notHTTP) { try create(&daemon, request) }
  }

  @Test func `TX3: a second session of one identifier gets nothing`() throws {
    var daemon = daemon()
    let isConnected2 = daemon.connect()
    #expect(!isConnected2)
    daemon.disconnect()
    #expect(throws: TransferDaemon.Refusal.notConnected) { try create(&daemon, request(0)) }
    let isConnected3 = daemon.connect()
    #expect(isConnected3)
  }

  @Test func `TX4: a new process gets the completions that the old one did not`() throws {
    var daemon = daemon()
    try create(&daemon, request(0))
    daemon.disconnect()
    _ = run(&daemon, until: 10)
    let none = daemon.takeCompletions()
    #expect(none.isEmpty)
    let isConnected4 = daemon.connect()
    #expect(isConnected4)
    let taken = daemon.takeCompletions().map(\.id)
    #expect(taken == [id(0)])
    let again = daemon.takeCompletions()
    #expect(again.isEmpty)
  }

  @Test func `TX5: the queue is drained only when all tasks have ended, and then comes a burst`()
    throws
  {
    var daemon = daemon()
    for number in 0..<3 {
      try create(&daemon, request(number, bytes: 1_000_000 * Int64(number + 1)))
    }
    _ = run(&daemon, until: 4)
    #expect(daemon.hasCompletions && !daemon.isDrained)
    _ = run(&daemon, until: 10)
    #expect(daemon.isDrained)
    let taken = daemon.takeCompletions().map(\.id)
    #expect(taken == [id(0), id(1), id(2)])
  }

  @Test func `TX7: a broken connection is reopened without the app`() throws {
    var daemon = daemon()
    try create(&daemon, request(0))
    #expect(daemon.advance(to: second(1)) == [.requestSent(id(0), bodyIsEmpty: false)])
    daemon.connectionLost(id(0))
    #expect(!daemon.hasCompletions)
    #expect(daemon.hold(of: id(0)) == .brokenConnection)
    let found = run(&daemon, until: 10).map(\.second)
    #expect(found == [3])
    #expect(daemon.tasks[id(0)]?.attempts == 2)
  }

  @Test func `TX8: the resource timeout ends a task, by default after 7 days`() throws {
    var daemon = daemon(conditions: .init(network: .none))
    try create(&daemon, request(0))
    _ = daemon.advance(to: start)
    #expect(daemon.due == second(7 * 86400))
    let events = daemon.advance(to: second(7 * 86400))
    guard case .failed(let failed, let failure)? = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(failed == id(0) && failure.kind == .timeout && !failure.mayHaveBeenSent)
  }

  @Test func `TX9, TX10: a cut transfer starts at byte 0, except where uploads are resumed`()
    throws
  {
    for (resumes, end, wasted) in [(false, 20, 5_000_000.0), (true, 15, 0)] {
      var daemon = daemon(.init(resumesUploads: resumes))
      try create(&daemon, request(0, bytes: 10_000_000))
      _ = daemon.change(.init(network: .none), at: second(5))
      _ = daemon.change(.init(bandwidth: 1_000_000), at: second(10))
      let found = run(&daemon, until: 100).map(\.second)
      #expect(found == [Int64(end)])
      #expect(daemon.bytesWasted == wasted)
    }
  }

  @Test func `TX12: a response is not a failure, regardless of its status`() throws {
    var daemon = daemon()
    try create(&daemon, request(0))
    _ = run(&daemon, until: 10)
    let completions = daemon.takeCompletions()
    #expect(completions.map(\.id) == [id(0)] && completions[0].failure == nil)
  }

  @Test func `TX13: another header is another task, which the resume delay holds`() throws {
    var daemon = daemon()
    try create(&daemon, request(0), inBackground: true)
    daemon.cancel(id(0))
    #expect(daemon.listing.isEmpty)
    try create(&daemon, request(1), inBackground: true, start: second(120))
    #expect(daemon.hold(of: id(1)) == .resumeDelay)
  }

  @Test func `TX14: nothing starts before its earliest start, which is announced`() throws {
    var daemon = daemon()
    try create(&daemon, request(0) { $0.earliestBegin = second(100) })
    #expect(daemon.advance(to: second(99)) == [])
    #expect(daemon.hold(of: id(0)) == .earliestBegin)
    #expect(daemon.advance(to: second(100)) == [.willBegin(id(0))])
  }

  @Test func `TX16: a file that is missing before the start is sent empty`() throws {
    var daemon = daemon()
    try create(&daemon, request(0) { $0.earliestBegin = second(10) })
    daemon.fileDeleted(id(0))
    #expect(
      daemon.advance(to: second(10)) == [.willBegin(id(0)), .requestSent(id(0), bodyIsEmpty: true)])
  }

  @Test func `TX18: a response about a protected file fails while the device is locked`() throws {
    var daemon = daemon(conditions: .init(bandwidth: 1_000_000, isLocked: true))
    try create(&daemon, request(0) { $0.isProtected = true })
    _ = run(&daemon, until: 10)
    let failure = try #require(daemon.takeCompletions().first?.failure)
    #expect(failure.kind == .fileUnreadable && failure.mayHaveBeenSent)
  }

  @Test func `TX19: when the service crashes, active transfers have an unknown outcome`() throws {
    var daemon = daemon(.init(connections: 1))
    try create(&daemon, request(0))
    try create(&daemon, request(1))
    daemon.crash()
    let none = daemon.takeCompletions()
    #expect(none.isEmpty, "nothing had begun")
    _ = daemon.advance(to: second(1))
    daemon.crash()
    let completions = daemon.takeCompletions()
    #expect(completions.contains { $0.id == id(0) && $0.failure?.mayHaveBeenSent == true })
  }

  @Test func `TX20: creating 400 tasks takes 3.6 s`() throws {
    var daemon = daemon()
    var cost = Duration.zero
    for number in 0..<400 {
      cost += try daemon.create(request(number), at: start, inBackground: false, start: start)
    }
    #expect(cost == .milliseconds(3600))
  }

  @Test func `TX21: after a thousand tasks a new one is stuck for 5 minutes`() throws {
    var daemon = daemon()
    for number in 0...1000 { try create(&daemon, request(number, bytes: 1)) }
    _ = daemon.advance(to: start)
    #expect(daemon.hold(of: id(50)) == .connections)
    #expect(daemon.hold(of: id(1000)) == .queueTooLong)
    #expect(daemon.tasks[id(1000)]?.request.id == id(1000))
    let found = run(&daemon, until: 1000).last?.second
    #expect(found == 300)
  }

  @Test func `TX22: the service may take 30 s before the first byte even in the foreground`() throws
  {
    var daemon = daemon(DeviceProfile.worst.transfers)
    try create(&daemon, request(0))
    let found = run(&daemon, until: 100).map(\.second)
    #expect(found == [31])
  }

  @Test func `TX24: the priority orders the tasks of a session`() throws {
    var daemon = daemon(.init(connections: 1))
    for number in 0..<4 {
      try create(&daemon, request(number) { $0.priority = number == 3 ? 0.9 : 0.5 })
    }
    let found = run(&daemon, until: 100).map(\.item)
    #expect(found == [3, 0, 1, 2])
  }

  @Test func `RL4: a task from the background starts when the resume delay has passed`() throws {
    var daemon = daemon()
    try create(&daemon, request(0), inBackground: true, start: second(240))
    _ = daemon.advance(to: second(100))
    #expect(daemon.hold(of: id(0)) == .resumeDelay)
    let found = run(&daemon, until: 1000).map(\.second)
    #expect(found == [241])
  }

  @Test func `DI4: more than the day's bytes stall for a day`() throws {
    var daemon = daemon(.init(connections: 1), budget: .init(bytes: 3_000_000))
    for number in 0..<5 { try create(&daemon, request(number), inBackground: true) }
    let found = run(&daemon, until: 400_000).map(\.second)
    #expect(found == [1, 2, 3, 86404, 86405])
  }

  @Test func `DI5, DI3: a transfer waits for days, until there is a charger`() throws {
    var daemon = daemon(conditions: .init(bandwidth: 1_000_000, hasPower: false))
    try create(&daemon, request(0), inBackground: true)
    _ = daemon.advance(to: second(3 * 86400))
    #expect(daemon.hold(of: id(0)) == .discretionaryPower)
    _ = daemon.change(.init(bandwidth: 1_000_000), at: second(3 * 86400))
    let found = run(&daemon, until: 4 * 86400).map(\.second)
    #expect(found == [3 * 86400 + 1])
  }

  @Test func `DI8: a network that may not be used stops a transfer in flight`() throws {
    var daemon = daemon()
    try create(&daemon, request(0) { $0.networks.allowsCellular = false })
    _ = daemon.change(.init(network: .cellular), at: start)
    #expect(daemon.hold(of: id(0)) == .networkNotAllowed)
  }

  @Test func `FQ1, FQ2: a force quit cancels all, and they are listed until the next launch`()
    throws
  {
    var daemon = daemon()
    try create(&daemon, request(0))
    daemon.forceQuit()
    #expect(daemon.due == nil && !daemon.isDrained)
    #expect(daemon.listing == [id(0)])
    daemon.appOpened()
    let isConnected5 = daemon.connect()
    #expect(isConnected5)
    let taken = daemon.takeCompletions().map(\.id)
    #expect(taken == [id(0)])
  }

  @Test func `FQ3: a task can vanish without an event`() throws {
    var daemon = daemon()
    try create(&daemon, request(0))
    daemon.lose(id(0))
    #expect(daemon.listing.isEmpty && !daemon.hasCompletions && daemon.due == nil)
  }

  @Test func `FQ4: a kill cancels nothing, and after a reboot the session waits for the unlock`()
    throws
  {
    var daemon = daemon()
    try create(&daemon, request(0, bytes: 10_000_000))
    _ = daemon.advance(to: second(2))
    daemon.disconnect()
    _ = daemon.advance(to: second(3))
    #expect(daemon.tasks[id(0)]?.state == .sending)
    daemon.reboot()
    _ = daemon.advance(to: second(60))
    #expect(daemon.tasks[id(0)]?.sentBytes == 0)
    daemon.unlock()
    let found = run(&daemon, until: 100).map(\.second)
    #expect(found == [70])
  }

  @Test func `transfers under way share the bandwidth`() throws {
    var daemon = daemon()
    try create(&daemon, request(0, bytes: 1_000_000))
    try create(&daemon, request(1, bytes: 3_000_000))
    let found = run(&daemon, until: 100).map(\.second)
    #expect(found == [2, 4])
    #expect(daemon.bytesSent == 4_000_000)
  }
}
