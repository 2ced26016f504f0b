public import PipelineCore
public import PipelineEngine

/// The device around a simulated process: when the process may run, and when transfers move.
///
/// A value with time in and actions out, so that each part of a device can be tested alone. What it
/// wants to be told later it asks for with ``DeviceAction/setAlarm(_:at:)``.
public protocol DeviceModel: Sendable {
  /// The process begins, for the first time or after a launch.
  mutating func processBegan(at now: Instant) -> [DeviceAction]
  /// The instant of an alarm has come.
  mutating func alarmFired(_ alarm: Int, at now: Instant) -> [DeviceAction]
  /// The process hands an upload over.
  mutating func transferQueued(_ transfer: QueuedTransfer, at now: Instant) -> [DeviceAction]
  /// The server's answer to a begun transfer is there, or the connection broke; the process does not
  /// know yet.
  mutating func transferAnswered(
    _ id: EffectID, _ answer: Answer, at now: Instant
  ) -> [DeviceAction]
  /// The process gives a transfer up.
  mutating func transferCancelled(_ id: EffectID, at now: Instant) -> [DeviceAction]
  /// The process has made everything durable and sleeps; see
  /// ``/PipelineEngine/Device/didSuspend(transfers:)``.
  mutating func processSuspended(transfers: Int, at now: Instant) -> [DeviceAction]
}

/// An upload in the hands of the transfer service.
public struct QueuedTransfer: Hashable, Sendable {
  /// The fence of the command that demanded it.
  public let id: EffectID
  /// The absolute URL.
  public let url: String
  /// Bytes of the file.
  public let bytes: Int64
  /// The resource timeout.
  public let timeout: Duration

  /// Describes an upload.
  public init(id: EffectID, url: String, bytes: Int64, timeout: Duration) {
    self.id = id
    self.url = url
    self.bytes = bytes
    self.timeout = timeout
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
  /// Ends a transfer without an answer of the server.
  case failTransfer(EffectID, TransportFailure)
  /// Ends the process without a word; transfers go on.
  case terminate
  /// Starts the process again.
  case launch
}

/// A device that always lets the process run, and whose transfers begin and end without delay.
public struct IdealDevice: DeviceModel {
  /// Bytes per second that a transfer sends; `nil` takes no time.
  public let bandwidth: Int64?

  /// A device without limits, but for the bandwidth.
  public init(bandwidth: Int64? = nil) { self.bandwidth = bandwidth }

  /// Nothing limits the process.
  public func processBegan(at now: Instant) -> [DeviceAction] { [] }
  /// It sets none.
  public func alarmFired(_ alarm: Int, at now: Instant) -> [DeviceAction] { [] }

  /// Every transfer begins at once.
  public func transferQueued(_ transfer: QueuedTransfer, at now: Instant) -> [DeviceAction] {
    var duration = Duration.zero
    if let bandwidth, bandwidth > 0 {
      duration = .clamped(milliseconds: Double(transfer.bytes) / Double(bandwidth) * 1000)
    }
    return [.beginTransfer(transfer.id, duration: duration)]
  }

  /// Every answer is handed on at once.
  public func transferAnswered(
    _ id: EffectID, _ answer: Answer, at now: Instant
  ) -> [DeviceAction] { [.deliver(id)] }

  /// Nothing is left of it.
  public func transferCancelled(_ id: EffectID, at now: Instant) -> [DeviceAction] { [] }
  /// It never lets the process sleep.
  public func processSuspended(transfers: Int, at now: Instant) -> [DeviceAction] { [] }
}
