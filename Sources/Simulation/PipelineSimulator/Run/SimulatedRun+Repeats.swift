struct StepOfItem: Hashable, Sendable {
  let step: Int
  let item: ItemKey?
}

/// The values of `repeat` steps and the values collected from parts, which are not in responses,
/// for the checks of tests.
extension SimulatedRun {
  /// Keeps the values that a checkpoint has.
  mutating func noteTurns(of checkpoint: Checkpoint) {
    for index in repeated {
      let step = pipeline.steps[index]
      if step.loop == nil, let state = checkpoint.state {
        carried[StepOfItem(step: index, item: nil)] = state.frame[step.position].outputs
      }
      for item in checkpoint.items
      where item.key.loop == step.loop && item.frame.indices.contains(step.position) {
        carried[StepOfItem(step: index, item: item.key)] = item.frame[step.position].outputs
      }
    }
  }

  /// The values collected from the parts of a `for_each` step.
  struct CollectedParts: Hashable, Sendable {
    let generation: Int
    var values: [Int: [Value]] = [:]
  }

  /// Keeps the values collected from parts: the last one may end its item, of which a checkpoint then has nothing.
  mutating func noteParts(of checkpoint: Checkpoint) {
    guard settings.isTraced else { return }
    for case .concluded(let key, let values) in checkpoint.parts {
      guard let part = key.part else { continue }
      let step = StepOfItem(step: part.step, item: key.whole)
      if collected[step]?.generation != part.generation {
        collected[step] = CollectedParts(generation: part.generation)
      }
      collected[step]?.values[part.number] = values
    }
  }

  /// The values of `repeat` steps as they were last stored, and the values of `for_each` steps collected so far.
  var kept: [StepOfItem: [OutputValue]] {
    carried.merging(
      collected.mapValues { parts in
        let lists = parts.values.sorted { $0.key < $1.key }.map(\.value)
        return (lists.first ?? []).indices.map { index in
          OutputValue(value: .list(lists.map { $0[index] }))
        }
      }
    ) { $1 }
  }

  /// Keeps the values that the result leaves if it is the last of a turn: of an item that is done no checkpoint has any.
  mutating func noteLastTurn(_ result: StepResult, of command: Command) {
    guard let index = command.id.step, let turns = pipeline.steps[index].turnOf,
      case .repeat(let template) = pipeline.steps[turns].action
    else { return }
    var scope = command.scope
    scope.conclude(index, result.outputs, pipeline)
    let values = template.next.map { try? interpreter.evaluator.value($0.value, scope) }
    guard let known = values.complete() else { return }
    carried[StepOfItem(step: turns, item: command.id.item)] = known.map { OutputValue(value: $0) }
  }
}
