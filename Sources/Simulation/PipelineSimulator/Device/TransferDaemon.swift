/// The system's transfer service for one session: a separate queue that outlives the app (TX1–TX24, FQ1–FQ4).
///
/// ``advance(to:)`` returns what happened, and ``due`` is when to call it again. Active transfers share the bandwidth evenly.
public struct TransferDaemon: Sendable {
  /// The parameters, all of which have changed in the past.
  public struct Rules: Hashable, Sendable {
    /// Maximum number of active transfers.
    public var connections: Int
    /// Whether an interrupted upload continues where it was; otherwise it restarts at byte 0 (TX9, TX10).
    public var resumesUploads: Bool
    /// Delay before the first byte even in the foreground (TX22).
    public var startDelay: Duration
    /// Time that the app needs to create a task (TX20).
    public var creationCost: Duration
    /// Number of queued tasks above which the service gets slow (TX21).
    public var softCap: Int
    /// Delay of a task that is created behind a thousand others (TX21).
    public var overload: Duration
    /// Pause before the service retries by itself (undocumented); it doubles with each attempt, up to 10 minutes.
    public var retryPause = Duration.seconds(1)

    /// Typical rules.
    public init(
      connections: Int = 4, resumesUploads: Bool = false, startDelay: Duration = .zero,
      creationCost: Duration = .milliseconds(9), softCap: Int = 100,
      overload: Duration = .seconds(300)
    ) {
      (self.connections, self.resumesUploads) = (connections, resumesUploads)
      (self.startDelay, self.creationCost, self.softCap) = (startDelay, creationCost, softCap)
      self.overload = overload
    }
  }

  /// Why a task cannot be created.
  public enum Refusal: Error, Hashable, Sendable {
    /// The body is not a file (TX1).
    case bodyNotFile
    /// The URL is neither `http` nor `https` (TX2).
    case notHTTP
    /// The session belongs to another process (TX3).
    case notConnected
  }

  /// What happens as time passes.
  public enum Event: Hashable, Sendable {
    /// A task with an earliest start is about to start: the app can cancel it or change its request (TX14).
    case willBegin(EffectID)
    /// The server has the whole request; if the body's file was deleted, an empty one (TX16).
    case requestSent(EffectID, bodyIsEmpty: Bool)
    case failed(EffectID, TransportFailure)
  }

  /// The rules in force.
  public let rules: Rules
  /// Tasks by id, including those that have ended and were not delivered.
  public internal(set) var tasks: [EffectID: TransferTask] = [:]
  /// The device's surroundings.
  public internal(set) var conditions: DeviceConditions
  /// The day's byte budget (DI4).
  public internal(set) var budget: TransferBudget
  public internal(set) var bytesSent: Double = 0
  /// Bytes sent that must be sent again (TX9).
  public internal(set) var bytesWasted: Double = 0
  /// Time until now during which the resume delay held at least one task (RL4).
  public internal(set) var delayedTime: Duration = .zero
  /// Whether a process receives the session's events (TX3).
  public internal(set) var isConnected = false

  let discretion: Discretion.Rules
  /// Bytes per second that the run's budget allows.
  var limit: Int64?
  var now: Instant
  var sequence = 0
  /// Whether the user has unlocked the device since it started.
  public internal(set) var isUnlockedSinceBoot = true
  /// Active tasks, in the order of their start; at most as many as there are connections.
  var sending: [EffectID] = []
  /// Waiting tasks whose time has come, by priority and age.
  var ready: [EffectID] = []
  /// Waiting tasks whose time has not come, and deadlines of open ones; stale entries are skipped.
  var begins = Agenda<EffectID>()
  var deadlines = Agenda<EffectID>()
  var openCount = 0
  var completeCount = 0
  var askingCount = 0
  /// Tasks that wait for the app's decision at their start, each with a connection reserved.
  var beginningCount = 0
  /// When the resume delay stops holding all tasks created so far.
  var delayedUntil: Instant
  var needsStart = false

  /// A service without tasks.
  public init(
    _ rules: Rules = Rules(), discretion: Discretion.Rules = .init(),
    budget: TransferBudget.Rules = .init(), conditions: DeviceConditions = .init(), at now: Instant
  ) {
    (self.rules, self.discretion) = (rules, discretion)
    self.budget = TransferBudget(budget)
    (self.conditions, self.now) = (conditions, now)
    delayedUntil = now
  }

