import PipelineCore
import PipelineEngine

/// A bug that only the swarm's own shell can have, to see that the swarm finds it.
public enum PlantedBug: String, Hashable, Sendable, CaseIterable, Codable {
  /// Effects are performed before the checkpoint that demands them is durable.
  case commitAfterPerform = "commit-after-perform"
  /// A response to an earlier attempt counts as one to the current attempt.
  case fencingOff = "fencing-off"
  /// An interruption counts as a failed attempt.
  case interruptionCounts = "interruption-counts"
  /// The files of an item that is paused or has failed are not deleted.
  case releaseForgotten = "release-forgotten"
  /// The row of an item that is done is not written.
  case rowForgotten = "row-forgotten"
  /// A shortage of the machine counts as a failed attempt.
  case lackCounts = "lack-counts"
  /// The store's failure to load items is not reported.
  case loadFailureDropped = "load-failure-dropped"
  /// More is in flight than there are connections.
  case limitsIgnored = "limits-ignored"
  /// An error response to a creating request is trusted.
  case answerTakenAtItsWord = "answer-taken-at-its-word"
  /// A request that got no answer counts as one that did nothing.
  case lostMeansNotDone = "lost-means-not-done"
  /// A source of a request is replaced while its outcome is unknown.
  case unresolvedReplaced = "unresolved-replaced"
  /// The first "not done" of a probe is trusted, regardless of its time.
  case probeBelievedAtOnce = "probe-believed-at-once"
  /// A compensation that was refused counts as done.
  case compensationForgotten = "compensation-forgotten"
  /// The rows of parts that are done are not written.
  case partForgotten = "part-forgotten"
  /// The rows of a batch's members do not contain their batch.
  case batchForgotten = "batch-forgotten"
  /// The transport sends a request again by itself if its connection breaks.
  case transportRestarts = "transport-restarts"
}

extension PlantedBug {
  /// The event as the shell with the bug reports it; `nil` where it does not.
  func planted(_ event: Event, _ machine: Machine) -> Event? {
    if self == .loadFailureDropped, case .loadFailed = event { return nil }
    guard case .concluded(let id, let verdict) = event else { return event }
    switch (self, verdict) {
    case (.fencingOff, _):
      guard !machine.inFlight.contains(id),
        let current = machine.inFlight.first(where: { $0.item == id.item && $0.step == id.step })
      else { return event }
      return .concluded(current, verdict)
    case (.interruptionCounts, .interrupted): return .concluded(id, .retry(Failure("interrupted")))
    case (.lackCounts, .unavailable(_, let failure)): return .concluded(id, .retry(failure))
    case (.answerTakenAtItsWord, .uncertain(let answered)): return .concluded(id, answered)
    case (.lostMeansNotDone, .unknown(let failure)): return .concluded(id, .retry(failure))
    case (.unresolvedReplaced, .unknown(let failure)):
      let steps = machine.pipeline.steps
      let use = id.step.flatMap { step in
        steps[step].uses.first { !$0.isCredential && steps[$0.step].loop != nil }
      }
      return use.map { .concluded(id, .expired(step: $0.step, failure)) } ?? event
    case (.compensationForgotten, .fail), (.compensationForgotten, .retry):
      return id.isCompensation ? .concluded(id, .itemDone) : event
    default: return event
    }
  }

  /// The checkpoint as the shell with the bug keeps it.
  func planted(_ batch: CheckpointBatch) -> CheckpointBatch {
    var items = batch.items
    switch self {
    case .partForgotten:
      var planted = batch
      planted.checkpoint.parts.removeAll { if case .concluded = $0 { true } else { false } }
      return planted
    case .rowForgotten: items.removeAll { $0.status == .done }
    case .batchForgotten:
      items = items.map { item in
        var item = item
        for position in item.frame.indices { item.frame[position].batch = nil }
        return item
      }
    case .probeBelievedAtOnce:
      items = items.map { item in
        var item = item
        for position in item.frame.indices { item.frame[position].unknownSince = nil }
        return item
      }
    default: return batch
    }
    var planted = batch
    planted.checkpoint.items = items
    return planted
  }
}
