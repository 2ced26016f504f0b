import PipelineCore

/// Visits every state that a small pipeline can reach, breadth first, and holds each to the machine's laws.
public struct Explorer {
  /// How an exploration went.
  public struct Report: Sendable {
    /// Different states.
    public var states = 0
    /// Moves made.
    public var moves = 0
    /// Whether the bound on states ended the exploration.
    public var isCut = false
    /// The problems, with the moves that led there; at most ``Explorer/problemLimit``.
    public var problems: [String] = []
    /// Changes of a step's status from one event to the next.
    public var stepChanges: Set<Change> = []
    /// Changes of an item's status.
    public var itemChanges: Set<Change> = []
  }

  /// A change of status.
  public struct Change: Hashable, Sendable, Comparable {
    /// Before.
    public let from: String
    /// After.
    public let to: String

    /// Orders by text.
    public static func < (left: Self, right: Self) -> Bool {
      (left.from, left.to) < (right.from, right.to)
    }
  }

  /// Problems that are reported at most.
  public static let problemLimit = 5
  private let kinds: FaultKinds
  private let limit: Int
  private var report = Report()
  /// Fingerprints of states from which a good world leads to the end.
  private var live: Set<Int> = []

  /// Explores at most `limit` states.
  public init(_ kinds: FaultKinds = .all, limit: Int = .max) {
    self.kinds = kinds
    self.limit = limit
  }

  /// Explores from the first event of a run on.
  public mutating func explore(_ start: Node) -> Report {
    var begin = start
    note(begin.make(Move(.runBegan)), begin)
    var seen: Set<Int> = [begin.fingerprint]
    var queue = [begin]
    var next = 0
    while next < queue.count, report.problems.count < Self.problemLimit {
      let node = queue[next]
      queue[next].trail = []
      next += 1
      if next % 4096 == 0 {
        queue.removeFirst(next)
        next = 0
      }
      report.states += 1
      if report.states >= limit {
        report.isCut = true
        break
      }
      checkRestart(node)
      checkLiveness(node)
      for move in node.moves(kinds) {
        var child = node
        note(child.make(move), child)
        report.moves += 1
        record(node, child)
        if seen.insert(child.fingerprint).inserted { queue.append(child) }
      }
    }
    return report
  }

  private mutating func note(_ problems: [String], _ node: Node) {
    for problem in problems where report.problems.count < Self.problemLimit {
      report.problems.append("\(problem)\n    after \(node.trail.joined(separator: ", "))")
    }
  }

  // MARK: Laws

  /// A new process reissues commands in flight,
  /// or waits for results that it must create first (invariant 3).
  private mutating func checkRestart(_ node: Node) {
    guard node.machine.state.status == .running else { return }
    var restarted = node
    var crash = Move(.runResumed)
    crash.isCrash = true
    var problems = restarted.make(crash)
    let demanded = Set(restarted.machine.inFlight.map { Slot($0) })
    for id in node.machine.inFlight {
      let slot = Slot(id)
      if demanded.contains(slot) { continue }
      switch restarted.machine.blockers[id.item] {
      // A new process has no fresh burst of a rate.
      case .dependency, .allowance, .loop, .rate: continue
      // Its item goes back to an earlier step first, or a part before it comes first.
      case .parts where id.item?.part != nil, .disk where id.item?.part != nil: continue
      // The sources of the attempt have expired since: they come first.
      case .attempt(let source) where source < id.step ?? -1: continue
      case let blocker:
        // An attempt that must not be repeated pauses its item;
        // a compensation without its token is abandoned.
        if let key = id.item, restarted.world.rows.items[key.loop][key.ordinal].status != .active {
          continue
        }
        problems.append(
          "a restart forgets \(node.machine.text(id)): \(String(describing: blocker))")
      }
    }
    note(problems, restarted)
  }

  private struct Slot: Hashable {
    let item: ItemKey?
    let step: Int?

    init(_ id: EffectID) {
      item = id.item
      step = id.step
    }
  }

  /// When nothing goes wrong any more, every item comes to an end.
  private mutating func checkLiveness(_ node: Node) {
    var current = node
    current.faults = 0
    var path: [Int] = []
    for _ in 0..<2000 {
      let fingerprint = current.fingerprint
      if live.contains(fingerprint) { break }
      path.append(fingerprint)
      guard let move = current.goodMoves().first else {
        note(ending(of: current), current)
        break
      }
      let problems = current.make(move)
      if !problems.isEmpty {
        note(problems, current)
        return
      }
      if path.count == 2000 { note(["never comes to an end"], current) }
    }
    live.formUnion(path)
  }

  private func ending(of node: Node) -> [String] {
    var problems: [String] = []
    switch node.machine.state.status {
    case .finished, .cancelled: break
    case .running, .paused, .cancelling:
      problems.append("rests as \(node.machine.state.status); \(node.machine.blockers)")
    }
    for item in node.world.rows.items.joined()
    where item.status == .pending || item.status == .active {
      problems.append("item \(item.key) rests as \(item.status)")
    }
    for loop in node.machine.state.loops.indices {
      for status in Item.Status.allCases {
        let rows = node.world.rows.items[loop].count { $0.status == status }
        let count = node.machine.state.loops[loop].counts[status]
        if rows != count { problems.append("counts \(count) \(status) of \(rows)") }
      }
    }
    if node.machine.reservedDiskBytes != 0 {
      problems.append("\(node.machine.reservedDiskBytes) bytes stay reserved")
    }
    return problems
  }

  // MARK: Transitions

  private mutating func record(_ before: Node, _ after: Node) {
    for loop in before.world.rows.items.indices {
      for (old, new) in zip(before.world.rows.items[loop], after.world.rows.items[loop]) {
        if old.status != new.status {
          report.itemChanges.insert(Change(from: "\(old.status)", to: "\(new.status)"))
        }
        // A row that leaves the window is prepared for a retry, which is not a transition of a step.
        if old.status == .active, new.status == .active { record(old.frame, new.frame) }
      }
    }
    record(before.machine.state.frame, after.machine.state.frame)
  }

  private mutating func record(_ before: Frame, _ after: Frame) {
    for (old, new) in zip(before, after) where old.status != new.status {
      report.stepChanges.insert(Change(from: old.status.rawValue, to: new.status.rawValue))
    }
  }
}
