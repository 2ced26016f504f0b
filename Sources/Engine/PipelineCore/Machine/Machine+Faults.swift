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

extension Machine {
  /// How many workers must fail in the same way before the shortage counts as the item's failure.
  static let agreement = 3
  /// How long a worker waits for a missing resource before it leaves the run to others.
  static let patience = Duration.seconds(30)

  /// Leaves an item to the other workers, or ends it as `status` if enough of them have failed in the same way.
  mutating func leaveToOthers(
    _ key: ItemKey, as status: Item.Status, _ failure: Failure, at now: Instant
  ) {
    guard let worker = frames.limits.worker, var names = frames.item(key.whole)?.refusedBy else {
      return
    }
    if failure.lacking?.isDeliberate != true, !names.contains(worker) { names.append(worker) }
    let isAgreed = names.count >= Self.agreement
    frames.update(key.whole) { $0.refusedBy = isAgreed ? [] : names }
    guard isAgreed else { return leaveWindow(key, as: .paused, reason: failure, at: now) }
    let text = "\(failure.message) (at \(names.joined(separator: ", ")))"
    leaveWindow(key, as: status, reason: failure.saying(text, lacking: nil), at: now)
  }
}
