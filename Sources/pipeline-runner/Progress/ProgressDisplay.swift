import PipelineCommands
import PipelineCore
import PipelineEngine

/// Shows the progress of a run.
protocol ProgressDisplay: RunObserver {
  /// Work starts.
  func begin(_ id: RunID)
  /// Shows lines about an exchange.
  func note(_ lines: [String])
  /// Work has ended; the terminal is free for other output.
  func end()
}

extension ProgressDisplay {
  func note(_ lines: [String]) { for line in lines { Terminal.error(line) } }
}

extension ProgressMode {
  /// The display for the mode; `auto` is live on a terminal and plain lines otherwise.
  ///
  /// - Parameter sizes: Those of the items when the process began; `nil` if they are unknown.
  func display(of pipeline: Pipeline, sizes: ItemSizes?) -> any ProgressDisplay {
    switch self {
    case .auto:
      Terminal.isErrorInteractive
        ? LiveDisplay(pipeline: pipeline, sizes: sizes)
        : PlainDisplay(pipeline: pipeline, sizes: sizes)
    case .live: LiveDisplay(pipeline: pipeline, sizes: sizes)
    case .plain: PlainDisplay(pipeline: pipeline, sizes: sizes)
    case .json: JSONDisplay(pipeline: pipeline, sizes: sizes)
    case .none: SilentDisplay()
    }
  }

  /// Whether anything is shown that sizes are needed for.
  var needsSizes: Bool { self != .none }
}

/// Shows nothing.
struct SilentDisplay: ProgressDisplay {
  func begin(_ id: RunID) {}
  func itemsLeft(_ items: [Item]) {}
  func progressed(_ progress: RunProgress) {}
  func end() {}
}
