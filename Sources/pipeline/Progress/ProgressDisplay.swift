import PipelineCore
import PipelineEngine

/// Shows how a run gets on.
protocol ProgressDisplay: RunObserver {
  /// Work begins.
  func begin(_ id: RunID)
  /// Work has ended; the terminal is the next writer's.
  func end()
}

extension ProgressDisplay where Self == SilentDisplay {
  /// The display for a mode; `auto` is live for a person and plain lines for anyone else.
  static func make(
    _ mode: ProgressMode, pipeline: Pipeline, state: RunState
  ) -> any ProgressDisplay {
    switch mode {
    case .auto:
      Terminal.isErrorInteractive ? LiveDisplay(pipeline: pipeline) : PlainDisplay(pipeline: pipeline)
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
