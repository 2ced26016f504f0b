import MachineSupport
import PipelineCore
import Testing

extension RunHarness {
  /// The attempt or probe that a part of an item has in flight.
  func inFlight(_ step: String, part: Int, of ordinal: Int = 0) -> EffectID? {
    machine.inFlight.first {
      $0.item?.ordinal == ordinal && $0.item?.part?.number == part
        && machine.pipeline.name(of: $0) == step
    }
  }

  /// Answers the attempt or probe that a part of an item has in flight.
  func answer(
    _ step: String, part: Int, of ordinal: Int = 0, _ verdict: Verdict, at seconds: Double,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    guard let id = inFlight(step, part: part, of: ordinal) else {
      Issue.record("'\(step)' of part \(part) is not in flight", sourceLocation: sourceLocation)
      return
    }
    send(.concluded(id, verdict), at: seconds, sourceLocation: sourceLocation)
  }

  /// The keys of the parts of an item for which a reason to wait is known.
  func waitingParts(of ordinal: Int = 0) -> [Int] {
    machine.blockers.keys.compactMap { key in
      key?.ordinal == ordinal ? key?.part?.number : nil
    }.sorted()
  }
}
