/// Reports changes on a phone since the last look, from outside, and only if a trace is kept:
/// the device's parts are independent of reports, and simulations without a trace pay nothing.
struct DeviceObserver: Sendable {
  private var life: DeviceLife?
  private var conditions: DeviceConditions?
  private var wakes = 0
  private var diskUse: Int64 = 0
  private var transfers: [EffectID: DeviceFact] = [:]
  private var lastScan = Instant(milliseconds: .min)
  /// Queues up to this length are examined each time.
  private static let shortQueue = 256
  /// Longer ones are examined this often: each time would cost quadratic time in their length.
  private static let longQueueInterval = Duration.seconds(300)

  mutating func changes(of phone: PhoneDevice, diskUse: Int64, at now: Instant) -> [DeviceFact] {
    var facts: [DeviceFact] = []
    var isNew = false
    if phone.counts.wakes != wakes {
      wakes = phone.counts.wakes
      facts.append(.woken(delay: phone.limiter.delay(at: now)))
    }
    if phone.appLife != life {
      life = phone.appLife
      facts.append(.life(phone.appLife))
      isNew = true
    }
    if phone.daemon.conditions != conditions {
      conditions = phone.daemon.conditions
      facts.append(.conditions(phone.daemon.conditions))
      isNew = true
    }
    if diskUse != self.diskUse {
      self.diskUse = diskUse
      facts.append(.diskUse(diskUse))
    }
    let tasks = phone.daemon.tasks
    if isNew || tasks.count <= Self.shortQueue || now >= lastScan + Self.longQueueInterval {
      lastScan = now
      scan(phone.daemon, &facts)
    }
    return facts
  }

  private mutating func scan(_ daemon: TransferDaemon, _ facts: inout [DeviceFact]) {
    for id in transfers.keys.filter({ daemon.tasks[$0] == nil }).sorted(by: Self.precedes) {
      transfers[id] = nil
      facts.append(.transferGone(id))
    }
    var changed: [(task: TransferTask, fact: DeviceFact)] = []
    for (id, task) in daemon.tasks {
      let fact = Self.fact(about: task, daemon.hold(of: id))
      if transfers[id] != fact { changed.append((task, fact)) }
    }
    for (task, fact) in changed.sorted(by: { $0.task.sequence < $1.task.sequence }) {
      transfers[task.request.id] = fact
      facts.append(fact)
    }
  }

  private static func fact(about task: TransferTask, _ hold: TransferHold?) -> DeviceFact {
    let id = task.request.id
    return switch task.state {
    case .waiting: .transferHeld(id, hold ?? .connections)
    case .sending: .transferMoves(id)
    case .sent, .asking(.challenge): .transferSent(id)
    case .asking(.begin): .transferHeld(id, .earliestBegin)
    case .complete, .dead: .transferOver(id)
    }
  }

  private static func precedes(_ left: EffectID, _ right: EffectID) -> Bool {
    func rank(_ id: EffectID) -> (ItemKey, Int, Int, Int) {
      (id.item ?? ItemKey(loop: -1, ordinal: -1), id.step ?? .max, id.generation ?? 0, id.attempt)
    }
    return rank(left) < rank(right)
  }
}

extension PhoneDevice {
  /// The state of the app.
  public var appLife: DeviceLife {
    switch allowance.state {
    case .unlimited: isProcessAlive ? .inFront : isForceQuit ? .forceQuit : .gone
    case .limited(let until, _): .behind(until: until)
    case .suspended: .asleep
    case .ended: isForceQuit ? .forceQuit : .gone
    }
  }
}
