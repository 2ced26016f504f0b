import PipelineConformance
import PipelineCore

extension Sample {
  /// The step without what the stored form has only had since version 4.
  static func beforeVersion4(_ step: StepState) -> StepState {
    var step = beforeVersion5(step)
    step.unusedInvalidations = 0
    step.isForeign = false
    step.unknownSince = nil
    step.slower = nil
    step.earliest = nil
    step.challenges = 0
    step.failure = step.failure.map { Failure($0.message, status: $0.status) }
    step.batch = nil
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
