import PipelineCore
import PipelineSimulator

/// Many seeds, each run twice, once more without faults, and compared with the reference model.
public struct Swarm: Sendable {
  private let library: PipelineLibrary
  private let bug: PlantedBug?

  /// A swarm of the pipelines of `library`; with `bug`, of an engine whose shell has it.
  public init(_ library: PipelineLibrary, bug: PlantedBug? = nil) {
    self.library = library
    self.bug = bug
  }

  /// Everything about one seed.
  public func result(of seed: UInt64) -> SwarmResult {
    result(of: SwarmPlan(seed: seed, library: library)) { nil }
  }

  /// All findings of a trace, as far as the engine still asks for its draws: see ``SwarmResult/misfits``.
  ///
  /// - Throws: ``PipelineLibrary/Problem`` if the trace cannot be read.
  public func result(of trace: SwarmTrace) throws(PipelineLibrary.Problem) -> SwarmResult {
    let draws = try trace.lists
    return result(of: try trace.plan) { DrawTape(draws) }
  }

  /// The decisions of a seed, written down while it runs; `found` describes its violations.
  ///
  /// - Throws: ``PipelineLibrary/Problem`` if a run of the trace is not the same.
  public func trace(
    of seed: UInt64, found: ([String]) -> String
  ) throws(PipelineLibrary.Problem) -> (trace: SwarmTrace, result: SwarmResult) {
    let plan = SwarmPlan(seed: seed, library: library)
    let tape = DrawTape()
    let first = result(of: plan, isOnce: true) { tape }
    let trace = SwarmTrace(plan, tape.lists, bug: bug, found: found(first.violations))
    let again = try result(of: trace)
    guard again.hash == first.hash, again.misfits.isEmpty else {
      throw PipelineLibrary.Problem(
        message: "the trace of seed \(seed) is not the run of the seed: \(again.misfits)")
    }
    return (trace, again)
  }

  private func result(
    of plan: SwarmPlan, isOnce: Bool = false, _ tape: () -> DrawTape?
  ) -> SwarmResult {
    do throws(ExampleMissing) {
      let server = try ModelServer(plan.simulated)
      let draws = tape()
      var first = SwarmRun(plan, server, tape: draws, bug: bug)
      var result = first.execute()
      result.misfits = draws?.misfits ?? []
      // A planted bug is searched for in only one run.
      guard bug == nil, !isOnce else { return result }
      var second = SwarmRun(plan, server, tape: tape(), bug: bug)
      if second.execute().hash != result.hash {
        result.violations.append(
          "the same seed gave a different history: \(first.difference(from: second))")
      }
      var calm = SwarmRun(plan.faultless, server, bug: nil)
      let calmResult = calm.execute()
      result.violations += calmResult.violations.map { "without faults: \($0)" }
      var reference = ReferenceModel(plan.faultless, server)
      let expected = reference.execute()
      let difference = FinalState(calm.run).difference(from: expected)
      if !difference.isEmpty {
        result.violations.append(
          "without faults the reference model ends in a different state: \(difference)")
        result.timeline = TraceText(calm.run).render(calm.run.trace, limit: 80)
      }
      return result
    } catch {
      preconditionFailure(error.message)
    }
  }
}

/// The figures of many seeds.
public struct SwarmFigures: Sendable {
  /// Seeds so far.
  public private(set) var seeds = 0
  /// Virtual time, all seeds together.
  public private(set) var elapsed = Duration.zero
  /// Requests.
  public private(set) var requests = 0
  /// A digest of all histories, independent of their order: the same for the same behavior.
  public private(set) var histories: UInt64 = 0
  /// Faults by kind.
  public private(set) var faults: [String: Int] = [:]
  /// The coverage marks that were reached.
  public private(set) var coverageMarks: [CoverageMark: Int] = [:]
  /// Seeds with violations.
  public private(set) var failures: [SwarmResult] = []

  /// Nothing yet.
  public init() {}

  /// Adds the result of a seed.
  public mutating func add(_ result: SwarmResult) {
    seeds += 1
    elapsed += result.elapsed
    requests += result.requests
    histories &+= result.hash
    faults.merge(result.faults) { $0 + $1 }
    coverageMarks.merge(result.coverageMarks) { $0 + $1 }
    if !result.violations.isEmpty { failures.append(result) }
  }

  /// Adds the results of others.
  public mutating func add(_ other: SwarmFigures) {
    seeds += other.seeds
    elapsed += other.elapsed
    requests += other.requests
    histories &+= other.histories
    faults.merge(other.faults) { $0 + $1 }
    coverageMarks.merge(other.coverageMarks) { $0 + $1 }
    failures += other.failures
  }

  /// What never happened and has to.
  public var unseen: [CoverageMark] { CoverageMark.allCases.filter { coverageMarks[$0] == nil } }

  /// The figures as lines.
  public func text() -> String {
    let days = elapsed.components.seconds / 86400
    var text = "\(seeds) seeds, \(requests) requests, \(days) simulated days, "
    text += "\(failures.count) seeds with violations\n"
    text += "histories \(String(histories, radix: 16))\n\nfaults injected\n"
    for (kind, count) in faults.sorted(by: { $0.key < $1.key }) where count > 0 {
      text += "  \(count)  \(kind)\n"
    }
    text += "\nmust happen, and did\n"
    for sighting in CoverageMark.allCases {
      text += "  \(coverageMarks[sighting] ?? 0)  \(sighting.rawValue)\n"
    }
    return text
  }
}

extension Swarm {
  /// Everything about one seed of workers on the shards of a run.
  public static func shards(seed: UInt64, bug: ShardBug? = nil) -> ShardResult {
    var swarm = ShardSwarm(seed: seed, bug: bug)
    return swarm.execute()
  }
}
