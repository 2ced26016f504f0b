/// The device around a simulated process: it decides when the process may run, and when transfers move.
///
/// Time goes in, and actions come out. To be called later, it returns ``DeviceAction/setAlarm(_:at:)``.
public protocol DeviceModel: Sendable {
  /// The process starts, for the first time or after a launch.
  mutating func processBegan(at now: Instant) -> [DeviceAction]
  /// The process asks first for the transfers of an earlier process; it never hears of those that are not `wanted`.
  mutating func transfersAdopted(_ wanted: [EffectID], at now: Instant) -> [DeviceAction]
  mutating func alarmFired(_ alarm: Int, at now: Instant) -> [DeviceAction]
  mutating func transferQueued(_ transfer: QueuedTransfer, at now: Instant) -> [DeviceAction]
  /// The server has responded to a started transfer, or the connection broke; the process has not been notified yet.
  mutating func transferAnswered(
    _ id: EffectID, _ response: Response, at now: Instant
  ) -> [DeviceAction]
  /// The process replies to ``DeviceAction/ask(_:_:)``: the transfer continues with a new request, or the old one.
  mutating func transferRenewed(_ id: EffectID, isAnew: Bool, at now: Instant) -> [DeviceAction]
  mutating func transferCancelled(_ id: EffectID, at now: Instant) -> [DeviceAction]
  /// The process is suspended; see ``/PipelineEngine/Device/didSuspend(transfers:)``.
  mutating func processSuspended(transfers: Int, at now: Instant) -> [DeviceAction]
  /// All transfers together may send no more than this; called once, before anything else.
  mutating func limitTransfers(toBytesPerSecond bytes: Int64)
}

extension DeviceModel {
  /// Ignores the limit: for devices whose transfers are instantaneous.
  public mutating func limitTransfers(toBytesPerSecond bytes: Int64) {}
}

/// A transfer as it is handed over.
public struct QueuedTransfer: Hashable, Sendable {
  /// The direction of the bytes.
  public enum Direction: Hashable, Sendable {
    /// A file is sent as the request's body.
    case upload
    /// The response's body is saved to a file.
    case download
  }

  /// The fence of the command that requested it.
  public let id: EffectID
  /// The direction of the bytes.
  public let direction: Direction
  /// The absolute URL.
  public let url: String
  /// Bytes of the file; 0 for a download of unknown size.
  public let bytes: Int64
  /// Whether the body is not a file: it contains a secret, or is a range of a file,
  /// which requires a service that supports it (TX1).
  public let isInMemory: Bool
  /// The resource timeout.
  public let timeout: Duration
  /// The author's options for the service; `nil` for the defaults.
  public internal(set) var settings: TransferSettings?

  /// The transfer that `operation` hands over; `nil` if it is not a transfer.
  init?(_ operation: PortOperation, id: EffectID) {
    guard let (request, bytes) = operation.transfer else { return nil }
    self.id = id
    direction = if case .download = operation { .download } else { .upload }
    isInMemory =
      if case .upload(_, let file, let body) = operation {
        body.pieces != Body(file).pieces
      } else { false }
    url = request.url
    self.bytes = bytes
    timeout = request.timeout
    settings = request.transfer
  }
}

/// What a user, or the system, does with the device.
public enum DeviceAction: Hashable, Sendable {
  /// Notifies the process that its allowance has changed.
  case change(DeviceChange)
  case setAlarm(Int, at: Instant)
  /// Sends a transfer's request now; its bytes reach the server after `duration`.
  case beginTransfer(EffectID, duration: Duration)
  case deliver(EffectID)
  /// Asks the process for a transfer's new request; the transfer waits for the reply.
  case ask(EffectID, Renewal)
  case failTransfer(EffectID, TransportFailure)
  /// Ends the process without warning; transfers continue.
  case terminate
  case launch
  /// The device restarts, so its steady clock restarts too.
  case restartDevice
}

