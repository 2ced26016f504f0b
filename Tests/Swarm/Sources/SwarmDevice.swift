import Basics
import PipelineCore
import PipelineEngine
import PipelineScenarios
import PipelineSimulator

/// A hostile device: allowances end, processes are killed while they are suspended, and the transfer service is another
/// process, slow, breaks, forgets, and responds when no one listens.
struct SwarmDevice: DeviceModel {
  private struct Task {
    let transfer: QueuedTransfer
    var hasBegun = false
    var isAnswered = false
    /// The event that it waits for.
    var question: Renewal?
    var isAnnounced = false
  }

  private enum Alarm {
    case begin(EffectID), deliver(EffectID), break_(EffectID), timeout(EffectID)
    case expiring(Int), overdue(Int), wake(Int), launch
  }

  private var faults: SwarmPlan.DeviceFaults
  private var draws: Draws
  private var restarts: Draws
  private var tasks: [EffectID: Task] = [:]
  private var alarms: [Int: Alarm] = [:]
  private var nextAlarm = 0
  /// Distinguishes the current allowance from earlier ones.
  private var window = 0
  private var isAsleep = false
  private var isWaitingForAdoption = false
  private var hasProcess = false
  private(set) var violations: [String] = []
  private(set) var coverageMarks: [CoverageMark: Int] = [:]

  init(_ faults: SwarmPlan.DeviceFaults, seed: UInt64, _ tape: DrawTape?) {
    self.faults = faults
    draws = Draws(seed: seed ^ 0x4445_5649_4345, tape: tape)
    restarts = Draws(seed: seed ^ 0x424F_4F54_5300, tape: tape)
  }

  /// From now on nothing goes wrong.
  mutating func calm() {
    faults = SwarmPlan.DeviceFaults()
    faults.bandwidth = 1e6
  }

  private mutating func mark(_ sighting: CoverageMark) { coverageMarks[sighting, default: 0] += 1 }

  private mutating func set(_ alarm: Alarm, in delay: Duration, _ now: Instant) -> DeviceAction {
    nextAlarm += 1
    alarms[nextAlarm] = alarm
    return .setAlarm(nextAlarm, at: now + delay)
  }

  private mutating func seconds(_ distribution: Distribution, _ name: StaticString) -> Duration {
    if case .constant(let seconds) = distribution { return .milliseconds(Int64(seconds * 1000)) }
    return draws.seconds(distribution, name)
  }

  // MARK: The process

  mutating func processBegan(at now: Instant) -> [DeviceAction] {
    hasProcess = true
    isAsleep = false
    isWaitingForAdoption = !tasks.isEmpty
    return allow(at: now)
  }

  private mutating func allow(at now: Instant) -> [DeviceAction] {
    window += 1
    isAsleep = false
    guard let allowance = faults.allowance else { return [.change(.granted(until: nil))] }
    let length = seconds(allowance, "allowance")
    return [
      .change(.granted(until: now + length)), set(.expiring(window), in: length, now),
    ]
  }

  mutating func processSuspended(transfers: Int, at now: Instant) -> [DeviceAction] {
    isAsleep = true
    window += 1
    mark(.suspended)
    if draws.flip(faults.death, "end while suspended") {
      hasProcess = false
      mark(.diedAsleep)
      let end: [DeviceAction] =
        restarts.flip(faults.restart, "device restart")
        ? [.terminate, .restartDevice] : [.terminate]
      return end + [set(.launch, in: seconds(faults.sleep, "sleep"), now)]
    }
    return [set(.wake(window), in: seconds(faults.sleep, "sleep"), now)]
  }

  mutating func alarmFired(_ alarm: Int, at now: Instant) -> [DeviceAction] {
    guard let alarm = alarms.removeValue(forKey: alarm) else { return [] }
    switch alarm {
    case .expiring(let number):
      guard number == window, hasProcess, !isAsleep else { return [] }
      return [.change(.expiring), set(.overdue(number), in: .seconds(5), now)]
    case .overdue(let number):
      if number == window, hasProcess, !isAsleep {
        violations.append("the process did not stop within 5 s of being told")
      }
      return []
    case .wake(let number): return number == window && isAsleep ? allow(at: now) : []
    case .launch: return hasProcess ? [] : [.launch]
    case .begin(let id): return begin(id, now)
    case .deliver(let id): return deliver(id)
    case .break_(let id):
      guard tasks[id]?.isAnswered == false else { return [] }
      mark(.transferBroke)
      return fail(id, .connectionLost, sent: tasks[id]?.hasBegun == true)
    case .timeout(let id): return tasks[id] == nil ? [] : fail(id, .timeout, sent: true)
    }
  }

  // MARK: Transfers

