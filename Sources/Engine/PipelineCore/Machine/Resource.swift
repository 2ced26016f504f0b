/// Something that an attempt needs of the machine that works on the run, and that may be short.
///
/// A shortage shows only on use. Then everything that needs the resource waits, with a blocker, and it is tried again
/// with growing pauses; no attempt is counted, and nothing is concluded about a server.
public enum Resource: String, Hashable, Sendable, Codable, CaseIterable {
  /// A network that reaches anything.
  case network
  /// File descriptors for connections and files.
  case openFiles = "open-files"
  /// Space on the disk, independent of the budget.
  case diskSpace = "disk-space"

  /// First pause, which doubles with each trial.
  var firstPause: Duration {
    switch self {
    case .network: .seconds(1)
    case .openFiles: .milliseconds(100)
    case .diskSpace: .seconds(5)
    }
  }

  var longestPause: Duration {
    switch self {
    case .network: .seconds(60)
    case .openFiles: .seconds(5)
    case .diskSpace: .seconds(300)
    }
  }

  /// Whether one trial is representative of all that wait; a network may reach one host but not another.
  var isShared: Bool { self != .network }
}

/// The limits of the process that works on a run; set by ``Event/limitsKnown(_:)``, and not part of the state.
public struct ProcessLimits: Hashable, Sendable {
  /// Maximum number of requests and transfers in flight; `nil` means no limit.
  public var exchanges: Int?
  /// Time after which a run ends for lack of a network if no host has responded yet; `nil` means never.
  public var networkTimeout: Duration?
  /// Whether bodies are sent in pieces from where their content is, so that none is written to the disk first.
  public var sendsPieces: Bool
  /// Who works on the run, if others could: work that this machine cannot do is then left to them (``Lack``).
  public var worker: String?
  /// Among how many shards the server's rates and transfers are divided; set again by ``Event/sharesChanged(_:)``.
  public var shares: Int

  /// Creates limits; omitted ones do not limit.
  public init(
    exchanges: Int? = nil, networkTimeout: Duration? = nil, sendsPieces: Bool = false,
    worker: String? = nil, shares: Int = 1
  ) {
    self.exchanges = exchanges
    self.networkTimeout = networkTimeout
    self.sendsPieces = sendsPieces
    self.worker = worker
    self.shares = shares
  }
}