/// A device that always lets the process run, and whose transfers start and end without delay.
public struct IdealDevice: DeviceModel {
  private var transfers: [EffectID: QueuedTransfer] = [:]
  /// Transfers that wait for their earliest start, by alarm.
  private var delayed: [Int: EffectID] = [:]
  private var alarms = 0
  /// Transfers about which the process was asked, and the question.
  private var asked: [EffectID: Renewal] = [:]
  /// Bytes per second that a transfer sends; `nil` means instantly.
  public let bandwidth: Int64?
  /// Bytes per second that all transfers share, if the run's budget limits them.
  private var limit: Int64?
  /// When the bytes of the transfers so far have been sent, as far as the limit is concerned.
  private var free: Instant?

  /// A device without limits except the bandwidth.
  public init(bandwidth: Int64? = nil) { self.bandwidth = bandwidth }
  /// Does not limit the process.
  public func processBegan(at now: Instant) -> [DeviceAction] { [] }
  /// Transfers end with the process, as on a desktop.
  public mutating func transfersAdopted(_ wanted: [EffectID], at now: Instant) -> [DeviceAction] {
    transfers = [:]
    delayed = [:]
    asked = [:]
    return wanted.map { .failTransfer($0, .unknownTransfer) }
  }

  /// A transfer's earliest start has come.
  public mutating func alarmFired(_ alarm: Int, at now: Instant) -> [DeviceAction] {
    guard let id = delayed.removeValue(forKey: alarm), let transfer = transfers[id]
    else { return [] }
    guard transfer.settings?.renewals.contains(.begin) == true
    else { return [begin(transfer, at: now)] }
    asked[id] = .begin
    return [.ask(id, .begin)]
  }

  /// Every transfer starts at once, or at its earliest start.
  public mutating func transferQueued(
    _ transfer: QueuedTransfer, at now: Instant
  ) -> [DeviceAction] {
    transfers[transfer.id] = transfer
    guard let earliest = transfer.settings?.earliest, earliest > now
    else { return [begin(transfer, at: now)] }
    alarms += 1
    delayed[alarms] = transfer.id
    return [.setAlarm(alarms, at: earliest)]
  }

  /// Transfers are sent one at a time, because sharing is not faster.
  public mutating func limitTransfers(toBytesPerSecond bytes: Int64) { limit = bytes }

  private mutating func begin(_ transfer: QueuedTransfer, at now: Instant) -> DeviceAction {
    var duration = Duration.zero
    if let bandwidth, bandwidth > 0 {
      duration = .clamped(milliseconds: Double(transfer.bytes) / Double(bandwidth) * 1000)
    }
    if let limit {
      let end =
        max(free ?? now, now)
        + .clamped(milliseconds: Double(transfer.bytes) / Double(limit) * 1000)
      free = end
      duration = max(duration, end - now)
    }
    return .beginTransfer(transfer.id, duration: duration)
  }

  /// Every response is delivered at once, except a challenge that the process can answer.
  public mutating func transferAnswered(
    _ id: EffectID, _ response: Response, at now: Instant
  ) -> [DeviceAction] {
    if response.isChallenge, transfers[id]?.settings?.renewals.contains(.challenge) == true {
      asked[id] = .challenge
      return [.ask(id, .challenge)]
    }
    transfers[id] = nil
    return [.deliver(id)]
  }

  /// The transfer continues at once.
  public mutating func transferRenewed(
    _ id: EffectID, isAnew: Bool, at now: Instant
  ) -> [DeviceAction] {
    guard let renewal = asked.removeValue(forKey: id), let transfer = transfers[id]
    else { return [] }
    if isAnew || renewal == .begin { return [begin(transfer, at: now)] }
    transfers[id] = nil
    return [.deliver(id)]
  }

  /// Removes the transfer.
  public mutating func transferCancelled(_ id: EffectID, at now: Instant) -> [DeviceAction] {
    transfers[id] = nil
    asked[id] = nil
    return []
  }

  /// Never suspends the process.
  public func processSuspended(transfers: Int, at now: Instant) -> [DeviceAction] { [] }
}

extension TransportFailure {
  /// The outcome of a transfer that the service lost is unknown, and no failed attempt (FQ3).
  static let unknownTransfer = TransportFailure(
    .interrupted, message: "the transfer is unknown to the transfer service", mayHaveBeenSent: true)
}
