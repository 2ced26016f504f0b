import CEL
public import PipelineCore

/// Something that can happen next.
public struct Move: Sendable {
  /// The events for the machine.
  public let event: Event
  /// The time of the event; `nil` if no time has passed.
  public var moment: Instant?
  /// Faults it uses up.
  public var cost = 0
  /// Whether the process ends first.
  public var isCrash = false
  /// Whether the attempt took effect at the server.
  public var commits = false
  /// Members of a batch for which it did not, or was undone.
  public var refused: Set<ItemKey> = []

  init(_ event: Event, cost: Int = 0, commits: Bool = false) {
    self.event = event
    self.cost = cost
    self.commits = commits
  }

  func text(_ machine: Machine) -> String {
    guard !isCrash else { return "crash" }
    if case .concluded(let id, let verdict) = event {
      var word = "\("\(verdict)".prefix { $0 != "(" })"
      if case .results(_, let verdicts) = verdict {
        word += " \(verdicts.map { "\($0)".prefix { $0 != "(" } })"
      }
      return "\(machine.text(id)) \(word)\(commits ? " +" : "")"
    }
    return "\("\(event)".prefix { $0 != "(" })"
  }
}

/// The faults of an exploration.
public struct FaultKinds: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int
  /// Wraps the bits.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Attempts come to anything.
  public static let verdicts = FaultKinds(rawValue: 1)
  /// The process ends at any moment.
  public static let crashes = FaultKinds(rawValue: 2)
  /// The allowance ends and is granted again.
  public static let allowance = FaultKinds(rawValue: 4)
  /// The user pauses, cancels and retries.
  public static let people = FaultKinds(rawValue: 8)
  /// Values expire by the clock.
  public static let clock = FaultKinds(rawValue: 16)
  /// The store cannot load items.
  public static let reads = FaultKinds(rawValue: 32)
  /// Responses that ask for patience, and a machine that lacks resources; many, and so only for walks.
  public static let delays = FaultKinds(rawValue: 64)
  /// All that exploration tries.
  public static let all: FaultKinds = [.verdicts, .crashes, .allowance, .people, .clock, .reads]
}

extension Node {
  /// All possible next moves, those without a fault first; the first of them is that of an ideal world.
  public func moves(_ kinds: FaultKinds) -> [Move] {
    var moves = goodMoves()
    if world.hasStopped, machine.state.status != .running {
      if faults > 0, kinds.contains(.people), machine.state.status == .finished { moves += retry() }
      return moves
    }
    guard faults > 0 else { return moves }
    if kinds.contains(.verdicts) {
      for id in world.commands.keys.sorted(by: Self.order) {
        moves += badAnswers(id) + questions(id)
        if kinds.contains(.delays) { moves += delays(id) }
      }
    }
    if kinds.contains(.reads), let load = world.loads.first {
      moves.append(Move(.loadFailed(loop: load.loop, Failure("unreadable")), cost: 1))
    }
    if kinds.contains(.crashes) {
      var crash = Move(.runResumed, cost: 1)
      crash.isCrash = true
      moves.append(crash)
    }
    if kinds.contains(.allowance), machine.state.allowance != .none {
      moves.append(Move(.allowanceExpiring, cost: 1))
      let end = now + .milliseconds(1500)
      if machine.state.allowance == .unlimited {
        moves.append(Move(.allowanceGranted(until: end), cost: 1))
      }
    }
    if kinds.contains(.people) {
      if machine.state.status == .running || machine.state.status == .cancelling {
        moves.append(Move(.pauseRequested(Failure("^C")), cost: 1))
      }
      if machine.state.status != .cancelling { moves.append(Move(.cancelRequested, cost: 1)) }
    }
    if kinds.contains(.clock), let expiry = nextExpiry() {
      var move = Move(.timerFired, cost: 1)
      move.moment = expiry
      moves.append(move)
    }
    return moves
  }

  /// What happens when nothing goes wrong.
  public func goodMoves() -> [Move] {
    var moves: [Move] = []
    if machine.state.status == .paused { moves.append(Move(.unpaused)) }
    if world.hasStopped, machine.state.status == .cancelling {
      var next = Move(.runResumed)
      next.isCrash = true
      return [next]
    }
    switch machine.state.allowance {
    case .none: moves.append(Move(.allowanceGranted(until: nil)))
    case .until(let end):
      // The device lets an allowance end only after it announced that.
      var expiring = Move(.allowanceExpiring)
      expiring.moment = end
      moves.append(expiring)
    case .unlimited: break
    }
    for id in world.interrupts.sorted(by: Self.order) where world.commands[id] != nil {
      moves.append(Move(.concluded(id, .interrupted)))
    }
    for id in world.commands.keys.sorted(by: Self.order) { moves += goodAnswer(id) }
    if let load = world.loads.first {
      moves.append(
        Move(world.rows.load(load.loop, load.status, after: load.after, limit: load.limit)))
    }
    for discard in world.discards {
      moves.append(Move(.filesDiscarded(discard.key, bytes: discard.bytes)))
    }
    if let timer = world.timer,
      machine.state.status == .running || machine.state.status == .cancelling
    {
      var fired = Move(.timerFired)
      fired.moment = timer
      moves.append(fired)
    }
    return moves
  }

  private func goodAnswer(_ id: EffectID) -> [Move] {
    guard let step = machine.pipeline.step(of: id) else { return [Move(.concluded(id, .ok()))] }
    let generation = id.generation ?? 1
    if world.commands[id] == .probe, !server.holds(id, world.members(of: id)) {
      return [Move(.concluded(id, .notDone))]
    }
    // A transfer that asked waits for the reply.
    guard world.pendingRenewals[id] == nil else { return [] }
    if case .repeat = step.action { return resyncAnswers(id, step) }
    let commits = world.commands[id] != .probe
    let success = success(step, of: world.members(of: id), generation)
    let moves = [Move(.concluded(id, success), commits: commits)]
    // A service that ended with its process has no earlier transfers.
    guard case .adopt? = world.commands[id] else { return moves }
    return moves + [Move(.concluded(id, .interrupted))]
  }

  /// The server has the pieces that are known, or one more, whose response was lost.
  private func resyncAnswers(_ id: EffectID, _ step: Step) -> [Move] {
    let state = machine.steps(of: id.item).first { $0.step == id.step }?.state
    guard case .int(let known)? = state?.outputs.first?.value else { return [] }
    return [known, known + 1].map { number in
      var result = StepResult(status: 200, duration: .milliseconds(100))
      result.outputs = [OutputValue(value: .int(number))]
      return Move(.concluded(id, .success(result)))
    }
  }

  /// The good response to one attempt: a reissued result is another thing.
  func success(_ step: Step, _ generation: Int = 1) -> Verdict {
    var result = StepResult(status: 200, duration: .milliseconds(100), bytes: 0)
    result.outputs = step.outputs.map { output in
      let life: Duration = output.isSecret ? .seconds(3600) : .seconds(600)
      return OutputValue(
        value: .string(generation > 1 ? "v\(generation)" : "v"), isSecret: output.isSecret,
        expires: now + life,
        staleFrom: now + life - .seconds(5))
    }
    if step.savesFile {
      result.file = FileValue(path: "/target/film", name: "film", size: 10, modified: 0)
    } else if step.makesFile {
      result.file = FileValue(path: "body", name: "body", size: 10, modified: 0)
    }
    return .success(result)
  }

  private func badAnswers(_ id: EffectID) -> [Move] {
    let failure = Failure("bad", status: 500)
    func move(_ verdict: Verdict, commits: Bool = false) -> Move {
      Move(.concluded(id, verdict), cost: 1, commits: commits)
    }
    guard let step = machine.pipeline.step(of: id) else {
      let uses = machine.pipeline.loops[id.item?.loop ?? 0].onAbandon.flatMap(\.uses)
      let credentials = Set(uses.filter(\.isCredential).map(\.step)).sorted()
      return [move(.fail(failure)), move(.retry(failure)), move(.interrupted)]
        + credentials.map { move(.expired(step: $0, failure)) }
    }
    var moves = [move(.retry(failure)), move(.unknown(failure)), move(.interrupted)]
    moves += [move(.fail(failure)), move(.pause(failure))]
    if world.commands[id] != .probe || server.holds(id, world.members(of: id)) {
      moves += badResults(id, step)
    }
    if world.commands[id] != .probe {
      moves += [move(.unknown(failure), commits: true), move(.interrupted, commits: true)]
      moves.append(move(.poll(at: nil)))
      if step.effect == .create, step.probe != nil || step.keyPlace != nil {
        // The response does not show whether it took effect.
        for verdict in [Verdict.retry(failure), .fail(failure), .poll(at: nil)] {
          moves.append(move(.uncertain(verdict), commits: true))
        }
        for producer in Set(step.uses.map(\.step)).sorted() where producer != id.step {
          // That a response shows that a request under a key was not carried out is the author's
          // assumption, which holds here.
          let isProof = step.probe == nil && !isCredential(producer, of: step)
          if isProof, server.knowsKey(of: id, world.members(of: id)) { continue }
          moves.append(move(.uncertain(.expired(step: producer, failure)), commits: !isProof))
        }
      }
      if let key = id.item, key.part == nil {
        moves += [move(.itemDone), move(.itemSkipped(failure))]
      }
    }
    for producer in Set(step.uses.map(\.step)).sorted() where producer != id.step {
      if step.keyPlace != nil, server.knowsKey(of: id, world.members(of: id)) { continue }
      moves.append(move(.expired(step: producer, failure)))
    }
    if step.makesFile { moves.append(move(.unavailable(.diskSpace, failure))) }
    if step.kind != .materialize, step.kind != .digest {
      moves.append(move(.unavailable(.network, failure)))
    }
    return moves
  }

  private func isCredential(_ producer: Int, of step: Step) -> Bool {
    step.uses.contains { $0.step == producer && $0.isCredential }
  }

  /// Responses that name a time, and shortages of the machine under the run.
  private func delays(_ id: EffectID) -> [Move] {
    let later = now + .seconds(20)
    var verdicts: [Verdict] = [
      .retry(Failure("bad", status: 503), after: later), .unavailable(.openFiles, Failure("bad")),
      .retry(Failure("bad", status: 429)), .stale(Failure("closed")),
      .pauseRun(Failure("full", status: 507)), .retry(Failure("full", status: 507)),
    ]
    if let step = machine.pipeline.step(of: id), world.commands[id] != .probe {
      verdicts.append(.poll(at: later))
      if step.effect == .create {
        verdicts.append(.uncertain(.poll(at: later)))
      }
    }
    return verdicts.map { Move(.concluded(id, $0), cost: 1) }
  }

  /// A transfer asks for a new request; asking twice counts once.
  private func questions(_ id: EffectID) -> [Move] {
    guard world.commands[id] != .probe else { return [] }
    let renewals = machine.pipeline.step(of: id)?.transfer?.renewals ?? []
    return Renewal.allCases.filter(renewals.contains).map {
      Move(.renewalRequested(id, $0), cost: 1)
    }
  }

  private func retry() -> [Move] {
    var moves: [Move] = []
    for loop in world.rows.items.indices
    where world.rows.items[loop].contains(where: { $0.status == .paused || $0.status == .failed }) {
      moves.append(Move(.itemsRequeued(loop: loop, paused: 0, failed: 0), cost: 1))
    }
    return moves
  }

  /// When the next value goes stale that lives now.
  private func nextExpiry() -> Instant? {
    var frames = [machine.state.frame]
    for loop in machine.state.loops { frames += loop.active.values.map(\.frame) }
    return frames.joined().flatMap(\.outputs).compactMap(\.staleFrom).filter { $0 > now }.min()
  }
}
