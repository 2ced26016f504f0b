/// A phone with the app in the foreground; a list of ``LifeEvent``s contains the actions of
/// users and the environment.
public struct PhoneDevice: DeviceModel {
  /// Something that a user, the system or the world does.
  public enum LifeEvent: Hashable, Sendable {
    /// The user brings the app to the foreground; it is launched if it is not in memory.
    case openApp
    case leaveApp
    /// The user swipes the app away (FQ1).
    case forceQuit
    /// The system needs the app's memory (FQ4).
    case systemKill
    /// The device restarts, locked (FQ4).
    case reboot
    case unlock
    case conditions(DeviceConditions)
    /// The transfer service itself crashes (TX19).
    case serviceCrash
    /// The user installs an update: the process ends, and absolute paths change (TX17).
    case updateApp
    /// The oldest task vanishes from the transfer service (FQ3).
    case loseTask
    /// A second session with the same identifier is created, and receives the app's events (TX3).
    case secondSession
  }

  /// A life event and its time after the start.
  public struct ScheduledLifeEvent: Hashable, Sendable {
    /// Time after the start.
    public let after: Duration
    /// What happens.
    public let event: LifeEvent

    /// Adds a time to an event.
    public init(after: Duration, _ event: LifeEvent) { (self.after, self.event) = (after, event) }
  }

  /// Counters.
  public struct Counts: Hashable, Sendable {
    /// Resumes and relaunches by the transfer service.
    public var wakes = 0
    /// Times that the process was killed.
    public var kills = 0
  }

  /// The parameters in force.
  public let profile: DeviceProfile
  public internal(set) var allowance: ExecutionAllowance
  /// The resume delay.
  public internal(set) var limiter: ResumeRateLimiter
  /// The transfer service.
  public internal(set) var daemon: TransferDaemon
  /// Counters.
  public internal(set) var counts = Counts()

  private let life: [ScheduledLifeEvent]
  private let start: Instant
  private var nextMoment = 0
  var isProcessAlive = true
  /// Whether only the user can launch the app again (FQ1).
  var isForceQuit = false
  var isChallenged = false
  /// Tasks that this process was asked about.
  var askedTasks: Set<EffectID> = []
  /// Whether another session with the same identifier receives the app's events (TX3).
  private(set) var isSessionDuplicated = false
  /// Whether the process has claimed tasks of an earlier one.
  var isSessionAdopted = true
  var resumeAt: Instant?
  /// Since when a resume is delayed (RL4 of iOS 7), and for how long resumes were delayed in all.
  var delayedSince: Instant?
  var delayedResumes = Duration.zero
  private var alarmAt: Instant?

  /// A phone that starts at `start`; `life` is sorted by time.
  public init(
    _ profile: DeviceProfile, life: [ScheduledLifeEvent], from start: Instant,
    conditions: DeviceConditions = .init(), seed: UInt64 = 1
  ) {
    self.profile = profile
    self.life = life.enumerated().sorted {
      ($0.element.after, $0.offset) < ($1.element.after, $1.offset)
    }.map(\.element)
    self.start = start
    allowance = ExecutionAllowance(profile.allowance, seed: seed)
    limiter = ResumeRateLimiter(profile.limiter)
    daemon = TransferDaemon(
      profile.transfers, discretion: profile.discretion, budget: profile.budget,
      conditions: conditions, at: start)
  }

  /// The network may be slower.
  public mutating func limitTransfers(toBytesPerSecond bytes: Int64) { daemon.limit = bytes }

  private var isInFront: Bool { allowance.state == .unlimited }

  // MARK: Calls from the run

  /// A process recreates the session, and receives no events before it has claimed its tasks.
  public mutating func processBegan(at now: Instant) -> [DeviceAction] {
    isProcessAlive = true
    askedTasks = []
    isSessionDuplicated = false
    daemon.disconnect()
    _ = daemon.connect()
    isSessionAdopted = daemon.listing.isEmpty
    var actions: [DeviceAction] = []
    // The new process must be informed of its conditions, because they are not stored.
    if case .limited(let until, _) = allowance.state {
      actions.append(.change(.granted(until: until)))
    }
    return actions + proceed(at: now)
  }

  /// Hands the session's tasks over to a new process (TX4): others are cancelled, and unlisted ones have vanished (FQ3).
  public mutating func transfersAdopted(_ wanted: [EffectID], at now: Instant) -> [DeviceAction] {
    isSessionAdopted = true
    let listing = daemon.listing
    for id in listing where !wanted.contains(id) { daemon.cancel(id) }
    let vanished = wanted.filter { !listing.contains($0) }
    return vanished.map { .failTransfer($0, .unknownTransfer) } + proceed(at: now)
  }

