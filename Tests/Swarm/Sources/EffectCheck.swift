import PipelineCore
import PipelineSimulator

/// The server's effects, compared with the store's records.
struct EffectCheck {
  private let run: SimulatedRun
  private let ledger: EffectLedger
  private let journal: ServerJournal

  init(_ run: SimulatedRun, _ ledger: EffectLedger, _ journal: ServerJournal) {
    self.run = run
    self.ledger = ledger
    self.journal = journal
  }

  /// Effects of creating steps that took place too often.
  ///
  /// Each generation takes effect once; the last step of an item, where a probe or a key protects it, once for the item:
  /// nothing after it can find out that one of its sources has expired.
  /// And nothing is repeated while its outcome is unknown.
  func doubled() -> [String] {
    var found: [String] = []
    var made: [Producer: [EffectLedger.IssuedStep]] = [:]
    for delivery in journal.deliveries {
      // Undone effects may be created again.
      if delivery.outcome == .abandoned {
        for maker in made.keys where maker.key?.whole == delivery.id.item { made[maker] = nil }
      }
      guard case .committed(let number) = delivery.outcome, !delivery.isDuplicate else { continue }
      let commit = journal.commits[number - 1]
      let step = run.pipeline.steps[commit.step]
      guard step.effect == .create else { continue }
      for one in ledger.members(of: commit.id) {
        let maker = Producer(key: one.key, step: one.step)
        let name = "'\(step.id)' of \(one.key.map { "\($0)" } ?? "run")"
        let earlier = made[maker] ?? []
        if earlier.contains(one) {
          found.append("the server carried out \(name), generation \(one.generation) twice")
        } else if let last = earlier.last {
          if isLastWord(step), !isTimeLost || step.probe.map({ $0.until == .zero }) ?? true {
            found.append("the server carried out \(name) twice")
          }
          if ledger.isUnwanted(one, after: last) {
            found.append("\(name) was redone while its outcome was unknown")
          }
        }
        made[maker, default: []].append(one)
      }
    }
    return found
  }

  private struct Producer: Hashable {
    let key: ItemKey?
    let step: Int
  }

  /// Whether no process counted the time for a while: the wall clock may then end waits early, a probe's too.
  private var isTimeLost: Bool {
    var uncounted = UncountedTime()
    return run.trace.events.contains { uncounted.begins(with: $0.fact) }
  }

  private func isLastWord(_ step: Step) -> Bool {
    guard let loop = step.loop, step.partOf == nil else { return false }
    // Only a batch as a whole can be repeated under its key, and the user may continue a part of it.
    guard step.probe != nil || step.keyPlace != nil && step.batch == nil else { return false }
    let isLast = run.pipeline.loops[loop].steps.last.map { run.pipeline.steps[$0].id } == step.id
    // A request that needs a secret cannot be sent after its process ends, and the user decides.
    let asksBySecret = (step.probe?.uses ?? step.uses).contains { use in
      guard !use.isCredential, let output = use.output else { return false }
      return run.pipeline.steps[use.step].outputs[output].isSecret
    }
    return isLast && !asksBySecret
  }

  /// Effects that a cancelled run has created, and neither undone nor named.
  func leftBehind() -> [String] {
    guard run.state?.status == .cancelled else { return [] }
    var found: [String] = []
    for loop in run.pipeline.loops.indices {
      let undone = Set(run.pipeline.loops[loop].onAbandon.flatMap(\.uses).map(\.step))
      for item in run.items(loop: loop) where item.status != .done && !item.isLeftAtServer {
        for step in undone
        where run.pipeline.steps[step].loop == loop && run.pipeline.steps[step].partOf == nil {
          let state = item.frame[safely: run.pipeline.steps[step].position]
          guard let state, state.status == .succeeded, !state.isInvalidated, isAlive(state),
            let commit = journal.commits(of: step, item: item.key).last,
            commit.abandoned == nil, commit.died == nil
          else { continue }
          found.append(
            "what '\(run.pipeline.steps[step].id)' of \(item.key) made is left at the server, and nothing reports it"
          )
        }
      }
    }
    return found
  }

  /// Effects that complete items created and replaced,
  /// and neither undid nor named (docs/decisions/0034).
  ///
  /// Each result is another thing on the server, so at least as many must have been undone.
  func replacedAndLeft() -> [String] {
    var found: [String] = []
    for loop in run.pipeline.loops.indices {
      for item in run.items(loop: loop)
      where isComplete(item) && !item.isLeftAtServer && item.reason == nil {
        for (step, count) in ledger.replaced.replaced(of: item.key) {
          let undone = journal.commits(of: step, item: item.key).count { $0.abandoned != nil }
          guard undone < count else { continue }
          let name = "'\(run.pipeline.steps[step].id)' of \(item.key)"
          found.append("results of \(name) that were replaced: \(count), undone: \(undone)")
        }
      }
    }
    return found
  }

  private func isComplete(_ item: Item) -> Bool {
    item.abandoning == nil && (item.status == .done || item.status == .skipped)
  }

  private func isAlive(_ state: StepState) -> Bool {
    state.outputs.allSatisfy { $0.isValid(at: run.now) }
  }
}

extension Array {
  fileprivate subscript(safely index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
