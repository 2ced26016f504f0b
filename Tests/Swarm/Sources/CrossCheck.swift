import Basics
import CEL
public import PipelineCore
import PipelineDocument
import PipelineEngine
import PipelineScenarios
public import PipelineSimulator

/// Compares `verify` with simulations of the same drawn pipeline: what random faults make a server carry out twice, and files that
/// the server does not have as a whole when their items are done, `verify` must find.
public struct CrossCheck: Sendable {
  private let library: PipelineLibrary

  /// The outcome of one pipeline.
  public struct Outcome: Hashable, Sendable {
    /// The pipeline's text.
    public let text: String
    /// The step that a simulation carried out twice for one item; `nil` if there is none.
    public let doubled: StepID?
    /// The violation of a simulation in which an item was done before the server had its file; `nil` if it has no such item.
    public let shortfall: String?
    /// Whether `verify` has a counterexample; only known if a simulation has one.
    public let isFound: Bool
  }

  /// A check of the pipelines that seeds draw from `library`.
  public init(_ library: PipelineLibrary) { self.library = library }

  /// Simulates the pipeline of `seed`; every other one without a key that makes a repeat safe.
  ///
  /// - Throws: ``/PipelineSimulator/ExampleMissing`` if no server can be derived.
  public func outcome(of seed: UInt64) throws(ExampleMissing) -> Outcome {
    let plan = SwarmPlan(seed: seed, library: library)
    let text = seed.isMultiple(of: 2) ? Self.weakened(plan.text) : plan.text
    let known = PipelineDocument.load(text: text, file: "drawn.yaml").simulated ?? plan.simulated
    let server = try ModelServer(known)
    for round in UInt64(1)...6 {
      let run = Self.run(of: known, server, plan, seed &* 8 &+ round)
      let doubled = (run.server as? ModelServer).flatMap {
        Self.doubled($0.journal, known.pipeline)
      }
      let shortfall = run.shortfall?.explanation
      guard doubled != nil || shortfall != nil else { continue }
      var safety = try CrashVerifier(known, file: "drawn.yaml", pairLimit: 0).result()
      if safety.counterexamples.isEmpty {
        safety = try CrashVerifier(known, file: "drawn.yaml").result()
      }
      return Outcome(
        text: text, doubled: doubled, shortfall: shortfall,
        isFound: !safety.counterexamples.isEmpty)
    }
    return Outcome(text: text, doubled: nil, shortfall: nil, isFound: false)
  }

  private static func weakened(_ text: String) -> String {
    text.replacing(
      "effect: create\n        idempotency: { header: Idempotency-Key }\n",
      with: "effect: create  # pipeline: ignore[unsafe-create] tried\n")
  }

  /// The effects of a server with random faults,
  /// while processes crashed and the user retried stopped items.
  private static func run(
    of known: SimulatedPipeline, _ server: ModelServer, _ plan: SwarmPlan, _ seed: UInt64
  ) -> SimulatedRun {
    var model = ServerModel.ideal
    model.latency = .constant(0.5)
    model.faults = .init(serverError: 0.15, lostReply: 0.15, lostRequest: 0.1, revoked: 0.2)
    var inputs = SimulatedRun.Inputs()
    var disk = VirtualDisk()
    for file in plan.items { disk.add(file) }
    for input in known.pipeline.inputs {
      switch input.kind {
      case .secret: inputs.secrets[input.name] = "secret"
      case .files: inputs.files[input.name] = plan.items
      default: inputs.values[input.name] = SwarmRun.value(of: input)
      }
    }
    var settings = SimulatedRun.Settings()
    settings.seed = seed
    settings.isTraced = false
    settings.limit = .seconds(60 * 86400)
    settings.faultHooks = RandomCrashes(random: SplitMix64(seed: seed))
    var run = SimulatedRun(
      known.pipeline, inputs: inputs, server: server.restarted(model: model, seed: seed),
      disk: disk, settings: settings)
    run.simulate()
    for _ in 0..<3 where run.outcome == .rested {
      run.begin(retrying: true)
      run.simulate()
    }
    return run
  }

  private struct RandomCrashes: FaultHooks {
    var random: SplitMix64

    mutating func endsProcess(at point: CrashPoint) -> Bool { random.flip(0.01) }
  }

  /// A step whose effect was repeated for one item while the earlier one was neither undone nor replaced.
  private static func doubled(_ journal: ServerJournal, _ pipeline: Pipeline) -> StepID? {
    let read = Set(pipeline.steps.flatMap(\.uses).filter { $0.output != nil }.map(\.step))
    var earlier: [EffectID: ServerJournal.Commit] = [:]
    for commit in journal.commits {
      let step = pipeline.steps[commit.step]
      guard step.effect == .create, step.batch == nil else { continue }
      // Results that others read may be replaced when they have expired.
      let id = EffectID(
        run: commit.id.run, item: commit.id.item, step: commit.step,
        generation: read.contains(commit.step) ? commit.id.generation ?? 1 : 1, attempt: 1)
      if let known = earlier[id], known.abandoned.map({ $0 > commit.at }) ?? true { return step.id }
      earlier[id] = commit
    }
    return nil
  }
}
