protocol ProgressDisplay: Sendable {
  func begin(_ run: RunFolder)
  /// Items have ended; `lines` are the lines to show of that now.
  func itemsLeft(_ items: [Item], _ lines: [FailureTally.Line])
  /// - Parameter news: Notices that were not there before.
  func progressed(_ facts: ProgressFacts, news: [String])
  /// How often it is to be notified of a run that waits; `nil` if only changes matter to it.
  var interval: Duration? { get }
  func note(_ lines: [String])
  /// Work has ended; the terminal is free for other output.
  func end()
}

extension ProgressDisplay {
  var interval: Duration? { nil }
  func note(_ lines: [String]) { for line in lines { Terminal.error(line) } }
}

extension ProgressMode {
  /// The display for the mode; `auto` is live on a terminal and plain lines otherwise.
  var display: any ProgressDisplay {
    switch self {
    case .auto: Terminal.isErrorInteractive ? LiveDisplay() : PlainDisplay()
    case .live: LiveDisplay()
    case .plain: PlainDisplay()
    case .json: JSONDisplay()
    case .none: SilentDisplay()
    }
  }
}

struct SilentDisplay: ProgressDisplay {
  func begin(_ run: RunFolder) {}
  func itemsLeft(_ items: [Item], _ lines: [FailureTally.Line]) {}
  func progressed(_ facts: ProgressFacts, news: [String]) {}
  func end() {}
}

extension ProgressMode {
  /// Whether the user reads the command's messages in addition to its report.
  var isTalkative: Bool {
    switch self {
    case .json, .none: false
    case .auto, .live, .plain: true
    }
  }
}
