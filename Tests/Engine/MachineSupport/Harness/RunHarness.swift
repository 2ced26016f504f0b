import CEL
public import PipelineCore
public import Testing

/// Drives a machine by hand: each event is sent, then its effects are expected, exactly and in order.
///
/// Time moves only on request. After each event ``Machine/violations()`` must be empty, and a ``ModelWorld`` must
/// find every effect legal. ``finish(sourceLocation:)`` fails while unexpected effects are left.
public final class RunHarness {
  /// The machine.
  public private(set) var machine: Machine
  /// The durable rows, and the requests to the world.
  public private(set) var world: ModelWorld
  /// The time of the last event; a run starts at 0.
  public private(set) var now = Instant(milliseconds: 0)
  private var unexpected: [String] = []

  /// A run of `pipeline` over `files` of these sizes, started at 0; of a shard, it may start with the frame of its lead.
  public init(
    _ pipeline: Pipeline, files: [Int64] = [], seed: UInt64 = 1, password: String = "pw",
    shard: Shard? = nil, frame: Frame? = nil
  ) {
    let subjects = ModelWorld.subjects(files)
    world = ModelWorld(
      pipeline, subjects: pipeline.loops.map { $0.filesInput == nil ? [] : subjects })
    var state = ModelWorld.state(
      of: pipeline, files: files.count, seed: seed, password: password, shard: shard)
    if let frame { state.frame = frame }
    machine = Machine(state, evaluator: Evaluator(pipeline))
  }

  /// Sends an event, `at` this many seconds after the run's start;
  /// `nil` is at the same time as the last.
  public func send(
    _ event: Event, at seconds: Double? = nil,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    if let seconds { now = Instant(milliseconds: Int64(seconds * 1000)) }
    world.willApply(event)
    let effects = machine.apply(event, at: now)
    world.rows.commit(machine.takeCheckpoint(), of: machine.state)
    var problems = world.take(effects, machine, at: now) + world.rows.missing(of: machine.state)
    problems += machine.violations()
    for problem in problems {
      Testing.Issue.record("after \(event): \(problem)", sourceLocation: sourceLocation)
    }
    unexpected += effects.map { machine.text($0) }
  }

  /// Expects exactly these effects since the last expectation.
  public func expect(_ texts: String..., sourceLocation: Testing.SourceLocation = #_sourceLocation)
  {
    if unexpected != texts {
      Testing.Issue.record(
        "expected \(texts), got \(unexpected)", sourceLocation: sourceLocation)
    }
    unexpected = []
  }

  /// Lets pass the effects since the last expectation.
  public func pass() { unexpected = [] }

  /// Answers the attempt or probe of `step` that is in flight.
  public func answer(
    _ step: String, of ordinal: Int? = nil, _ verdict: Verdict, at seconds: Double? = nil,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    guard let id = inFlight(step, of: ordinal) else {
      Testing.Issue.record("'\(step)' is not in flight", sourceLocation: sourceLocation)
      return
    }
    send(.concluded(id, verdict), at: seconds, sourceLocation: sourceLocation)
  }

  /// The fence of the step's attempt, probe or (`undo`) compensation in flight.
  public func inFlight(_ step: String, of ordinal: Int? = nil) -> EffectID? {
    machine.inFlight.first { id in
      id.item?.ordinal == ordinal
        && (machine.pipeline.step(of: id)?.id.rawValue ?? "undo") == step
    }
  }

  /// Answers the read-ahead that is demanded from the rows.
  public func load(
    at seconds: Double? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    guard let load = world.loads.first else {
      Testing.Issue.record("no items are demanded", sourceLocation: sourceLocation)
      return
    }
    send(
      world.rows.load(load.loop, load.status, after: load.after, limit: load.limit), at: seconds,
      sourceLocation: sourceLocation)
  }

  /// Sets the elements of a loop, as the store has them now.
  public func enumerate(
    _ loop: Int, _ subjects: [Item.Subject],
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    world.rows.enumerate(loop, subjects)
    send(
      .itemsEnumerated(loop: loop, count: subjects.count), sourceLocation: sourceLocation)
  }

  /// Reports that the oldest files to be discarded are deleted.
  public func discard(
    at seconds: Double? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    guard let discard = world.discards.first else {
      Testing.Issue.record("nothing is being discarded", sourceLocation: sourceLocation)
      return
    }
    send(
      .filesDiscarded(discard.key, bytes: discard.bytes), at: seconds,
      sourceLocation: sourceLocation)
  }

  /// Puts paused and failed items back; `only` names some of them.
  public func retry(
    at seconds: Double? = nil, only: Set<Int>? = nil,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    send(requeue(only: only), at: seconds, sourceLocation: sourceLocation)
  }

  /// Makes rows pending; the event reports it to the run.
  public func requeue(only: Set<Int>? = nil) -> Event { world.rows.requeue(0, only: only) }

  /// Ends the process without notice, and acquires the run in a new one.
  public func crash(
    at seconds: Double? = nil, then event: Event = .runResumed,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    machine = Machine(machine.state.stored, evaluator: machine.evaluator)
    world.crash()
    send(event, at: seconds, sourceLocation: sourceLocation)
  }

  /// Nothing may be left that was not expected.
  public func finish(sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    expect(sourceLocation: sourceLocation)
  }

  /// The state of a step.
  public func step(_ id: String, of ordinal: Int? = nil) -> StepState? {
    let key = ordinal.map { ItemKey(loop: 0, ordinal: $0) }
    return machine.steps(of: key).first {
      machine.pipeline.steps[$0.step].id.rawValue == id
    }?.state
  }

  /// The row of an item.
  public func row(_ ordinal: Int, loop: Int = 0) -> Item { world.rows.items[loop][ordinal] }

  /// Why a frame waits.
  public func blocker(_ ordinal: Int? = nil) -> Blocker? {
    machine.blockers[ordinal.map { ItemKey(loop: 0, ordinal: $0) }]
  }
}

extension Verdict {
  /// Success with outputs of the specified lifetime, without a secret.
  public static func ok(_ outputs: OutputValue..., file: FileValue? = nil) -> Self {
    .success(StepResult(outputs: outputs, file: file, status: 200, duration: .milliseconds(100)))
  }
  /// Success of a step that made a file of `bytes`.
  public static func file(_ bytes: Int64) -> Self {
    .success(
      StepResult(
        file: FileValue(path: "0-0/body", name: "body", size: bytes, modified: 0)))
  }
  /// A token that lives 1 h from `seconds` on, less 60 s.
  public static func token(_ text: String, at seconds: Int64 = 0) -> Self {
    .ok(
      OutputValue(
        value: .string(text), isSecret: true,
        expires: Instant(milliseconds: (seconds + 3600) * 1000),
        staleFrom: Instant(milliseconds: (seconds + 3540) * 1000)))
  }
  /// An upload ID that lives 10 min from `seconds` on, less 5 s.
  public static func upload(_ text: String, at seconds: Int64 = 0) -> Self {
    .ok(
      OutputValue(
        value: .string(text), expires: Instant(milliseconds: (seconds + 600) * 1000),
        staleFrom: Instant(milliseconds: (seconds + 595) * 1000)))
  }
  /// A failure that may be tried again.
  public static let busy = Verdict.retry(Failure("busy", status: 503))
  /// No answer.
  public static let lost = Verdict.unknown(Failure("connection lost"))
}