  /// Handles everything that may be due.
  public mutating func alarmFired(_ alarm: Int, at now: Instant) -> [DeviceAction] {
    proceed(at: now)
  }

  /// Creates a task (TX1, RL4).
  public mutating func transferQueued(_ transfer: QueuedTransfer, at now: Instant) -> [DeviceAction]
  {
    let begin = limiter.start(ofTaskCreatedAt: now, inBackground: !isInFront)
    let request = TransferRequest(transfer)
    do throws(TransferDaemon.Refusal) {
      try daemon.create(request, at: now, inBackground: !isInFront, start: begin)
    } catch {
      let failure = TransportFailure(
        .badURL,
        message: error == .bodyNotFile
          ? "a background upload accepts only a file (TX1), and this body exists only in memory"
          : "\(error)", mayHaveBeenSent: false)
      return [.failTransfer(transfer.id, failure)]
    }
    return proceed(at: now)
  }

  /// Accepts a response; the service retries by itself after a broken connection (TX7).
  public mutating func transferAnswered(_ id: EffectID, _ response: Response, at now: Instant)
    -> [DeviceAction]
  {
    var actions = move(to: now)
    switch response.error?.kind {
    case nil:
      if response.isChallenge, daemon.tasks[id]?.request.renewals.contains(.challenge) == true {
        daemon.challenged(id)
      } else {
        daemon.answered(id)
        // An app that does not handle challenges is still resumed for them (TX12).
        if response.isChallenge { isChallenged = true }
      }
    case .connectionLost?, .connectionRefused?, .nameNotResolved?, .networkUnavailable?,
      .tooManyOpenFiles?, .timeout?:
      daemon.connectionLost(id)
    case .fileChanged?, .fileUnreadable?:
      daemon.sentInVain(id)
      daemon.answered(id)
    case .tls?, .badURL?, .responseTooLarge?, .notAllowed?, .interrupted?: daemon.answered(id)
    }
    actions += proceed(at: now)
    return actions
  }

  /// Lets a task continue that asked for a request.
  public mutating func transferRenewed(_ id: EffectID, isAnew: Bool, at now: Instant)
    -> [DeviceAction]
  {
    askedTasks.remove(id)
    daemon.renewed(id, isAnew: isAnew, at: now)
    return proceed(at: now)
  }

  mutating func fileDeleted(_ id: EffectID) { daemon.fileDeleted(id) }

  /// Cancels a task.
  public mutating func transferCancelled(_ id: EffectID, at now: Instant) -> [DeviceAction] {
    daemon.cancel(id)
    return proceed(at: now)
  }

  /// The process has ended its assertion in time (BT4).
  public mutating func processSuspended(transfers: Int, at now: Instant) -> [DeviceAction] {
    _ = allowance.endAssertion()
    return proceed(at: now)
  }

  // MARK: Time

  /// Handles everything that is due, and sets the alarm for the next event.
  private mutating func proceed(at now: Instant) -> [DeviceAction] {
    var actions = move(to: now)
    while nextMoment < life.count, start + life[nextMoment].after <= now {
      let event = life[nextMoment].event
      nextMoment += 1
      actions += live(event, at: now)
    }
    actions += deliver(at: now)
    let next = [
      nextMoment < life.count ? start + life[nextMoment].after : nil, allowance.due, daemon.due,
      // An event that is due but impossible waits for another event, such as the first unlock.
      resumeAt.flatMap { $0 > now ? $0 : nil },
    ].compactMap { $0 }.min()
    if let next, alarmAt.map({ next < $0 || $0 <= now }) ?? true {
      alarmAt = max(next, now)
      actions.append(.setAlarm(0, at: max(next, now)))
    }
    return actions
  }

  private mutating func move(to now: Instant) -> [DeviceAction] {
    if let alarmAt, alarmAt <= now { self.alarmAt = nil }
    return act(allowance.advance(to: now)) + act(daemon.advance(to: now))
  }

  private mutating func act(_ events: [TransferDaemon.Event]) -> [DeviceAction] {
    events.compactMap { event in
      switch event {
      case .requestSent(let id, _): .beginTransfer(id, duration: .zero)
      case .willBegin, .failed: nil
      }
    }
  }

  mutating func act(_ changes: [ExecutionAllowance.Change]) -> [DeviceAction] {
    changes.flatMap { change -> [DeviceAction] in
      switch change {
      case .granted(let until): [.change(.granted(until: until))]
      case .expiring: [.change(.expiring)]
      case .suspended: []
      case .killed: kill()
      }
    }
  }

