/// What an attempt needs of the machine that the run works on, and what it waits for where there is none.
///
/// That one lacks shows when it is used. Then whoever needs it waits, with a blocker, and it is tried again with
/// growing pauses; no attempt is counted, and nothing is said about a server.
public enum Resource: String, Hashable, Sendable, CaseIterable {
  /// A network that reaches anything.
  case network
  /// Descriptors for connections and files.
  case openFiles = "open-files"
  /// Space on the disk, whatever the budget says.
  case diskSpace = "disk-space"

  /// First pause, which doubles with each trial.
  var firstPause: Duration {
    switch self {
    case .network: .seconds(1)
    case .openFiles: .milliseconds(100)
    case .diskSpace: .seconds(5)
    }
  }

  /// Longest pause.
  var longestPause: Duration {
    switch self {
    case .network: .seconds(60)
    case .openFiles: .seconds(5)
    case .diskSpace: .seconds(300)
    }
  }

  /// Whether one trial speaks for all who wait.
  ///
  /// A network may reach one host and not another.
  var isShared: Bool { self != .network }
}

/// What the process that works on a run can do; told by ``Event/limitsKnown(_:)``, and no part of the state.
public struct ProcessLimits: Hashable, Sendable {
  /// Requests and transfers that may be in flight at once; `nil` is without limit.
  public var exchanges: Int?
  /// Time after which a run ends that no host has answered yet, for want of a network; `nil` is never.
  public var networkTimeout: Duration?

  /// Limits nothing that is not named.
  public init(exchanges: Int? = nil, networkTimeout: Duration? = nil) {
    self.exchanges = exchanges
    self.networkTimeout = networkTimeout
  }
}
