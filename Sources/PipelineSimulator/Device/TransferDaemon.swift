public import PipelineCore

/// The system's transfer service for one session: a queue of its own that outlives the app (TX1–TX24,
/// FQ1–FQ4).
///
/// A value: ``advance(to:)`` lets time pass and says what happened, ``due`` when to ask again. The
/// transfers under way share the bandwidth evenly.
public struct TransferDaemon: Sendable {
  /// The numbers, all of which have changed in the past.
  public struct Rules: Hashable, Sendable {
    /// Transfers under way at once.
    public var connections: Int
    /// Whether an upload that was cut off goes on where it was; else it begins at byte 0 (TX9, TX10).
    public var resumesUploads: Bool
    /// Time before the first byte even in the foreground (TX22).
    public var startDelay: Duration
    /// Time that creating a task takes the app (TX20).
    public var creationCost: Duration
    /// Queued tasks beyond which the service gets slow (TX21).
    public var softCap: Int
    /// Delay of a task that is created behind a thousand others (TX21).
    public var overload: Duration
    /// Pause before the service tries again by itself; it doubles with each attempt, up to 10 minutes
    /// (no source tells the real pauses).
    public var retryPause = Duration.seconds(1)

    /// Usual rules.
    public init(
      connections: Int = 4, resumesUploads: Bool = false, startDelay: Duration = .zero,
      creationCost: Duration = .milliseconds(9), softCap: Int = 100,
      overload: Duration = .seconds(300)
    ) {
      self.connections = connections
      self.resumesUploads = resumesUploads
      self.startDelay = startDelay
      self.creationCost = creationCost
      self.softCap = softCap
      self.overload = overload
    }
  }

  /// Why a task cannot be created.
  public enum Refusal: Error, Hashable, Sendable {
    /// The body is not a file (TX1).
    case bodyNotFile
    /// The URL is neither `http` nor `https` (TX2).
    case notHTTP
    /// The process is not the one that the session belongs to (TX3).
    case notConnected
  }

  /// What happens as time passes.
  public enum Event: Hashable, Sendable {
    /// A task with an earliest begin is about to begin: the one moment at which it can still be
    /// cancelled for a better one, or go on with another request (TX14).
    case willBegin(EffectID)
    /// The server has the whole request; of a body whose file was gone, nothing (TX16).
    case requestSent(EffectID, bodyIsEmpty: Bool)
    /// The task is over without an answer.
    case failed(EffectID, TransportFailure)
  }

  /// The rules it goes by.
  public let rules: Rules
  /// Tasks by id; also those that are over and not delivered.
  public internal(set) var tasks: [EffectID: TransferTask] = [:]
  /// What surrounds the device.
  public internal(set) var conditions: DeviceConditions
  /// The day's bytes (DI4).
  public internal(set) var budget: TransferBudget
  /// Bytes that went out.
  public internal(set) var bytesSent: Double = 0
  /// Bytes that went out and have to go out again (TX9).
  public internal(set) var bytesWasted: Double = 0
  /// Time in which the resume delay held at least one task (RL4), up to now.
  public internal(set) var delayedTime: Duration = .zero
  /// Whether a process receives the session's events (TX3).
  public internal(set) var isConnected = false

  let discretion: Discretion.Rules
  var now: Instant
  var sequence = 0
  /// Whether the person has unlocked the device since it started.
  public internal(set) var isUnlockedSinceBoot = true
  /// Tasks under way, in the order of their start; at most as many as there are connections.
  var sending: [EffectID] = []
  /// Waiting tasks whose time has come, by priority and age.
  var ready: [EffectID] = []
  /// Waiting tasks whose time has not come, and the ends of all open ones; entries whose task has
  /// moved on are skipped.
  var begins = Agenda<EffectID>()
  var deadlines = Agenda<EffectID>()
  var openCount = 0
  var completeCount = 0
  var askingCount = 0
  /// Tasks that wait for the app's word at their begin, each with a connection kept for it.
  var beginningCount = 0
  /// When the resume delay holds no task any more that was created so far.
  var delayedUntil: Instant
  /// Whether a waiting task may have got a chance.
  var needsStart = false

  /// A service without tasks.
  public init(
    _ rules: Rules = Rules(), discretion: Discretion.Rules = .init(),
    budget: TransferBudget.Rules = .init(), conditions: DeviceConditions = .init(), at now: Instant
  ) {
    self.rules = rules
    self.discretion = discretion
    self.budget = TransferBudget(budget)
    self.conditions = conditions
    self.now = now
    delayedUntil = now
  }

  // MARK: The session

  /// A process makes the session with this identifier; `false` where another one has it, and the
  /// new one will get no events (TX3).
  public mutating func connect() -> Bool {
    guard !isConnected else { return false }
    isConnected = true
    return true
  }

  /// The process is gone; nothing is cancelled (FQ4).
  public mutating func disconnect() { isConnected = false }

  /// Whether tasks are over of which the app does not know.
  public var hasCompletions: Bool { completeCount > 0 }

  /// Whether all tasks are over, and some of them without the app's knowing: then the app is resumed
  /// once for all of them (TX5).
  public var isDrained: Bool { completeCount > 0 && openCount == 0 }

