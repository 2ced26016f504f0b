import CEL
import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineEngine

/// Finds out that nothing which the rest of a scenario holds can let its run go on.
///
/// What it says is certain: where anything that is still to come might change something, it says no,
/// and the run goes on to its end.
struct Standstill: Sendable {
  private let conditions: [(after: Duration, DeviceConditions)]
  private let limit: Duration
  /// When the last of each kind of event is over; `nil` where there is none.
  private let lastOpening: Duration?
  private let lastUnlock: Duration?
  private let lastOther: Duration?
  /// Whether time alone can decide a property.
  private let isTimed: Bool
  private var lastLook: Duration?

  /// A run is looked at this often, which costs nothing beside it.
  private static let interval = Duration.seconds(1800)

  init(_ schedule: LifeSchedule, limit: Duration, properties: [ScenarioProperty]) {
    conditions = schedule.conditions.map { ($0.after, DeviceConditions($0.1)) }
    self.limit = limit
    var opening: Duration?
    var unlock: Duration?
    var other: Duration?
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

  /// Whether the run will be as it is now when the scenario is over.
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
      // Nobody but a person starts it again (FQ1).
      if phone.isForceQuit { return true }
      if happens { return false }
      // Nothing that the transfer service could resume it for.
      if daemon.tasks.isEmpty { return true }
      if !daemon.isUnlockedSinceBoot, !(lastUnlock.map { $0 > now } ?? false) { return true }
      return daemon.openCount > 0 && isHeld(daemon, from: now, run.start) { _ in true }
    }
    guard !happens, isWaitingForTransfers(run) else { return false }
    // Who opens the app lifts discretion, but makes no network.
    return isHeld(daemon, from: now, run.start) { $0 == .noNetwork || $0 == .networkNotAllowed }
  }

  /// Whether each transfer is held in all conditions that are still to come, and none of them ends before
  /// the scenario does.
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

  /// Whether all that the run does is to wait for transfers.
  private func isWaitingForTransfers(_ run: SimulatedRun) -> Bool {
    guard run.core != nil else { return false }
    return run.inFlight.values.allSatisfy { $0.operation.transfer != nil && $0.response == nil }
      && run.waiting.allSatisfy { key, blocker in
        switch blocker {
        case .attempt(let step): run.pipeline.steps[step].transfer != nil
        case .concurrency, .transfers: key != nil
        case .loop: key == nil
        case .probe, .compensation, .delay, .earliest, .disk, .connections, .shortage, .dependency,
          .batch, .allowance,
          .renewal, .enumeration, .stopped:
          false
        }
      }
  }
}
