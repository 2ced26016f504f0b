/// Tries every fault on a small run, with the real engine core, and reports the outcome.
///
/// A run of one item is tried with each fault and with pairs, such as a second crash during recovery; one of two items, with
/// each fault by itself.
public struct CrashVerifier: Sendable {
  private let pipeline: Pipeline
  private let file: String
  private let server: ModelServer
  private let pairLimit: Int
  /// Of the faults of a run of two items, and of other runs beyond the first, every n-th is tried; the others count as untried.
  package var stride = 1
  /// A bug that is planted in all runs, to see that it is found.
  package var plant: (@Sendable (Event, Machine) -> Event)?

  /// Maximum number of pairs by default; with fewer there is no certificate.
  public static let usualPairs = 2000

  /// A verifier of `pipeline`, which was read from `file`.
  ///
  /// - Parameter pairLimit: Maximum number of pairs; if there are more, only every n-th is tried.
  /// - Throws: ``ExampleMissing`` if a response of the server is neither specified nor can be derived.
  public init(
    _ pipeline: SimulatedPipeline, file: String, pairLimit: Int = CrashVerifier.usualPairs
  ) throws(ExampleMissing) {
    self.pipeline = pipeline.pipeline
    self.file = file
    self.pairLimit = pairLimit
    server = try ModelServer(pipeline)
  }

  private static let baselineSteps = 10_000
  private static let budget = WorkBudget([.work: 200_000_000])

  /// All findings; those of faults that were not tried are missing (``CrashSafety/Effort/untried``).
  ///
  /// A run that does not end without faults is a counterexample; one with faults may be ten times longer.
  public func result() -> CrashSafety {
    var findings = Findings(pipeline, Self.budget)
    let single = Round(setup(items: 1), Self.baselineSteps)
    findings.take(single.baseline, [], single.baseline)
    let alone = single.hasEnd ? disturbances(of: single.baseline) : []
    findings.effort.crashPoints = single.baseline.faultHooks.count
    findings.effort.requests = single.baseline.journal.deliveries.count
    var grown: [[Disturbance]] = []
    for (index, first) in alone.enumerated() {
      guard findings.budget.left(.work) > 0 else {
        findings.effort.untried += alone.count - index
        break
      }
      let trial = single.trial([first])
      findings.take(trial, [first], single.baseline)
      // The effects of the first fault can be disturbed, too.
      for second in disturbances(of: trial)
      where Self.isAfter(second, first) && isPair(first, second, trial) {
        grown.append([first, second])
      }
    }
    if single.hasEnd {
      takeSingleFaults(of: setup(items: 2), &findings)
      takePieces(&findings)
      takeEmptyFile(&findings)
      takeRefusals(single, &findings)
    }
    takePairs(grown, single, &findings)
    return CrashSafety(
      pipeline: pipeline.name, file: file, steps: findings.steps,
      counterexamples: findings.counterexamples, effort: findings.effort)
  }

  private func setup(items: Int, areEmpty: Bool = false) -> TrialSetup {
    var setup = TrialSetup(pipeline, items: items, server: server, areEmpty: areEmpty)
    setup.plant = plant
    return setup
  }

  private func takePairs(_ grown: [[Disturbance]], _ round: Round, _ findings: inout Findings) {
    let stride = Self.stride(of: grown.count, limit: pairLimit)
    let usual = Self.stride(of: grown.count, limit: Self.usualPairs)
    findings.effort.allPairs = grown.count
    findings.effort.usualPairs = (grown.count + usual - 1) / usual
    guard pairLimit > 0 else { return }
    for (index, pair) in grown.enumerated() where index % stride == 0 {
      guard findings.budget.left(.work) > 0 else { return }
      findings.effort.pairs += 1
      findings.take(round.trial(pair), pair, round.baseline)
    }
  }

  /// With this many pairs, every n-th is tried.
  private static func stride(of pairs: Int, limit: Int) -> Int {
    max(1, (pairs + limit - 1) / max(limit, 1))
  }

  /// Refuses each step of a loop with compensations permanently, and adds faults to the compensations.
  private func takeRefusals(_ round: Round, _ findings: inout Findings) {
    for loop in pipeline.loops where !loop.onAbandon.isEmpty {
      for step in loop.steps where pipeline.steps[step].action.request != nil {
        let refusal = Disturbance.refusal(step: step)
        let refused = round.trial([refusal])
        let isReached = refused.journal.deliveries.contains { $0.entry != nil }
        findings.take(refused, [refusal], refused)
        guard isReached else { continue }
        // Undone work is repeated once the server has recovered.
        findings.take(round.trial([refusal, .retry]), [refusal, .retry], round.baseline)
        for (index, second) in disturbances(of: refused).enumerated() {
          guard findings.budget.left(.work) > 0 else {
            findings.effort.untried += disturbances(of: refused).count - index
            return
          }
          findings.take(round.trial([refusal, second]), [refusal, second], refused)
        }
      }
    }
  }

