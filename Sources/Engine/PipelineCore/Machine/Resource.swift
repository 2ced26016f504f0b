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

/// A resource missing on this computer, so that an attempt failed which may succeed on another one.
///
/// Only ``Machine`` decides whether a failure is the machine's or the item's. A machine's failure changes nothing for the item while others could
/// try: the item waits as paused, with the names of the workers at which it failed, and fails when as many as ``Machine/agreement`` agree.
public enum Lack: String, Hashable, Sendable, Codable, CaseIterable {
  /// A network, or a route to the server.
  case network
  /// File descriptors for connections and files.
  case openFiles = "open-files"
  /// Space on the disk.
  case diskSpace = "disk-space"
  /// A user's file as it was when the run started.
  case files
  /// Secrets that the server accepts.
  case credentials
  /// Permission to send to the host.
  case hosts

  /// The lack of a resource that is waited for.
  init?(_ resource: Resource) { self.init(rawValue: resource.rawValue) }

  /// Whether it may end without the user, so that other attempts make sense.
  public var isPassing: Bool {
    switch self {
    case .network, .openFiles, .diskSpace: true
    case .files, .credentials, .hosts: false
    }
  }

  /// Whether the worker's operator wants it that way: however many workers lack it, that proves nothing.
  public var isDeliberate: Bool { self == .hosts }
}
