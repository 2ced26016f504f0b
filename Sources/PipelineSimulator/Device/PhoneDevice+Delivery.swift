public import PipelineCore
import PipelineEngine

/// Waking the app, and what it is told then.
extension PhoneDevice {
  /// Hands completions and questions over: at once to a process that runs (RL7), else with one resume
  /// for all of them (TX5).
  mutating func deliver(at now: Instant) -> [DeviceAction] {
    let questions = daemon.asking.filter { !askedTasks.contains($0.id) }
    var actions: [DeviceAction] = []
    guard !isSessionDuplicated || !isProcessAlive else { return [] }
    if !allowance.isRunning || !isProcessAlive {
      guard daemon.isDrained || isChallenged || !questions.isEmpty else {
        // What it was for is gone, as when the task was lost.
        endDelay(at: now)
        return []
      }
      guard !isForceQuit, daemon.isUnlockedSinceBoot else { return [] }
      let isChallenged = isChallenged || questions.contains { $0.renewal == .challenge }
      // The hook at the begin of a delayed task is no event of the session (TX14).
      let isBegin = !isChallenged && !daemon.isDrained && !limiter.rules.countsBegins
      let due =
        resumeAt
        ?? (isBegin
          ? now
          : isChallenged
            ? limiter.resumption(forChallengeAt: now) : limiter.resumption(forEventsAt: now))
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

  /// Time in which the resume delay held something up: the start of a transfer, or a resume (RL4).
  ///
  /// Each moment counts once, so that it is never more than the time that has passed.
  public func addedWait(at now: Instant) -> Duration {
    daemon.delayedTime(at: now) + delayedResumes + delay(until: now)
  }

  /// How long the resume that is due has been delayed; what keeps it back afterwards is no delay.
  private func delay(until now: Instant) -> Duration {
    guard let delayedSince, let resumeAt else { return .zero }
    return max(min(now, resumeAt) - delayedSince, .zero)
  }

  /// What holds transfers, or the resume that they are over for (RL4 of iOS 7).
  func foremostHold(at now: Instant) -> TransferHold? {
    if delayedSince != nil, let resumeAt, resumeAt > now { return .resumeDelay }
    return daemon.foremostHold
  }

  /// No resume is due any more.
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
