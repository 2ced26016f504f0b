import CEL
public import PipelineCore

/// The world as the machine must treat it: it reports for each effect why it is illegal, and remembers the requests.
public struct ModelWorld: Hashable, Sendable {
  /// A read-ahead that was demanded and not answered.
  public struct Load: Hashable, Sendable {
    /// The loop.
    public let loop: Int
    /// The rows' status.
    public let status: Item.Status
    /// Ordinal after which rows are read.
    public let after: Int
    /// Rows at most.
    public let limit: Int
  }

  /// Files that are being deleted.
  public struct Discard: Hashable, Sendable {
    /// Whose files.
    public let key: ItemKey?
    /// Their share of the budget.
    public let bytes: Int64
  }

  /// The store.
  public var rows: ModelRows
  /// Commands demanded and not answered.
  public private(set) var commands: [EffectID: Command.Action] = [:]
  /// Loads demanded and not answered, oldest first.
  public private(set) var loads: [Load] = []
  /// Discards demanded and not answered, oldest first.
  public private(set) var discards: [Discard] = []
  /// Loops to be enumerated.
  public private(set) var enumerations: [Int] = []
  /// The timer.
  public private(set) var timer: Instant?
  /// Effects that we were asked to stop.
  public private(set) var interrupts: Set<EffectID> = []
  /// Transfers that asked for a new request and have no reply yet.
  public private(set) var pendingRenewals: [EffectID: Renewal] = [:]
  /// Whether nothing is left to do in the process.
  public private(set) var hasStopped = false
  /// Whether the process may be suspended.
  public private(set) var isSuspended = false
  private var answered: Set<EffectID> = []
  private var members: [EffectID: [ItemKey]] = [:]
  let pipeline: Pipeline

  /// A world that was asked for nothing yet.
  public init(_ pipeline: Pipeline, subjects: [[Item.Subject]]) {
    rows = ModelRows(subjects, of: pipeline)
    self.pipeline = pipeline
  }

  /// Equal worlds owe the same answers and hold the same rows.
  public static func == (left: Self, right: Self) -> Bool {
    left.rows == right.rows && left.commands == right.commands && left.loads == right.loads
      && left.discards == right.discards && left.enumerations == right.enumerations
      && left.pendingRenewals == right.pendingRenewals
      && left.interrupts == right.interrupts && left.hasStopped == right.hasStopped
  }

