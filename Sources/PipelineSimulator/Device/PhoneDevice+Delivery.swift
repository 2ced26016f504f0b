public import PipelineCore
import PipelineEngine

/// Waking the app, and delivering events to it.
extension PhoneDevice {
  /// Delivers completions and questions: at once to a running process (RL7), otherwise with one resume
  /// for all of them (TX5).
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

  /// Time during which the resume delay held up the start of a transfer, or a resume (RL4).
  ///
  /// Overlapping waits count once, so this never exceeds the elapsed time.
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

  /// No resume is pending any more.
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
