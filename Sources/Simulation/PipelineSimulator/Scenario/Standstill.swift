/// Detects that nothing in the rest of a scenario can make its run continue; where it is unsure, the run continues.
struct Standstill: Sendable {
  private let conditions: [(after: Duration, DeviceConditions)]
  private let limit: Duration
  /// When the last event of each kind has ended; `nil` if there is none.
  private let lastOpening: Duration?
  private let lastUnlock, lastOther: Duration?
  /// Whether a property can be decided only by time.
  private let isTimed: Bool
  private var lastLook: Duration?
  /// How often a run is checked; often enough, and cheap.
  private static let interval = Duration.seconds(1800)

  init(_ schedule: LifeSchedule, limit: Duration, properties: [ScenarioProperty]) {
    conditions = schedule.conditions.map { ($0.after, DeviceConditions($0.1)) }
    self.limit = limit
    var opening, unlock, other: Duration?
    for moment in schedule.life {
      switch moment.event {
      case .openApp: opening = max(opening ?? .zero, moment.after)
      case .unlock: unlock = max(unlock ?? .zero, moment.after)
      case .leaveApp, .conditions: continue
      case .forceQuit, .systemKill, .reboot, .serviceCrash, .updateApp, .loseTask, .secondSession:
        other = max(other ?? .zero, moment.after)
      }
    }
    for (after, intervention) in schedule.interventions {
      switch intervention {
      case .freeSpace, .changeClock: continue
      case .restart, .pause, .cancel, .purgeFiles: other = max(other ?? .zero, after)
      }
    }
    (lastOpening, lastUnlock, lastOther) = (opening, unlock, other)
    isTimed = properties.contains { property in
      property.expression.compiled.references.contains { $0.variable == "time" }
    }
  }

  /// Whether the run will still be in its current state when the scenario ends.
  mutating func isReached(_ run: SimulatedRun) -> Bool {
    guard !isTimed, run.outcome == nil, run.queue.isEmpty, let phone = run.device as? PhoneDevice
    else { return false }
    let now = run.now - run.start
    if let lastLook, now - lastLook < Self.interval { return false }
    lastLook = now
    let isOpened = lastOpening.map { $0 > now } ?? false
    let happens = lastOther.map { $0 > now } ?? false
    let isRunning = phone.allowance.isRunning && phone.isProcessAlive
    let daemon = phone.daemon
    if !isOpened, !isRunning {
      // Only the user starts it again (FQ1).
      if phone.isForceQuit { return true }
      if happens { return false }
      // There is nothing that the transfer service could resume it for.
      if daemon.tasks.isEmpty { return true }
      if !daemon.isUnlockedSinceBoot, !(lastUnlock.map { $0 > now } ?? false) { return true }
      return daemon.openCount > 0 && isHeld(daemon, from: now, run.start) { _ in true }
    }
    guard !happens, isWaitingForTransfers(run) else { return false }
    // Opening the app lifts discretion, but does not create a network.
    return isHeld(daemon, from: now, run.start) { $0 == .noNetwork || $0 == .networkNotAllowed }
  }

  /// Whether each transfer is held in all conditions to come, and does not time out before the scenario ends.
  private func isHeld(
    _ daemon: TransferDaemon, from now: Duration, _ start: Instant,
    by counts: (TransferHold) -> Bool
  ) -> Bool {
    let next = conditions.firstIndex { $0.after > now } ?? conditions.count
    let ahead = Set(conditions[max(next - 1, 0)...].map(\.1))
    return !daemon.tasks.isEmpty
      && daemon.tasks.values.allSatisfy { task in
        guard task.state == .waiting, task.deadline > start + limit else { return false }
        return ahead.allSatisfy { conditions in
          task.discretion.hold(under: conditions).map(counts) ?? false
        }
      }
  }

  /// Whether the run does nothing but wait for transfers.
  private func isWaitingForTransfers(_ run: SimulatedRun) -> Bool {
    guard run.core != nil else { return false }
    return run.inFlight.values.allSatisfy { $0.operation.transfer != nil && $0.response == nil }
      && run.waiting.allSatisfy { key, blocker in
        switch blocker {
        case .attempt(let step): run.pipeline.steps[step].transfer != nil
        case .concurrency, .transfers: key != nil
        case .loop: key == nil
        // Its parts are among those that wait.
        case .parts: key?.part == nil
        case .probe, .compensation, .delay, .earliest, .disk, .connections, .host, .rate, .shortage,
          .dependency, .batch, .batchUnderWay, .allowance, .renewal, .enumeration, .stopped:
          false
        }
      }
  }
}