  // MARK: The session

  /// A process creates the session; `false` if another one has it, which keeps receiving its events (TX3).
  public mutating func connect() -> Bool {
    guard !isConnected else { return false }
    isConnected = true
    return true
  }

  /// The process has ended; nothing is cancelled (FQ4).
  public mutating func disconnect() { isConnected = false }

  /// Whether tasks have ended without the app knowing.
  public var hasCompletions: Bool { completeCount > 0 }

  /// Whether all tasks have ended, some without the app knowing: then it is resumed once (TX5).
  public var isDrained: Bool { completeCount > 0 && openCount == 0 }

  /// Delivers all completions at once, in the order of the tasks (TX5), also those that an earlier process missed (TX4).
  public mutating func takeCompletions() -> [(id: EffectID, failure: TransportFailure?)] {
    guard isConnected, hasCompletions else { return [] }
    let complete = byAge.compactMap { task -> (id: EffectID, failure: TransportFailure?)? in
      if case .complete(let failure) = task.state { (task.request.id, failure) } else { nil }
    }
    for (id, _) in complete { tasks[id] = nil }
    completeCount = 0
    return complete
  }

  /// The tasks that the session lists, including those cancelled by a force quit (FQ2).
  public var listing: [EffectID] { byAge.map(\.request.id) }
  private var byAge: [TransferTask] { tasks.values.sorted { $0.sequence < $1.sequence } }

  // MARK: Tasks

  /// Creates a task, which the resume delay holds until `start` (RL4); returns the time that this costs the app (TX20).
  @discardableResult public mutating func create(
    _ request: TransferRequest, at now: Instant, inBackground: Bool, start: Instant
  ) throws(Refusal) -> Duration {
    guard isConnected else { throw .notConnected }
    let bytes: Int64
    switch request.body {
    case .file(let size), .download(let size): bytes = size
    case .memory: throw .bodyNotFile
    }
    let scheme = request.url.prefix(8).lowercased()
    guard scheme.hasPrefix("http://") || scheme.hasPrefix("https://") else { throw .notHTTP }
    // Earlier time belongs to other tasks, or to none: an idle service had nothing to do.
    flow(to: now)
    var notBefore = now + rules.startDelay
    var reason = TransferHold.startDelay
    func hold(_ instant: Instant, _ hold: TransferHold) {
      if instant > notBefore { (notBefore, reason) = (instant, hold) }
    }
    if openCount >= rules.softCap {
      let delay = Double(rules.overload.milliseconds) * Double(openCount) / 1000
      hold(now + .clamped(milliseconds: delay), .queueTooLong)
    }
    hold(start, .resumeDelay)
    if reason == .resumeDelay { delayedUntil = max(delayedUntil, notBefore) }
    if let earliest = request.earliestBegin { hold(earliest, .earliestBegin) }
    sequence += 1
    let task = TransferTask(
      request: request, created: now, state: .waiting, bytes: bytes, sequence: sequence,
      discretion: Discretion(
        discretion, isAsked: request.isDiscretionary, isFromBackground: inBackground,
        networks: request.networks), notBefore: notBefore, reason: reason)
    tasks[request.id] = task
    openCount += 1
    deadlines.schedule(request.id, at: task.deadline)
    line(up: task, at: now)
    return rules.creationCost
  }

  /// The app cancels a task.
  public mutating func cancel(_ id: EffectID) {
    guard let task = leave(id, as: nil) else { return }
    bytesWasted += task.sentBytes
    tasks[id] = nil
    prune()
  }

  /// The server has responded, so the task ends, regardless of the status (TX12).
  ///
  /// If the file is unreadable because the device is locked, this is reported as a failure, although it was sent (TX18).
  public mutating func answered(_ id: EffectID) {
    guard let task = tasks[id], task.state == .sent else { return }
    var failure: TransportFailure?
    if task.request.isProtected, conditions.isLocked {
      failure = TransportFailure(
        .fileUnreadable, message: "operation not permitted while the device is locked",
        mayHaveBeenSent: true)
    }
    leave(id, as: .complete(failure))
    prune()
  }

