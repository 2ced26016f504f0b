/// A plan in the form that devices, disks and networks use: actions with their times, without overlaps.
struct LifeSchedule: Sendable {
  private(set) var life: [PhoneDevice.ScheduledLifeEvent] = []
  private(set) var interventions: [(after: Duration, SimulatedRun.Intervention)] = []
  /// The conditions from each time on, starting with the first.
  private(set) var conditions: [(after: Duration, ScenarioConditions)] = []

  init(_ plan: ScenarioPlan, base: ScenarioConditions, length: Duration) {
    conditions = Self.conditions(plan, base: base, length: length)
    var before: ScenarioConditions?
    for (after, now) in conditions {
      let device = DeviceConditions(now)
      if after > .zero, before.map({ DeviceConditions($0) }) != device {
        life.append(.init(after: after, .conditions(device)))
      }
      if before?.free != now.free, after > .zero {
        interventions.append((after, .freeSpace(now.free)))
      }
      before = now
    }
    var isLockable = false
    for moment in plan.moments {
      if case .clockChange(let step) = moment.happening {
        interventions.append((moment.after, .changeClock(by: step)))
      }
      guard case .action(let action) = moment.happening else { continue }
      isLockable = isLockable || action == .reboot
      if action == .purgeFiles {
        interventions.append((moment.after, .purgeFiles))
      } else if let event = action.event {
        life.append(.init(after: moment.after, event))
      }
    }
    for (from, to) in Self.openings(plan, length: length) {
      if from > .zero {
        // Opening an app implies an unlocked device.
        if isLockable { life.append(.init(after: from, .unlock)) }
        life.append(.init(after: from, .openApp))
      }
      if let to { life.append(.init(after: to, .leaveApp)) }
    }
  }

  /// The stretches in which the app is in the foreground, in order and disjoint; without an end, it stays there.
  static func openings(
    _ plan: ScenarioPlan, length: Duration
  ) -> [(from: Duration, to: Duration?)] {
    var stretches: [(from: Duration, to: Duration)] = [(.zero, plan.opening ?? length)]
    for moment in plan.moments {
      guard case .open(let length) = moment.happening else { continue }
      stretches.append((max(moment.after, .zero), moment.after + length))
    }
    stretches.sort { $0.from < $1.from }
    var joined: [(from: Duration, to: Duration)] = []
    for stretch in stretches {
      if let last = joined.last, stretch.from <= last.to {
        joined[joined.count - 1].to = max(last.to, stretch.to)
      } else {
        joined.append(stretch)
      }
    }
    return joined.map { ($0.from, $0.to < length ? $0.to : nil) }
  }

  /// The conditions from each time on, each different from the ones before.
  static func conditions(
    _ plan: ScenarioPlan, base: ScenarioConditions, length: Duration
  ) -> [(after: Duration, ScenarioConditions)] {
    var layers: [(from: Duration, to: Duration, weight: Int, order: Int, ScenarioConditions)] = []
    for (order, moment) in plan.moments.enumerated() {
      guard case .conditions(let conditions, let length, let weight) = moment.happening
      else { continue }
      layers.append((moment.after, moment.after + length, weight, order, conditions))
    }
    layers.sort { ($0.from, $0.order) < ($1.from, $1.order) }
    let edges = Set(layers.flatMap { [$0.from, $0.to] }.filter { $0 > .zero && $0 < length })
    var found: [(after: Duration, ScenarioConditions)] = []
    var active: [(from: Duration, to: Duration, weight: Int, order: Int, ScenarioConditions)] = []
    var next = 0
    for edge in [.zero] + edges.sorted() {
      while next < layers.count, layers[next].from <= edge {
        active.append(layers[next])
        next += 1
      }
      active.removeAll { $0.to <= edge }
      let now = active.sorted { ($0.weight, $0.order) < ($1.weight, $1.order) }
        .reduce(base) { $0.changed(by: $1.4) }
      if found.last?.1 != now { found.append((edge, now)) }
    }
    return found
  }
}

extension ScenarioAction {
  /// The event for a device; `nil` if it concerns only the disk.
  var event: PhoneDevice.LifeEvent? {
    switch self {
    case .forceQuit: .forceQuit
    case .systemKill: .systemKill
    case .reboot: .reboot
    case .unlock: .unlock
    case .serviceCrash: .serviceCrash
    case .updateApp: .updateApp
    case .loseTask: .loseTask
    case .secondSession: .secondSession
    case .purgeFiles: nil
    }
  }
}
