import PipelineCommands
import PipelineCore
import PipelineEngine

/// Shows the progress of a run.
protocol ProgressDisplay: RunObserver {
  /// Work starts.
  func begin(_ id: RunID)
  /// Work has ended; the terminal is free for other output.
  func end()
}

extension ProgressMode {
  /// The display for the mode; `auto` is live on a terminal and plain lines otherwise.
  func display(of pipeline: Pipeline) -> any ProgressDisplay {
    switch self {
    case .auto:
      Terminal.isErrorInteractive
        ? LiveDisplay(pipeline: pipeline) : PlainDisplay(pipeline: pipeline)
    case .live: LiveDisplay(pipeline: pipeline)
    case .plain: PlainDisplay(pipeline: pipeline)
    case .json: JSONDisplay(pipeline: pipeline)
    case .none: SilentDisplay()
    }
  }
}

/// Shows nothing.
struct SilentDisplay: ProgressDisplay {
  func begin(_ id: RunID) {}
  func itemsLeft(_ items: [Item]) {}
  func progressed(_ progress: RunProgress) {}
  func end() {}
}
