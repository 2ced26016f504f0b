import PipelineConformance
import PipelineCore

extension Sample {
  /// The step without what the stored form has only had since version 4.
  static func beforeVersion4(_ step: StepState) -> StepState {
    var step = beforeVersion5(step)
    step.unusedInvalidations = 0
    step.isForeign = false
    step.unknownSince = nil
    step.earliest = nil
    step.challenges = 0
    step.failure = step.failure.map { Failure($0.message, status: $0.status) }
    step.batch = nil
    return step
  }

  /// The same run as a store of version 8 has it.
  static func beforeVersion9(_ state: RunState) -> RunState {
    var state = state
    state.frame = state.frame.map(beforeVersion9)
    for loop in state.loops.indices {
      state.loops[loop].active = state.loops[loop].active.mapValues { item in
        var item = item
        item.frame = item.frame.map(beforeVersion9)
        for index in item.remnants.indices {
          item.remnants[index].frame = item.remnants[index].frame.map(beforeVersion9)
        }
        return item
      }
    }
    return state
  }

  private static func beforeVersion9(_ step: StepState) -> StepState {
    var step = step
    step.slower = nil
    let active = (step.parts?.active ?? [:]).mapValues { $0.map(beforeVersion9) }
    step.parts?.active = active
    return step
  }

  /// The same step as a store of version 5 has it.
  static func beforeVersion6(_ step: StepState) -> StepState {
    var step = step
    step.previous = []
    return step
  }

  /// The same step as a store of version 4 has it.
  static func beforeVersion5(_ step: StepState) -> StepState {
    var step = beforeVersion6(step)
    step.turn = 0
    step.isOver = false
    step.farthest = nil
    return step
  }
}
