/// A transfer that an app passes to the transfer service;
/// it changes only if the service asks for a request (TX12–TX14).
public struct TransferRequest: Hashable, Sendable {
  /// The source of a body.
  public enum Body: Hashable, Sendable {
    case file(bytes: Int64)
    /// None: the response's body is saved to a file of this many bytes.
    case download(bytes: Int64)
    /// Memory or a stream, which background sessions refuse (TX1).
    case memory
  }

  /// The fence of the command that requested it.
  public let id: EffectID
  /// The absolute URL.
  public let url: String
  public let body: Body
  /// Time until the transfer is abandoned; 7 days by default (TX8).
  public var resourceTimeout: Duration
  /// From 0 to 1; orders the tasks of the session (TX24).
  public var priority: Double
  /// Whether the app leaves it to the system's discretion (DI1).
  public var isDiscretionary: Bool
  /// Networks that it may use (DI8).
  public var networks: Discretion.Networks
  /// Not to be started before this time (TX14).
  public var earliestBegin: Instant?
  /// When the service asks for a new request.
  public var renewals: Set<Renewal>
  /// Whether the file cannot be read while the device is locked (TX18).
  public var isProtected: Bool

  /// Describes an upload.
  public init(
    id: EffectID, url: String, body: Body, resourceTimeout: Duration = .seconds(7 * 86400),
    priority: Double = 0.5, isDiscretionary: Bool = false, networks: Discretion.Networks = .init(),
    earliestBegin: Instant? = nil, renewals: Set<Renewal> = [], isProtected: Bool = false
  ) {
    (self.id, self.url, self.body, self.resourceTimeout) = (id, url, body, resourceTimeout)
    (self.priority, self.isDiscretionary, self.networks) = (priority, isDiscretionary, networks)
    (self.earliestBegin, self.renewals, self.isProtected) = (earliestBegin, renewals, isProtected)
  }
}

extension TransferRequest {
  init(_ transfer: QueuedTransfer) {
    let body: Body =
      switch transfer.direction {
      case .upload: transfer.isInMemory ? .memory : .file(bytes: transfer.bytes)
      case .download: .download(bytes: transfer.bytes)
      }
    self.init(id: transfer.id, url: transfer.url, body: body, resourceTimeout: transfer.timeout)
    guard let settings = transfer.settings else { return }
    priority = settings.priority
    isDiscretionary = settings.isDiscretionary
    earliestBegin = settings.earliest
    renewals = settings.renewals
    networks = Discretion.Networks(
      allowsCellular: settings.network.cellular, allowsExpensive: settings.network.expensive,
      allowsConstrained: settings.network.constrained)
  }
}

/// A task that the transfer service has accepted.
public struct TransferTask: Hashable, Sendable {
  /// How far the system has carried a task.
  public enum State: Hashable, Sendable {
    /// Not sending; ``TransferDaemon/hold(of:)`` returns the reason.
    case waiting
    case sending
    /// The server has all bytes but has not responded.
    case sent
    /// Paused until the app provides the request to continue with.
    case asking(Renewal)
    /// Ended, but the app has not been notified yet.
    case complete(TransportFailure?)
    /// Cancelled by a force quit, and still listed (FQ2).
    case dead
  }

  public let request: TransferRequest
  /// When it was created.
  public let created: Instant
  public internal(set) var state: State
  /// Bytes of this attempt that the server has.
  public internal(set) var sentBytes: Double = 0
  /// Bytes of the body: 0 if the file had been deleted when the task started (TX16).
  public internal(set) var bytes: Int64
  /// How many times the service started it.
  public internal(set) var attempts = 0

  let sequence: Int
  var discretion: Discretion
  /// Not to be started before this time, and the hold that requires it.
  var notBefore: Instant
  var reason: TransferHold
  var wasAnnounced = false

  /// When the resource timeout ends it (TX8).
  public var deadline: Instant { created + request.resourceTimeout }
  /// Bytes of this attempt that the server does not have yet.
  var bytesLeft: Double { max(Double(bytes) - sentBytes, 0) }

  var isOpen: Bool {
    switch state {
    case .waiting, .sending, .sent, .asking: true
    case .complete, .dead: false
    }
  }

  /// Whether the server has part of it and no response is known.
  var isUnderWay: Bool {
    switch state {
    case .sending, .sent, .asking(.challenge): true
    case .waiting, .asking(.begin), .complete, .dead: false
    }
  }

  /// Whether it is sent before another task: by priority, then by age (TX24).
  func precedes(_ other: TransferTask) -> Bool {
    (other.request.priority, sequence) < (request.priority, other.sequence)
  }
}
