/// Why a pipeline cannot be simulated in a scenario.
public struct SimulationProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem: a sentence without a final full stop.
  public let message: String
  /// The possible fix.
  public let help: String?
  /// Where it is in a scenario; `nil` if nowhere.
  public let range: TextRange?
  /// Where it is in the pipeline; `nil` if nowhere.
  public let location: SourceLocation?

  /// Creates a problem.
  public init(
    _ message: String, help: String? = nil, at range: TextRange? = nil,
    in location: SourceLocation? = nil
  ) { (self.message, self.help, self.range, self.location) = (message, help, range, location) }

  /// The position and the message, for the user.
  public var description: String {
    (range.map { "\($0): " } ?? location.map { "\($0): " } ?? "") + message
  }
}

/// A pipeline in a scenario; each seed produces its own run, and the same seed always the same run.
///
/// ```swift
/// let simulation = try Simulation(document.simulated, .standard) let result = simulation.run(seed:
/// 1) print(result.summary.counts[.done] ?? 0)
/// ```
public struct Simulation: Sendable {
  /// The definition.
  public private(set) var pipeline: Pipeline
  public private(set) var scenario: Scenario
  /// Whether to measure how long items wait and why, which costs some time itself.
  public var countsStalls = true
  private(set) var inputs: SimulationInputs
  /// The server in its initial state; creating one takes longer than a run.
  private var server: ModelServer

  var simulated: SimulatedPipeline { SimulatedPipeline(pipeline, examples: server.examples) }

  /// Combines a pipeline and a scenario, which may mention only elements of the pipeline.
  public init(_ simulated: SimulatedPipeline, _ scenario: Scenario) throws(SimulationProblem) {
    pipeline = simulated.pipeline
    self.scenario = scenario
    guard scenario.items.count > 0
    else { throw SimulationProblem("there are no items to simulate", help: "use at least one") }
    guard scenario.length > .zero
    else { throw SimulationProblem("the simulated time must be greater than zero") }
    try scenario.checkSize()
    inputs = try SimulationInputs(pipeline, scenario)
    for lifetime in scenario.lifetimes where pipeline.stepIndex[StepID(lifetime.step)] == nil {
      throw SimulationProblem(
        "no step of the pipeline '\(pipeline.name)' has the id '\(lifetime.step)'",
        help: "expected one of \(pipeline.steps.map(\.id.rawValue).joined(separator: ", "))",
        at: lifetime.range)
    }
    do throws(ExampleMissing) {
      server = try ModelServer(simulated, model: scenario.server)
    } catch { throw SimulationProblem(error.message, help: error.help, in: error.location) }
    for property in scenario.properties { try PropertyWatch.check(property, pipeline) }
  }

  /// Simulates the scenario once; without a trace, many runs are faster.
  public func run(seed: UInt64, isTraced: Bool = false) -> SimulationResult {
    run(ScenarioPlan(scenario, seed: seed), seed: seed, isTraced: isTraced)
  }

  /// The same without a trace, and with a limit on the number of steps.
  func run(seed: UInt64, steps: Int) -> SimulationResult {
    run(ScenarioPlan(scenario, seed: seed), seed: seed, isTraced: false, steps: steps)
  }

  /// Simulates a plan, which may be a part of the scenario's.
  func run(
    _ plan: ScenarioPlan, seed: UInt64, isTraced: Bool, steps: Int? = nil
  ) -> SimulationResult {
    let schedule = LifeSchedule(plan, base: scenario.conditions, length: scenario.length)
    var run = simulatedRun(plan, schedule, seed: seed, isTraced: isTraced)
    if let steps { run.settings.steps = steps }
    let properties = finish(&run, schedule) { _, _ in false }
    return SimulationResult(
      seed: seed, pipeline: pipeline.name, scenario: scenario.name, start: scenario.start,
      summary: SimulationSummary(run), trace: run.trace, properties: properties,
      obstacles: Obstacle.all(of: run, schedule), unfinished: run.firstUnfinished, steps: run.steps)
  }

  /// Advances a run to its end, or until its properties are decided if that is enough.
  private func finish(
    _ run: inout SimulatedRun, _ schedule: LifeSchedule,
    orWhen isEnough: (PropertyWatch, SimulatedRun) -> Bool
  ) -> [PropertyResult] {
    var watch = PropertyWatch(scenario.properties, pipeline, from: scenario.start)
    watch.look(at: &run)
    var standstill = Standstill(schedule, limit: scenario.length, properties: scenario.properties)
    while run.outcome == nil, !isEnough(watch, run) {
      run.advance()
      watch.look(at: &run)
      if standstill.isReached(run) { run.end(.stuck) }
    }
    return watch.results(end: run.now - run.start, limit: scenario.length)
      + [run.shortfall].compactMap(\.self)
  }