  mutating func transferQueued(_ transfer: QueuedTransfer, at now: Instant) -> [DeviceAction] {
    for id in tasks.keys where id.item == transfer.id.item && id.step == transfer.id.step {
      violations.append("\(transfer.id) is handed over while \(id) is there")
    }
    tasks[transfer.id] = Task(transfer: transfer)
    let delay = transfer.settings?.earliest.map { max($0 - now, .zero) } ?? .zero
    return [
      set(.begin(transfer.id), in: max(delay, seconds(faults.queueing, "queueing")), now),
      set(.timeout(transfer.id), in: transfer.timeout, now),
    ]
  }

  private mutating func begin(_ id: EffectID, _ now: Instant) -> [DeviceAction] {
    guard let task = tasks[id], !task.hasBegun, task.question == nil else { return [] }
    if let earliest = task.transfer.settings?.earliest, now < earliest {
      violations.append("\(id) starts before its earliest time")
    }
    if !task.isAnnounced, task.transfer.settings?.earliest != nil,
      task.transfer.settings?.renewals.contains(.begin) == true
    {
      tasks[id]?.isAnnounced = true
      return ask(id, .begin)
    }
    tasks[id]?.hasBegun = true
    let duration = Duration.milliseconds(
      Int64(Double(task.transfer.bytes) / faults.bandwidth * 1000))
    var actions = [DeviceAction.beginTransfer(id, duration: duration)]
    if draws.flip(faults.breaks, "transfer breaks") {
      let part = draws.draw("part of a broken transfer") {
        Double(duration.milliseconds) * $0.nextFraction()
      }
      actions.append(set(.break_(id), in: .milliseconds(Int64(part)), now))
    }
    return actions
  }

  mutating func transferAnswered(
    _ id: EffectID, _ response: Response, at now: Instant
  ) -> [DeviceAction] {
    guard let task = tasks[id] else { return [] }
    if response.isChallenge, task.transfer.settings?.renewals.contains(.challenge) == true {
      return ask(id, .challenge)
    }
    tasks[id]?.isAnswered = true
    if draws.flip(faults.breakdown, "service breaks down") { return breakDown() }
    return [set(.deliver(id), in: .milliseconds(Int64(draws.index(below: 100, "delivery"))), now)]
  }

  /// A process that is not there is asked when it asks for its transfers.
  private mutating func ask(_ id: EffectID, _ renewal: Renewal) -> [DeviceAction] {
    tasks[id]?.question = renewal
    return hasProcess && !isWaitingForAdoption ? [.ask(id, renewal)] : []
  }

  mutating func transferRenewed(
    _ id: EffectID, isAnew: Bool, at now: Instant
  ) -> [DeviceAction] {
    guard let question = tasks[id]?.question else { return [] }
    tasks[id]?.question = nil
    if question == .challenge, !isAnew {
      tasks[id]?.isAnswered = true
      return deliver(id)
    }
    if isAnew { mark(question == .challenge ? .challengeAnswered : .beginRenewed) }
    tasks[id]?.hasBegun = false
    return begin(id, now)
  }

  /// A process that does not exist, or has not asked yet, is informed when it asks.
  private mutating func deliver(_ id: EffectID) -> [DeviceAction] {
    guard tasks[id]?.isAnswered == true, hasProcess, !isWaitingForAdoption else { return [] }
    tasks[id] = nil
    return [.deliver(id)]
  }

  private mutating func fail(
    _ id: EffectID, _ kind: TransportFailure.Kind, sent: Bool
  ) -> [DeviceAction] {
    guard hasProcess, !isWaitingForAdoption else {
      // It is not known any more when it is asked for.
      tasks[id] = nil
      return []
    }
    tasks[id] = nil
    return [
      .failTransfer(
        id, TransportFailure(kind, message: "the transfer service says so", mayHaveBeenSent: sent))
    ]
  }

  /// The transfer service loses all that it has.
  private mutating func breakDown() -> [DeviceAction] {
    mark(.serviceBrokeDown)
    let all = tasks.keys.sorted { "\($0)" < "\($1)" }
    return all.flatMap { fail($0, .connectionLost, sent: true) }
  }

  mutating func transferCancelled(_ id: EffectID, at now: Instant) -> [DeviceAction] {
    tasks[id] = nil
    return []
  }

  mutating func transfersAdopted(_ wanted: [EffectID], at now: Instant) -> [DeviceAction] {
    isWaitingForAdoption = false
    for id in tasks.keys where !wanted.contains(id) { tasks[id] = nil }
    var actions: [DeviceAction] = []
    for id in wanted {
      if tasks[id] != nil, draws.flip(faults.vanishes, "transfer vanishes") {
        tasks[id] = nil
        mark(.transferVanished)
      }
      guard let task = tasks[id] else {
        let unknown = TransportFailure(
          .interrupted, message: "the transfer is unknown to the transfer service",
          mayHaveBeenSent: true)
        actions.append(.failTransfer(id, unknown))
        continue
      }
      mark(.transferAdopted)
      if task.isAnswered { actions.append(set(.deliver(id), in: .zero, now)) }
      if let question = task.question {
        mark(.askedAgain)
        actions.append(.ask(id, question))
      }
    }
    return actions
  }
}