  private mutating func kill() -> [DeviceAction] {
    guard isProcessAlive else { return [] }
    isProcessAlive = false
    askedTasks = []
    allowance.end()
    daemon.disconnect()
    counts.kills += 1
    return [.terminate]
  }

  // MARK: Life

  private mutating func live(_ event: LifeEvent, at now: Instant) -> [DeviceAction] {
    switch event {
    case .openApp:
      isForceQuit = false
      endDelay(at: now)
      limiter.appCameToFront()
      daemon.appCameToFront()
      daemon.appOpened()
      let changes = act(allowance.enterForeground())
      guard isProcessAlive else {
        isProcessAlive = true
        return [.launch]
      }
      return changes
    case .leaveApp: return leave(at: now)
    case .forceQuit:
      isForceQuit = true
      endDelay(at: now)
      daemon.forceQuit()
      return kill()
    case .systemKill: return isInFront ? [] : kill()
    case .reboot:
      let actions = kill()
      daemon.reboot()
      return actions + [.restartDevice]
    case .unlock: daemon.unlock()
    case .conditions(let conditions): return act(daemon.change(conditions, at: now))
    case .serviceCrash: daemon.crash()
    // The engine's paths are relative, so an update just ends the process.
    case .updateApp: return kill()
    case .loseTask: if let oldest = daemon.listing.first { daemon.lose(oldest) }
    // Without a process, this would be the first session.
    case .secondSession: isSessionDuplicated = isSessionDuplicated || isProcessAlive
    }
    return []
  }

  private mutating func leave(at now: Instant) -> [DeviceAction] {
    guard isInFront else { return [] }
    guard allowance.beginAssertion() else {
      // Refused (BT5): short work must stop before the app is suspended.
      _ = allowance.leaveForeground(at: now)
      return [.change(.expiring)]
    }
    return act(allowance.leaveForeground(at: now))
  }

  /// Delivers completions and questions: at once (RL7), or with one resume for all of them (TX5).
  mutating func deliver(at now: Instant) -> [DeviceAction] {
    let questions = daemon.asking.filter { !askedTasks.contains($0.id) }
    var actions: [DeviceAction] = []
    guard !isSessionDuplicated || !isProcessAlive else { return [] }
    if !allowance.isRunning || !isProcessAlive {
      guard daemon.isDrained || isChallenged || !questions.isEmpty else {
        // The reason for it is gone, for example because the task was lost.
        endDelay(at: now)
        return []
      }
      guard !isForceQuit, daemon.isUnlockedSinceBoot else { return [] }
      let isChallenged = isChallenged || questions.contains { $0.renewal == .challenge }
      // The callback at the start of a delayed task is not a session event (TX14).
      let isBegin = !isChallenged && !daemon.isDrained && !limiter.rules.countsBegins
      let due = resumeAt ?? (isBegin ? now : limiter.resumption(forEventsAt: now))
      if resumeAt == nil { delayedSince = now }
      resumeAt = due
      guard due <= now else { return [] }
      actions += resume(isCounted: !isBegin, at: now)
    }
    guard isSessionAdopted else { return actions }
    endDelay(at: now)
    isChallenged = false
    for (id, failure) in daemon.takeCompletions() {
      actions.append(failure.map { .failTransfer(id, $0) } ?? .deliver(id))
    }
    guard daemon.isConnected else { return actions }
    for (id, renewal) in questions {
      askedTasks.insert(id)
      actions.append(.ask(id, renewal))
    }
    return actions
  }

  /// Time during which the resume delay held up a transfer or a resume (RL4); overlapping waits count once.
  public func addedWait(at now: Instant) -> Duration {
    daemon.delayedTime(at: now) + delayedResumes + delay(until: now)
  }

  /// How long the pending resume was delayed by the rule; other causes of waiting do not count.
  private func delay(until now: Instant) -> Duration {
    guard let delayedSince, let resumeAt else { return .zero }
    return max(min(now, resumeAt) - delayedSince, .zero)
  }

  /// What holds transfers, or the resume that reports their end (RL4 of iOS 7).
  func foremostHold(at now: Instant) -> TransferHold? {
    if delayedSince != nil, let resumeAt, resumeAt > now { return .resumeDelay }
    return daemon.foremostHold
  }

  mutating func endDelay(at now: Instant) {
    delayedResumes += delay(until: now)
    delayedSince = nil
    resumeAt = nil
  }

  private mutating func resume(isCounted: Bool, at now: Instant) -> [DeviceAction] {
    endDelay(at: now)
    counts.wakes += 1
    if isCounted { limiter.appResumed(at: now) }
    let changes = act(allowance.resume(at: now))
    guard isProcessAlive else {
      isProcessAlive = true
      return [.launch]
    }
    return changes
  }
}