  /// Counts the bytes that a task has sent as bytes to be sent again.
  mutating func sentInVain(_ id: EffectID) { bytesWasted += tasks[id]?.sentBytes ?? 0 }

  /// The connection broke before the response arrived: the service retries without notifying the app (TX7).
  public mutating func connectionLost(_ id: EffectID) {
    guard let task = tasks[id], task.state == .sent || task.state == .sending else { return }
    let pause = Double(rules.retryPause.milliseconds) * Double(1 << min(task.attempts - 1, 20))
    let held = min(pause, Double(Self.longestPause.milliseconds))
    interrupt(id, notBefore: now + .clamped(milliseconds: held), .brokenConnection)
  }

  private static let longestPause = Duration.seconds(600)

  // MARK: The app and the system

  /// The response is a challenge that the app can answer: the task stalls instead of ending (TX12, RL5).
  public mutating func challenged(_ id: EffectID) {
    guard tasks[id]?.state == .sent else { return }
    tasks[id]?.state = .asking(.challenge)
    askingCount += 1
  }

  /// The tasks that wait for the app's decision, in the order of their creation.
  public var asking: [(id: EffectID, renewal: Renewal)] {
    guard askingCount > 0 else { return [] }
    return byAge.compactMap { task in
      if case .asking(let renewal) = task.state { (task.request.id, renewal) } else { nil }
    }
  }

  /// The app has decided: the task continues, without a resume delay (RL4, RL5); without new credentials, a challenge ends it.
  public mutating func renewed(_ id: EffectID, isAnew: Bool, at now: Instant) {
    guard let task = tasks[id], case .asking(let renewal) = task.state else { return }
    flow(to: now)
    askingCount -= 1
    if renewal == .begin { beginningCount -= 1 }
    guard isAnew || renewal == .begin else {
      tasks[id]?.state = .sent
      answered(id)
      return
    }
    // A refused transfer is sent again from its first byte.
    bytesWasted += task.sentBytes
    var next = task
    next.sentBytes = 0
    next.state = .waiting
    next.notBefore = now
    next.reason = .connections
    tasks[id] = next
    line(up: next, at: now)
  }

  /// The app comes to the foreground: transfers that became discretionary no longer are (DI2).
  public mutating func appCameToFront() {
    for id in tasks.keys { tasks[id]?.discretion.appCameToFront() }
    needsStart = true
  }

  /// The user swipes the app away: every task is cancelled, and stays listed until the next launch (FQ1, FQ2).
  public mutating func forceQuit() {
    isConnected = false
    for task in ordered where task.isOpen {
      bytesWasted += task.sentBytes
      leave(task.request.id, as: .dead)
    }
    prune()
  }

  /// The app is opened again: cancelled tasks now fail (FQ2).
  public mutating func appOpened() {
    let failure = TransportFailure(
      .interrupted, message: "cancelled because the user quit the app", mayHaveBeenSent: true)
    for (id, task) in tasks where task.state == .dead { leave(id, as: .complete(failure)) }
  }

  /// A task disappears without an event and is no longer listed (FQ3).
  public mutating func lose(_ id: EffectID) {
    leave(id, as: nil)
    tasks[id] = nil
    prune()
  }

  /// The service crashes: active transfers fail, and the received part is unknown (TX19).
  public mutating func crash() {
    let failure = TransportFailure(
      .connectionLost, message: "lost connection to background transfer service",
      mayHaveBeenSent: true)
    for task in ordered where task.isUnderWay {
      bytesWasted += task.sentBytes
      leave(task.request.id, as: .complete(failure))
    }
    prune()
  }

  /// The file of a task is deleted; if the task has not started, it will send an empty body (TX16).
  public mutating func fileDeleted(_ id: EffectID) {
    if let task = tasks[id], task.state == .waiting, case .file = task.request.body {
      tasks[id]?.bytes = 0
    }
  }

  /// The device restarts: the session continues after the first unlock (FQ4).
  public mutating func reboot() {
    isConnected = false
    isUnlockedSinceBoot = false
    for task in ordered where task.state == .sending || task.state == .sent {
      interrupt(task.request.id, notBefore: now)
    }
  }

  /// The device is unlocked.
  public mutating func unlock() {
    isUnlockedSinceBoot = true
    conditions.isLocked = false
    needsStart = true
  }
}