  /// Hands all completions over in a burst, in the order of the tasks (TX5); a new process of the same
  /// identifier gets those that the old one did not (TX4).
  public mutating func takeCompletions() -> [(id: EffectID, failure: TransportFailure?)] {
    guard isConnected, hasCompletions else { return [] }
    let complete = tasks.values.sorted { $0.sequence < $1.sequence }.compactMap {
      task -> (id: EffectID, failure: TransportFailure?)? in
      guard case .complete(let failure) = task.state else { return nil }
      return (task.request.id, failure)
    }
    for (id, _) in complete { tasks[id] = nil }
    completeCount = 0
    return complete
  }

  /// The tasks that the session lists, dead ones among them (FQ2).
  public var listing: [EffectID] {
    tasks.values.sorted { $0.sequence < $1.sequence }.map(\.request.id)
  }

  // MARK: Tasks

  /// Creates a task; in the background, the resume delay holds it until `start` (RL4).
  ///
  /// - Returns: time that the call takes the app (TX20).
  @discardableResult
  public mutating func create(
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
    // The time before belongs to other tasks, or to none: nothing had to be done on an idle line.
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

  /// The app gives a task up.
  public mutating func cancel(_ id: EffectID) {
    guard let task = leave(id, as: nil) else { return }
    bytesWasted += task.sentBytes
    tasks[id] = nil
    prune()
  }

  /// The server's answer is there: the task is over, whatever the status (TX12).
  ///
  /// The answer to a file that cannot be read while the device is locked comes out as a failure,
  /// though the server has taken it (TX18).
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

  /// What went out of a task has to go out again, whatever becomes of it.
  mutating func sentInVain(_ id: EffectID) { bytesWasted += tasks[id]?.sentBytes ?? 0 }

  /// The connection broke before the answer came: the service tries again by itself, without telling
  /// the app (TX7).
  public mutating func connectionLost(_ id: EffectID) {
    guard let task = tasks[id], task.state == .sent || task.state == .sending else { return }
    let pause = Double(rules.retryPause.milliseconds) * Double(1 << min(task.attempts - 1, 20))
    let held = min(pause, Double(Self.longestPause.milliseconds))
    interrupt(id, notBefore: now + .clamped(milliseconds: held), .brokenConnection)
  }

  private static let longestPause = Duration.seconds(600)

  // MARK: The app and the system

  /// The server's answer is a challenge that the app can answer: the task stalls, and is not over
  /// (TX12, RL5).
  public mutating func challenged(_ id: EffectID) {
    guard tasks[id]?.state == .sent else { return }
    tasks[id]?.state = .asking(.challenge)
    askingCount += 1
  }

  /// The tasks that wait for the app's word, in the order of their creation.
  public var asking: [(id: EffectID, renewal: Renewal)] {
    guard askingCount > 0 else { return [] }
    return tasks.values.sorted { $0.sequence < $1.sequence }.compactMap { task in
      guard case .asking(let renewal) = task.state else { return nil }
      return (task.request.id, renewal)
    }
  }

  /// The app has answered: the same task goes on, with its request anew or as it was; a challenge
  /// that has no better answer is the task's end.
  ///
  /// It is no new task, so that no resume delay holds it (RL4, RL5).
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
    // What was refused goes out again from its first byte.
    bytesWasted += task.sentBytes
    var next = task
    next.sentBytes = 0
    next.state = .waiting
    next.notBefore = now
    next.reason = .connections
    tasks[id] = next
    line(up: next, at: now)
  }

  /// The app comes to the front: what its background transfers were inferred to be, they are no
  /// longer (DI2).
  public mutating func appCameToFront() {
    for id in tasks.keys { tasks[id]?.discretion.appCameToFront() }
    needsStart = true
  }

  /// A person swipes the app away: every task is cancelled, and stays listed until the next launch
  /// (FQ1, FQ2).
  public mutating func forceQuit() {
    isConnected = false
    for task in ordered where task.isOpen {
      bytesWasted += task.sentBytes
      leave(task.request.id, as: .dead)
    }
    prune()
  }

  /// The app is opened again: dead tasks now fail (FQ2).
  public mutating func appOpened() {
    let failure = TransportFailure(
      .interrupted, message: "cancelled by the person who quit the app", mayHaveBeenSent: true)
    for (id, task) in tasks where task.state == .dead { leave(id, as: .complete(failure)) }
  }

  /// A task is gone without an event and without being listed (FQ3).
  public mutating func lose(_ id: EffectID) {
    leave(id, as: nil)
    tasks[id] = nil
    prune()
  }

  /// The service itself dies: what was under way fails, and nobody knows what the server took
  /// (TX19).
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

  /// The file of a task is deleted; where it has not begun, it will go out empty (TX16).
  public mutating func fileDeleted(_ id: EffectID) {
    guard let task = tasks[id], task.state == .waiting, case .file = task.request.body else {
      return
    }
    tasks[id]?.bytes = 0
  }

  /// The device starts anew: the session goes on after the first unlock (FQ4).
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
