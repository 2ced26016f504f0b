/// What keeps unfinished items from continuing when a simulation ends.
public struct Obstacle: Hashable, Sendable {
  /// A description: a sentence without a final full stop.
  public let message: String
  /// The device's rule behind it, such as `DI8`.
  public let rule: String?
  /// Items that it holds, each counted for one obstacle only; 0 if it holds the run itself.
  public let items: Int
  /// Whether nothing in the rest of the scenario could have removed it.
  public let isPermanent: Bool

  /// Everything that holds part of a run that has ended, most items first.
  static func all(of run: SimulatedRun, _ schedule: LifeSchedule) -> [Obstacle] {
    guard run.outcome != .rested else { return stopped(run) }
    let last = schedule.life.last { $0.event == .openApp || $0.event == .forceQuit }
    if run.core == nil, last?.event == .forceQuit {
      return [
        Obstacle(
          message: "the app was swiped away and is not opened again", rule: "FQ1",
          items: unfinished(run), isPermanent: true)
      ]
    }
    var found = Found()
    let isOver = run.outcome == .stuck
    let phone = run.device as? PhoneDevice
    let daemon = phone?.daemon
    func rank(_ task: TransferTask) -> Int { daemon?.hold(of: task.request.id)?.rank ?? -1 }
    // If an item has several transfers, the most informative hold counts.
    let held =
      daemon?.tasks.values.sorted { (rank($0), $0.sequence) < (rank($1), $1.sequence) } ?? []
    for task in held {
      var isUntold = false
      if case .complete = task.state { isUntold = phone?.isSessionDuplicated == true }
      let why = daemon?.hold(of: task.request.id)
      guard isUntold || why != nil, let items = found.hold(task.request.id.item?.whole)
      else { continue }
      let step = run.pipeline.name(of: task.request.id)
      guard let why else {
        found.add(
          "'\(step)' has ended, but another session with the same identifier received the event; "
            + "only another process can be notified", "TX3", isPermanent: isOver, items)
        continue
      }
      let isPermanent =
        why == .firstUnlock
        ? isOver
        : !schedule.conditions.contains { _, conditions in
          task.discretion.hold(under: DeviceConditions(conditions)) == nil
        }
      found.add(
        why.sentence("\(step)", isPermanent: isPermanent), why.rule, isPermanent: isPermanent, items
      )
    }
    let text = TraceText(run)
    for (key, blocker) in run.waiting.sorted(by: { order($0.key) < order($1.key) }) {
      // The waits of the parts of a loop or of an item are more informative.
      switch blocker {
      case .loop, .parts: continue
      default: break
      }
      guard let items = found.hold(key?.whole) else { continue }
      found.add("waits for \(text.text(blocker))", nil, isPermanent: isOver, items)
    }
    let others = unfinished(run) - found.isHeld.count { $0 != nil }
    if run.waiting.isEmpty, run.core == nil, found.obstacles.isEmpty || others > 0 {
      found.add(
        "the process has ended, and nothing starts it again", "FQ4", isPermanent: isOver,
        max(others, 0))
    }
    return found.obstacles.sorted { ($1.items, $0.message) < ($0.items, $1.message) }
  }

  private struct Found {
    private(set) var obstacles: [Obstacle] = []
    private(set) var isHeld: Set<ItemKey?> = []

    /// Items counted for a holder: 0 for the run, or `nil` if something else already holds it.
    mutating func hold(_ key: ItemKey?) -> Int? {
      isHeld.insert(key).inserted ? (key == nil ? 0 : 1) : nil
    }

    mutating func add(_ message: String, _ rule: String?, isPermanent: Bool, _ items: Int) {
      let place = obstacles.firstIndex { $0.message == message && $0.rule == rule }
      let known = place.map { obstacles.remove(at: $0).items } ?? 0
      obstacles.append(
        Obstacle(message: message, rule: rule, items: known + items, isPermanent: isPermanent))
    }
  }

  /// The remaining obstacles of a run that does not continue by itself.
  private static func stopped(_ run: SimulatedRun) -> [Obstacle] {
    var found: [Obstacle] = []
    if let state = run.state, state.status == .paused {
      found.append(
        Obstacle(
          message: "the run is paused and waits for the user: \(state.reason?.message ?? "")",
          rule: nil, items: unfinished(run), isPermanent: true))
    }
    var reasons: [String: Int] = [:]
    for loop in run.pipeline.loops.indices {
      for item in run.items(loop: loop) {
        guard item.status == .paused || item.status == .failed else { continue }
        reasons["\(item.status.word): \(item.reason?.message ?? "")", default: 0] += 1
      }
    }
    for (message, items) in reasons {
      found.append(Obstacle(message: message, rule: nil, items: items, isPermanent: true))
    }
    return found.sorted { ($1.items, $0.message) < ($0.items, $1.message) }
  }

  private static func order(_ key: ItemKey?) -> ItemKey { key ?? ItemKey(loop: -1, ordinal: -1) }

  private static func unfinished(_ run: SimulatedRun) -> Int {
    (run.state?.loops ?? []).reduce(0) { $0 + $1.counts[.active] + $1.counts[.pending] }
  }
}

extension TransferHold {
  /// Why a transfer of the step does not move; a sentence without a final full stop.
  func sentence(_ step: String, isPermanent: Bool) -> String {
    let never = isPermanent ? "never any " : "no "
    return switch self {
    case .earliestBegin: "the earliest start of '\(step)' has not come"
    case .resumeDelay:
      "the resume delay holds '\(step)', whose transfers were created in the background"
    case .startDelay: "the transfer service delays '\(step)'"
    case .queueTooLong: "too many transfers are queued before '\(step)'"
    case .connections: "other transfers go before '\(step)'"
    case .firstUnlock:
      "the device was restarted, and "
        + (isPermanent
          ? "it stays locked, so '\(step)' cannot start" : "'\(step)' waits for the first unlock")
    case .noNetwork: "there is \(never)network for '\(step)'"
    case .brokenConnection:
      "the connection of '\(step)' broke, and the transfer service waits before retrying"
    case .networkNotAllowed: "there is \(never)network that '\(step)' may use"
    case .discretionaryNetwork: "there is \(never)Wi-Fi for '\(step)', which is discretionary"
    case .discretionaryPower: "there is \(never)charger for '\(step)', which is discretionary"
    case .energy:
      "the battery is \(isPermanent ? "always " : "")too low for '\(step)', or low-power mode is on"
    case .dailyBudget: "the day's bytes for '\(step)' are used up"
    }
  }
}