  /// Hashes the open requests.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(commands)
    hasher.combine(loads)
    hasher.combine(discards)
  }

  /// Files of these sizes, called `0.jpg`, `1.jpg` …; one of the size -1 cannot be read.
  public static func subjects(_ sizes: [Int64]) -> [Item.Subject] {
    sizes.enumerated().map { ordinal, size in
      .file(
        FileValue(
          path: "/photos/\(ordinal).jpg", name: "\(ordinal).jpg", size: size == -1 ? 0 : size,
          modified: 0,
          problem: size == -1 ? "cannot be read" : nil))
    }
  }

  /// The state of a run that has not started, its `files` loops known.
  public static func state(
    of pipeline: Pipeline, files: Int, seed: UInt64 = 1, password: String = "pw",
    shard: Shard? = nil
  ) -> RunState {
    var state = RunState(
      id: RunID("r"), pipeline: pipeline, inputs: ["server": .string("http://h")],
      secrets: ["password": .string(password)], seed: seed, began: Instant(milliseconds: 0),
      shard: shard)
    for (index, loop) in pipeline.loops.enumerated()
    where loop.filesInput != nil && shard?.isLead != true {
      state.loops[index].isEnumerated = true
      state.loops[index].counts[.pending] = files
    }
    return state
  }

  /// The members of a batch that is demanded or was answered; none of any other command.
  public func members(of id: EffectID) -> [ItemKey] { members[id] ?? [] }

  /// Notes that an event answers something.
  public mutating func willApply(_ event: Event) {
    switch event {
    case .concluded(let id, _):
      if commands.removeValue(forKey: id) != nil { answered.insert(id) }
      interrupts.remove(id)
      pendingRenewals[id] = nil
    case .renewalRequested(let id, let renewal):
      if commands[id] != nil { pendingRenewals[id] = renewal }
    case .itemsLoaded, .loadFailed: if !loads.isEmpty { loads.removeFirst() }
    case .filesDiscarded(let key, let bytes):
      if let index = discards.firstIndex(where: { $0.key == key && $0.bytes == bytes }) {
        discards.remove(at: index)
      }
    case .itemsEnumerated(let loop, _), .enumerationFailed(let loop, _):
      enumerations.removeAll { $0 == loop }
    case .timerFired: timer = nil
    case .allowanceGranted: isSuspended = false
    case .runBegan, .runResumed, .unpaused, .itemsRequeued, .cancelRequested: hasStopped = false
    case .allowanceExpiring, .pauseRequested, .limitsKnown, .sharesChanged,
      .serverTimeRead, .redirected, .moved:
      break
    }
  }

  /// Forgets all that lived in a process; answers that were on their way are lost.
  public mutating func crash() {
    commands = [:]
    loads = []
    discards = []
    enumerations = []
    timer = nil
    interrupts = []
    pendingRenewals = [:]
    hasStopped = false
    isSuspended = false
    answered = []
    members = [:]
    rows = rows.stored
  }

  /// Notes that a transfer continues.
  mutating func removePendingRenewal(of id: EffectID) { pendingRenewals[id] = nil }

  /// Applies effects and returns their problems.
  public mutating func take(_ effects: [Effect], _ machine: Machine, at now: Instant) -> [String] {
    var problems: [String] = []
    for effect in effects {
      switch effect {
      case .enumerate(let loop):
        if enumerations.contains(loop) {
          problems.append("loop \(loop) is enumerated twice at once")
        }
        enumerations.append(loop)
      case .loadItems(let loop, let status, let after, let limit):
        loads.append(Load(loop: loop, status: status, after: after, limit: limit))
        if loads.count(where: { $0.loop == loop }) > 1 {
          problems.append("loop \(loop) is read twice at once")
        }
      case .perform(let command):
        problems += legality(of: command, machine, at: now).map { "\(machine.text(effect)): \($0)" }
        commands[command.id] = command.action
        members[command.id] =
          command.scope.members.isEmpty ? nil : command.scope.members.map(\.item)
      case .answerRenewal(let id, let decision):
        problems += take(decision, to: id, at: now).map { "\(machine.text(effect)): \($0)" }
      case .interrupt(let id):
        if commands[id] == nil { problems.append("\(id) is interrupted and not in flight") }
        interrupts.insert(id)
      case .discardFiles(let key, let bytes, _):
        if discards.contains(where: { $0.key == key }) {
          problems.append("files of \(String(describing: key)) are discarded twice at once")
        }
        discards.append(Discard(key: key, bytes: bytes))
      case .setTimer(let instant): timer = instant
      case .endAllowance:
        if commands.contains(where: { needsAllowance($0.key, $0.value) }) {
          problems.append("the allowance ends with short work in flight")
        }
        if !pendingRenewals.isEmpty {
          problems.append("the allowance ends with \(pendingRenewals.keys) unanswered")
        }
        isSuspended = true
      case .stop:
        if !commands.isEmpty { problems.append("stops with \(commands.keys) in flight") }
        hasStopped = true
      }
    }
    return problems
  }

  private func needsAllowance(_ id: EffectID, _ action: Command.Action) -> Bool {
    switch action {
    case .attempt: pipeline.step(of: id)?.transfer == nil
    case .adopt: false
    case .probe, .abandon: true
    }
  }

  // MARK: Legal effects

  private func legality(of command: Command, _ machine: Machine, at now: Instant) -> [String] {
    let id = command.id
    var problems: [String] = []
    problems += batchProblems(command)
    if commands[id] != nil { problems.append("is in flight already") }
    if answered.contains(id), !id.isCompensation { problems.append("was answered already") }
    // A run-level transfer may be why the run's other steps are reissued; a new process, which
    // adopted it, has not been asked yet.
    let isRenewing = { (other: EffectID) in
      pendingRenewals[other] != nil
        || other.item == nil
          && pipeline.step(of: other)?.transfer?.renewals.isEmpty == false
    }
    if commands.keys.contains(where: { $0.item == id.item && $0 != id && !isRenewing($0) }) {
      problems.append("its frame has something else in flight")
    }
    if discards.contains(where: { $0.key == id.item }), case .attempt(let bytes) = command.action,
      bytes > 0
    {
      problems.append("writes into a folder that is being deleted")
    }
    if let key = id.item, machine.state.status == .running {
      let frames = Set(commands.keys.compactMap(\.item).filter { $0.loop == key.loop })
        .union([key])
      problems += crowding(of: key, among: frames)
      let busy = Set(frames.map(\.whole))
      let limit = pipeline.loops[key.loop].concurrency
      if busy.count > limit { problems.append("\(busy.count) items are worked on of \(limit)") }
    }
    problems += staleOutputs(of: command, at: now) + lossOfWhatIsKept(by: command, machine)
    problems += allowance(command, machine, at: now)
    if case .materialize(let template)? = pipeline.step(of: id)?.action,
      case .attempt(let reserved) = command.action
    {
      let size = (try? machine.evaluator.plan(template, command.scope, id: id))?.size ?? 0
      if reserved < size { problems.append("reserves \(reserved) of \(size) bytes") }
    }
    return problems
  }

  /// The problems of the parts of an item that are worked on at once.
  private func crowding(of key: ItemKey, among frames: Set<ItemKey>) -> [String] {
    let own = frames.filter { $0.whole == key.whole }
    guard let part = own.lazy.compactMap(\.part).first,
      case .forEach(let template) = pipeline.steps[part.step].action
    else { return [] }
    var problems: [String] = []
    if own.contains(where: { $0.part == nil }) {
      problems.append("the item and its parts have something in flight")
    }
    let count = own.count { $0.part != nil }
    if count > template.concurrency {
      problems.append("\(count) parts are worked on of \(template.concurrency)")
    }
    return problems
  }

  private func batchProblems(_ command: Command) -> [String] {
    let keys = command.scope.members.map(\.item)
    guard let step = pipeline.step(of: command.id), let policy = step.batch else {
      return keys.isEmpty ? [] : ["is not a batch, but has members"]
    }
    var problems: [String] = []
    if keys.first != command.id.item {
      problems.append("shows another fence than its first member's")
    }
    let batches = command.scope.members.map { $0.frame[step.position].batch }
    if Set(batches.map { [$0?.first, $0?.generation] }).count > 1 {
      problems.append("has members of several batches")
    }
    if keys.count > policy.items { problems.append("has \(keys.count) members") }
    if Set(keys).count != keys.count { problems.append("has a member twice") }
    for (id, others) in members where commands[id] != nil && id != command.id {
      if !Set(others).isDisjoint(with: keys) { problems.append("shares a member with \(id)") }
    }
    return problems
  }

  private func isRepeat(_ command: Command) -> Bool {
    guard let step = pipeline.step(of: command.id), step.effect == .create, step.keyPlace != nil
    else {
      return false
    }
    return command.scope.frame(of: step)[step.position].unknownSince != nil
  }

  private func staleOutputs(of command: Command, at now: Instant) -> [String] {
    let step = pipeline.step(of: command.id)
    // A batch that is sent again is sent as it was: the response reports which identifiers have expired.
    if !command.scope.members.isEmpty, command.id.attempt > 1 { return [] }
    let uses: [OutputUse]
    switch command.action {
    // A repeat of a request whose outcome is unknown is the original request; only what authorizes it must be valid.
    case .attempt: uses = step?.uses.filter { $0.isCredential || !isRepeat(command) } ?? []
    // Values that were already sent need not be checked.
    case .adopt: uses = []
    // A probe asks about the fate of an identifier; only what authorizes it must be valid.
    case .probe: uses = step?.probe?.uses.filter(\.isCredential) ?? []
    case .abandon(let index):
      guard let key = command.id.item else { return ["compensates for the run"] }
      uses = pipeline.loops[key.loop].onAbandon[index].uses
    }
    return uses.compactMap { use in
      guard let output = use.output else { return nil }
      let producer = pipeline.steps[use.step]
      let state = command.scope.frame(of: producer)[producer.position]
      // A step that reads the output of a skippable step has to expect that it is missing.
      guard state.status != .skipped else { return nil }
      let value = state.outputs.indices.contains(output) ? state.outputs[output] : nil
      return value?.isValid(at: now) == true
        ? nil : "uses '\(producer.outputs[output].name)', which is stale"
    }
  }

  /// The problems of undoing for an item that is complete: only replaced results may be undone.
  private func lossOfWhatIsKept(by command: Command, _ machine: Machine) -> [String] {
    guard case .abandon(let index) = command.action, let key = command.id.item,
      let item = machine.state.loops[key.loop].active[key.ordinal],
      let next = item.abandoning?.next,
      next == .done || next == .skipped
    else { return [] }
    let named = pipeline.loops[key.loop].onAbandon[index].uses
      .filter { !$0.isCredential && pipeline.steps[$0.step].loop != nil }
      .map { pipeline.steps[$0.step].position }
    let isReplaced = named.contains { position in
      let current = item.frame[position]
      return current.status == .succeeded && !current.isInvalidated
        && current.generation > command.scope.itemFrame[position].generation
    }
    return isReplaced ? [] : ["undoes what a complete item keeps"]
  }

  private func allowance(_ command: Command, _ machine: Machine, at now: Instant) -> [String] {
    if case .adopt = command.action { return [] }
    switch machine.state.allowance {
    case .unlimited: return []
    case .none:
      // What waits for its earliest moment is handed over while the allowance ends (BT5).
      let isEarly = pipeline.step(of: command.id)?.transfer?.earliest != nil
      return isEarly && !isSuspended ? [] : ["is issued without allowance"]
    case .until(let end):
      if now >= end { return ["is issued after the allowance"] }
      let isRequest =
        switch pipeline.step(of: command.id)?.action {
        case .request?, .poll?, .repeat?, nil: true
        case .materialize?, .digest?, .upload?, .download?, .forEach?: false
        }
      if isRequest, now + machine.state.pace.expectedRequest > end {
        return ["does not fit the allowance"]
      }
      return []
    }
  }
}
