/// A run as other processes see it: its stored state, and the measurements of the process that works on it.
public struct ReportedRun {
  let pipeline: Pipeline
  let store: any CheckpointStore
  let state: RunState
  let place: any RunPlace
  /// Whether a process works on it.
  let isWorkedOn: Bool
  /// The measurements of that process, if it shares them.
  package var progress: ProgressFacts?

  /// A run whose state was loaded from its store.
  public init(
    _ state: RunState, of pipeline: Pipeline, in store: any CheckpointStore,
    at place: any RunPlace, isWorkedOn: Bool
  ) {
    (self.state, self.pipeline, self.store) = (state, pipeline, store)
    (self.place, self.isWorkedOn) = (place, isWorkedOn)
  }

  /// Its report, without measurements and without the time in which no process worked on it.
  public var report: RunReport {
    var report = RunReport(state: state, pipeline: pipeline, in: place)
    report.isWorkedOn = isWorkedOn
    return report
  }

  /// The waits: as reported by the process that works on the run, or else as its stored state shows.
  func waits(at now: Instant) -> [WaitText] {
    var waits = progress?.waits
    if waits == nil {
      let evaluator = Evaluator(pipeline)
      var machine = Machine(state, evaluator: evaluator)
      if isWorkedOn {
        machine = Machine(observing: state, evaluator: evaluator, at: now)
      } else {
        _ = machine.apply(.runResumed, at: now)
      }
      waits = machine.waits()
    }
    return waits?.map { WaitText(wait: $0, pipeline: pipeline, command: { place.command($0) }) }
      ?? []
  }
}
