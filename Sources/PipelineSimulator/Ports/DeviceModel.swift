public import PipelineCore
public import PipelineEngine

/// The device around a simulated process: when the process may run, and when transfers move.
///
/// A value with time in and actions out, so that each part of a device can be tested alone. What it
/// wants to be told later it asks for with ``DeviceAction/setAlarm(_:at:)``.
public protocol DeviceModel: Sendable {
  /// The process begins, for the first time or after a launch.
  mutating func processBegan(at now: Instant) -> [DeviceAction]
  /// The process asks for the transfers that an earlier one handed over, before it begins others;
  /// of all that are not `wanted` it will never hear.
  mutating func transfersAdopted(_ wanted: [EffectID], at now: Instant) -> [DeviceAction]
  /// The instant of an alarm has come.
  mutating func alarmFired(_ alarm: Int, at now: Instant) -> [DeviceAction]
  /// The process hands an upload over.
  mutating func transferQueued(_ transfer: QueuedTransfer, at now: Instant) -> [DeviceAction]
  /// The server's answer to a begun transfer is there, or the connection broke; the process does not
  /// know yet.
  mutating func transferAnswered(
    _ id: EffectID, _ response: Response, at now: Instant
  ) -> [DeviceAction]
  /// The process answers a transfer for which it got ``DeviceAction/ask(_:_:)``: it goes on with its
  /// request anew, or as it was.
  mutating func transferRenewed(
    _ id: EffectID, isAnew: Bool, at now: Instant
  ) -> [DeviceAction]
  /// The process gives a transfer up.
  mutating func transferCancelled(_ id: EffectID, at now: Instant) -> [DeviceAction]
  /// The process has made everything durable and sleeps; see
  /// ``/PipelineEngine/Device/didSuspend(transfers:)``.
  mutating func processSuspended(transfers: Int, at now: Instant) -> [DeviceAction]
}

/// A transfer as it is handed over.
public struct QueuedTransfer: Hashable, Sendable {
  /// Which way the bytes go.
  public enum Direction: Hashable, Sendable {
    /// A file is the request's body.
    case upload
    /// A file comes as the answer's body.
    case download
  }

  /// The fence of the command that demanded it.
  public let id: EffectID
  /// Which way the bytes go.
  public let direction: Direction
  /// The absolute URL.
  public let url: String
  /// Bytes of the file; 0 for a download of unknown size.
  public let bytes: Int64
  /// The resource timeout.
  public let timeout: Duration
  /// What the author asks of the service; `nil` as where nothing is said.
  public internal(set) var settings: TransferSettings?

  /// Describes what carrying `operation` out hands over; `nil` where that is no transfer.
  init?(_ operation: PortOperation, id: EffectID) {
    guard let (request, bytes) = operation.transfer else { return nil }
    self.id = id
    direction = if case .download = operation { .download } else { .upload }
    url = request.url
    self.bytes = bytes
    timeout = request.timeout
    settings = request.transfer
  }
}

/// What a device does.
public enum DeviceAction: Hashable, Sendable {
  /// Tells the process that its allowance changes.
  case change(DeviceChange)
  /// Asks to be told at the instant.
  case setAlarm(Int, at: Instant)
  /// Sends a transfer's request now; its bytes take `duration` before the server has them.
  case beginTransfer(EffectID, duration: Duration)
  /// Hands an answer that is there to the process.
  case deliver(EffectID)
  /// Asks the process for the request of a transfer anew; the transfer waits for what it says.
  case ask(EffectID, Renewal)
  /// Ends a transfer without an answer of the server.
  case failTransfer(EffectID, TransportFailure)
  /// Ends the process without a word; transfers go on.
  case terminate
  /// Starts the process again.
  case launch
  /// The device starts anew: what its steady clock counted is over.
  case restartDevice
}

/// A device that always lets the process run, and whose transfers begin and end without delay.
public struct IdealDevice: DeviceModel {
  /// Transfers that have not ended.
  private var transfers: [EffectID: QueuedTransfer] = [:]
  /// Transfers that wait for their earliest begin, by their alarm.
  private var delayed: [Int: EffectID] = [:]
  private var alarms = 0
  /// Transfers that were asked about, and what.
  private var asked: [EffectID: Renewal] = [:]

  /// Bytes per second that a transfer sends; `nil` takes no time.
  public let bandwidth: Int64?

  /// A device without limits, but for the bandwidth.
  public init(bandwidth: Int64? = nil) { self.bandwidth = bandwidth }

  /// Nothing limits the process.
  public func processBegan(at now: Instant) -> [DeviceAction] { [] }
  /// Transfers end with the process, as on a desktop.
  public mutating func transfersAdopted(_ wanted: [EffectID], at now: Instant) -> [DeviceAction] {
    transfers = [:]
    delayed = [:]
    asked = [:]
    return wanted.map { .failTransfer($0, .unknownTransfer) }
  }

  /// The earliest begin of a transfer has come.
  public mutating func alarmFired(_ alarm: Int, at now: Instant) -> [DeviceAction] {
    guard let id = delayed.removeValue(forKey: alarm), let transfer = transfers[id] else {
      return []
    }
    guard transfer.settings?.renewals.contains(.begin) == true else { return [begin(transfer)] }
    asked[id] = .begin
    return [.ask(id, .begin)]
  }

  /// Every transfer begins at once, or as early as it may.
  public mutating func transferQueued(
    _ transfer: QueuedTransfer, at now: Instant
  ) -> [DeviceAction] {
    transfers[transfer.id] = transfer
    guard let earliest = transfer.settings?.earliest, earliest > now else {
      return [begin(transfer)]
    }
    alarms += 1
    delayed[alarms] = transfer.id
    return [.setAlarm(alarms, at: earliest)]
  }

  private func begin(_ transfer: QueuedTransfer) -> DeviceAction {
    var duration = Duration.zero
    if let bandwidth, bandwidth > 0 {
      duration = .clamped(milliseconds: Double(transfer.bytes) / Double(bandwidth) * 1000)
    }
    return .beginTransfer(transfer.id, duration: duration)
  }

  /// Every answer is handed on at once, but for a challenge that the process can answer.
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

  /// The transfer goes on at once.
  public mutating func transferRenewed(
    _ id: EffectID, isAnew: Bool, at now: Instant
  ) -> [DeviceAction] {
    guard let renewal = asked.removeValue(forKey: id), let transfer = transfers[id] else {
      return []
    }
    if isAnew || renewal == .begin { return [begin(transfer)] }
    transfers[id] = nil
    return [.deliver(id)]
  }

  /// Nothing is left of it.
  public mutating func transferCancelled(_ id: EffectID, at now: Instant) -> [DeviceAction] {
    transfers[id] = nil
    asked[id] = nil
    return []
  }

  /// It never lets the process sleep.
  public func processSuspended(transfers: Int, at now: Instant) -> [DeviceAction] { [] }
}

extension TransportFailure {
  /// The service does not know a transfer that was handed over: nobody can tell what became of it,
  /// and that is no failed attempt (FQ3).
  static let unknownTransfer = TransportFailure(
    .interrupted, message: "the transfer service does not know it", mayHaveBeenSent: true)
}
