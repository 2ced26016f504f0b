import PipelineCore
import PipelineEngine

/// Waking the app, and what it is told then.
extension PhoneDevice {
  /// Hands completions and questions over: at once to a process that runs (RL7), else with one resume
  /// for all of them (TX5).
  mutating func deliver(at now: Instant) -> [DeviceAction] {
    let questions = daemon.asking.filter { !told.contains($0.id) }
    var actions: [DeviceAction] = []
    guard !isSessionTaken || !isProcessAlive else { return [] }
    if !allowance.isRunning || !isProcessAlive {
      guard daemon.isDrained || isChallenged || !questions.isEmpty else {
        // What it was for is gone, as when the task was lost.
        resumeAt = nil
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
      if resumeAt == nil { counts.addedWait += due - now }
      resumeAt = due
      guard due <= now else { return [] }
      actions += resume(isCounted: !isBegin, at: now)
    }
    guard isSessionTakenOver else { return actions }
    resumeAt = nil
    isChallenged = false
    for (id, failure) in daemon.takeCompletions() {
      actions.append(failure.map { .failTransfer(id, $0) } ?? .deliver(id))
    }
    guard daemon.isConnected else { return actions }
    for (id, renewal) in questions {
      told.insert(id)
      actions.append(.ask(id, renewal))
    }
    return actions
  }

  private mutating func resume(isCounted: Bool, at now: Instant) -> [DeviceAction] {
    resumeAt = nil
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