  /// Of an empty file no piece is sent, so that steps of its turns or parts never run.
  private func takeEmptyFile(_ findings: inout Findings) {
    guard pipeline.steps.contains(where: { $0.kind == .repeat || $0.kind == .forEach }) else {
      return
    }
    takeSingleFaults(of: setup(items: 1, areEmpty: true), &findings)
  }

  /// All other runs make files, as for a phone's transfer service; a desktop sends bodies from where their content is.
  private func takePieces(_ findings: inout Findings) {
    let makesFiles = pipeline.steps.indices.contains {
      pipeline.steps[$0].kind == .materialize && !pipeline.secretBodies.contains($0)
    }
    guard makesFiles else { return }
    var setup = self.setup(items: 1)
    setup.sendsPieces = true
    takeSingleFaults(of: setup, &findings)
  }

  private func takeSingleFaults(of setup: TrialSetup, _ findings: inout Findings) {
    let round = Round(setup, Self.baselineSteps)
    findings.take(round.baseline, [], round.baseline)
    guard round.hasEnd else { return }
    let alone = disturbances(of: round.baseline)
    for (index, first) in alone.enumerated() {
      guard findings.budget.left(.work) > 0 else {
        findings.effort.untried += alone.count - index
        return
      }
      guard index % stride == 0 else {
        findings.effort.untried += 1
        continue
      }
      findings.take(round.trial([first]), [first], round.baseline)
    }
  }

  /// The trials of one setup, each compared with the run without faults.
  private struct Round {
    private let rehearsal: Rehearsal
    private let steps: Int

    init(_ setup: TrialSetup, _ limit: Int) {
      rehearsal = Rehearsal(setup, steps: limit)
      steps = 10 * rehearsal.baseline.run.steps + 10_000
    }

    var baseline: Trial { rehearsal.baseline }
    var hasEnd: Bool { baseline.run.outcome == .rested }

    func trial(_ disturbances: [Disturbance]) -> Trial {
      rehearsal.trial(disturbances, steps: steps)
    }
  }

  static let faults = ServerModel.PlannedFault.allCases

  private func disturbances(of trial: Trial) -> [Disturbance] {
    let crashes = (0..<trial.faultHooks.count).map { Disturbance.crash($0 + 1) }
    let faults = trial.journal.deliveries.enumerated().flatMap { index, delivery in
      Self.faults.filter { isOf(delivery, $0) }.map { Disturbance.fault(index + 1, $0) }
    }
    return crashes + faults
  }

  private func isOf(_ delivery: ServerJournal.Delivery, _ fault: ServerModel.PlannedFault) -> Bool {
    switch fault {
    case .lostRequest, .lostReply, .brokenGateway, .lostReplyAndDeath, .refused503, .refused429,
      .unreadable, .seeOther:
      return true
    // The required content of a response to a compensation cannot be declared.
    case .signInPage, .foreignPage, .emptySuccess: return delivery.purpose != .abandon
    case .refused400, .refused401, .refused408, .refused425: return delivery.purpose == .attempt
    case .late, .unseen:
      // A probe that is trusted at once is an assumption of the author, which a late effect would contradict.
      guard delivery.purpose == .attempt, let step = pipeline.step(of: delivery.id),
        step.effect == .create, let probe = step.probe
      else { return false }
      return probe.patience > .zero || step.keyPlace != nil
    }
  }

  /// Whether a pair can show more than its single faults: a gateway's response, only to a probe after a lost request.
  private func isPair(_ first: Disturbance, _ second: Disturbance, _ trial: Trial) -> Bool {
    if case .fault(_, let fault) = first, fault.isForeign || fault == .seeOther { return false }
    guard case .fault(let number, let fault) = second, fault.isForeign || fault == .seeOther
    else { return true }
    guard case .fault(_, .lostRequest) = first else { return false }
    return trial.journal.deliveries[number - 1].purpose == .probe
  }

  /// Each pair is tried in one order: the later fault in the run comes second.
  private static func isAfter(_ second: Disturbance, _ first: Disturbance) -> Bool {
    switch (first, second) {
    case (.crash(let one), .crash(let other)): other > one
    case (.fault(let one, _), .fault(let other, _)): other > one
    // The lateness of an effect is measured from the end of its request, which the crash has shifted.
    case (.crash, .fault(_, let fault)): fault != .late && fault != .unseen
    case (.fault, .crash), (.refusal, _), (_, .refusal), (.retry, _), (_, .retry): false
    }
  }
}