  /// The same pipeline in a scenario in which only the world differs.
  func with(_ scenario: Scenario) -> Self {
    var result = self
    result.scenario = scenario
    result.server.model = scenario.server
    result.countsStalls = false
    return result
  }

  /// A pipeline that differs only in limits, so that the server's responses are the same, in the same scenario.
  func with(_ pipeline: Pipeline) -> Self {
    var result = self
    result.pipeline = pipeline
    result.countsStalls = false
    return result
  }

  /// When a plan first violates the property, or without one ``PropertyResult/wholeFiles``; `nil` if not within `steps` steps.
  func violation(_ plan: ScenarioPlan, seed: UInt64, steps: Int) -> (at: Duration?, steps: Int) {
    let schedule = LifeSchedule(plan, base: scenario.conditions, length: scenario.length)
    var run = simulatedRun(plan, schedule, seed: seed, isTraced: false)
    run.settings.steps = steps
    let isAboutBytes = scenario.properties.isEmpty
    let first = finish(&run, schedule) { isAboutBytes ? $1.shortfall != nil : $0.isDecided }.first
    if case .tooManySteps = run.outcome { return (nil, run.steps) }
    return (first.flatMap { $0.holds ? nil : $0.violatedAt }, run.steps)
  }

  func simulatedRun(
    _ plan: ScenarioPlan, _ schedule: LifeSchedule, seed: UInt64, isTraced: Bool
  ) -> SimulatedRun {
    let first = schedule.conditions.first?.1 ?? scenario.conditions
    var settings = SimulatedRun.Settings()
    settings.start = scenario.start
    settings.seed = seed ^ 0x6a69_7474_6572_0001
    settings.limit = scenario.length
    settings.isTraced = isTraced
    settings.tracesBlockers = countsStalls
    settings.interventions = schedule.interventions
    var profile = scenario.profile
    // A device can only resume a transfer if the server supports it (TX10).
    profile.transfers.resumesUploads =
      profile.transfers.resumesUploads && server.model.resumesUploads
    let device = PhoneDevice(
      profile, life: schedule.life, from: scenario.start,
      conditions: DeviceConditions(first), seed: seed ^ 0x6465_7669_6365_0001)
    var disk = VirtualDisk(capacity: first.free, writeSpeed: scenario.writeSpeed)
    let files = inputs.files(plan.sizes)
    for list in files.values { for file in list { disk.add(file) } }
    var values = inputs.values
    for name in inputs.singleFiles { values[name] = files[name]?.first?.value }
    let lists = files.filter { !inputs.singleFiles.contains($0.key) }
    let isWatched = scenario.properties.contains(where: \.isAboutRequests)
    var server = server
    server.draws = Draws(seed: seed ^ 0x7365_7276_6572_0001)
    // If clocks differ, a lifetime that ends at a time of the server's clock means nothing without a `Date`.
    server.model.isDated = plan.moments.contains { $0.happening.isClockChange }
    return SimulatedRun(
      pipeline, inputs: .init(values: values, secrets: inputs.secrets, files: lists),
      server: ConnectedServer(
        server, schedule, from: scenario.start, isWatched: isWatched, seed: seed),
      device: device, disk: disk, settings: settings)
  }
}

/// The result of one simulated run.
public struct SimulationResult: Sendable {
  /// The seed that reproduces it.
  public let seed: UInt64
  /// Names of the pipeline and the scenario.
  public let pipeline, scenario: String
  /// When virtual time started.
  public let start: Instant
  /// The numbers.
  public let summary: SimulationSummary
  /// What happened; empty without a trace.
  public let trace: Trace
  /// The results of the scenario's properties, in its order.
  public let properties: [PropertyResult]
  /// What keeps unfinished items from continuing, most items first.
  public let obstacles: [Obstacle]
  /// The first item that was started and is not done.
  let unfinished: ItemKey?
  let steps: Int

  /// Whether all properties hold.
  public var isSound: Bool { properties.allSatisfy(\.holds) }
}

/// The result for one property.
public struct PropertyResult: Hashable, Sendable {
  public let name: String
  /// Whether it holds.
  public let holds: Bool
  /// When it was first violated, after the start.
  public let violatedAt: Duration?
  /// What violated it, with the values seen; a sentence without a final full stop.
  public let explanation: String?
  /// Whether it holds only because nothing relevant happened.
  public let isVacuous: Bool
  /// The request that violated it, if one did.
  let request: EffectID?
  /// The item that violated it, if no request did.
  var item: ItemKey?

  /// The law of all simulations that an item is done only when the server has all of its file; listed where it is violated.
  public static let wholeFiles = "whole-files"
}
