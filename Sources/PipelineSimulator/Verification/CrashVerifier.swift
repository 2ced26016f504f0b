public import PipelineCore

/// Tries every disturbance of a small run, on the engine's own core, and says what became of it.
///
/// A run of one item is tried with each process end, each unknown outcome, and pairs of them; a run of two
/// items with each alone. The pairs include a second end of the process while it recovers from the first.
public struct CrashVerifier: Sendable {
  private let pipeline: Pipeline
  private let file: String
  private let server: ModelServer
  private let pairLimit: Int

  /// A verifier of `pipeline`, which was read from `file`.
  ///
  /// - Parameter pairLimit: Pairs that are tried at most; where there are more, every n-th is.
  /// - Throws: ``ExampleMissing`` where an answer of the server is neither given nor can be made up.
  public init(
    _ pipeline: Pipeline, file: String, pairLimit: Int = 2000
  ) throws(ExampleMissing) {
    self.pipeline = pipeline
    self.file = file
    self.pairLimit = pairLimit
    server = try ModelServer(pipeline)
  }

  /// Everything found.
  public func result() -> CrashSafety {
    var findings = Findings(pipeline)
    let single = TrialSetup(pipeline, items: 1, server: server)
    let baseline = Trial(single, [])
    findings.take(baseline, [], baseline)
    let alone = disturbances(of: baseline)
    findings.effort.crashPoints = baseline.interference.count
    findings.effort.requests = baseline.journal.deliveries.count
    var grown: [[Disturbance]] = []
    for first in alone {
      let trial = Trial(single, [first])
      findings.take(trial, [first], baseline)
      // What the first disturbance brings about can be disturbed, too.
      for second in disturbances(of: trial) where Self.isAfter(second, first) {
        grown.append([first, second])
      }
    }
    let stride = max(1, (grown.count + pairLimit - 1) / max(pairLimit, 1))
    findings.effort.allPairs = grown.count
    for (index, pair) in grown.enumerated() where index % stride == 0 {
      findings.effort.pairs += 1
      findings.take(Trial(single, pair), pair, baseline)
    }
    takeTwoItems(&findings)
    return CrashSafety(
      pipeline: pipeline.name, file: file, steps: findings.steps,
      counterexamples: findings.counterexamples, effort: findings.effort)
  }

  private func takeTwoItems(_ findings: inout Findings) {
    let double = TrialSetup(pipeline, items: 2, server: server)
    let baseline = Trial(double, [])
    findings.take(baseline, [], baseline)
    for first in disturbances(of: baseline) {
      findings.take(Trial(double, [first]), [first], baseline)
    }
  }

  private func disturbances(of trial: Trial) -> [Disturbance] {
    let crashes = (0..<trial.interference.count).map { Disturbance.crash($0 + 1) }
    let faults = trial.journal.deliveries.indices.flatMap { index in
      ServerModel.PlannedFault.allCases.map { Disturbance.fault(index + 1, $0) }
    }
    return crashes + faults
  }

  /// Each pair is tried in one order: what comes later in the run, second.
  private static func isAfter(_ second: Disturbance, _ first: Disturbance) -> Bool {
    switch (first, second) {
    case (.crash(let one), .crash(let other)): other > one
    case (.fault(let one, _), .fault(let other, _)): other > one
    case (.crash, .fault): true
    case (.fault, .crash): false
    }
  }
}
