import Synchronization

/// A phone reduced to its allowance: unlimited in the foreground, 180 s after leaving it (BT1), and
/// 30 s each time that the transfer service resumes the process (BT2), which it does when all
/// transfers of the session are done (TX5).
///
/// Times are those of the clock port; with a scaled clock, the device runs that much faster.
public final class SimulatedDevice: Device {
  /// A phase of the device.
  public struct Phase: Hashable, Sendable {
    /// Whether the app is in the foreground.
    public let isForeground: Bool
    public let duration: Duration

    /// Creates a phase.
    public init(isForeground: Bool, duration: Duration) {
      (self.isForeground, self.duration) = (isForeground, duration)
    }
  }

  /// Allowance after leaving the foreground (BT1, `classic`).
  public static let backgroundAllowance: Duration = .seconds(180)
  /// Allowance when the transfer service resumes the process (BT2).
  public static let resumeAllowance: Duration = .seconds(30)
  /// The expiry handler runs this long before the end (BT4: "shortly before").
  public static let expiryLead: Duration = .seconds(5)

  private struct Life {
    var transfers = 0
    var isSuspended = false
    var isForeground = true
    var waiter: CheckedContinuation<Void, Never>?
    var isDrained = false
  }

  private let phases: [Phase]
  private let clock: any Clock
  private let life = Mutex(Life())

  /// A device that repeats `phases` forever.
  public init(phases: [Phase], clock: any Clock) {
    precondition(phases.contains { $0.duration > .zero }, "a timeline must have a duration")
    (self.phases, self.clock) = (phases, clock)
  }

  /// Runs the phases; see ``Device/run(_:)``.
  public func run(_ deliver: @escaping @Sendable (DeviceChange) -> Void) async {
    var start = clock.now()
    while !Task.isCancelled {
      for phase in phases where phase.duration > .zero && !Task.isCancelled {
        let end = start + phase.duration
        if phase.isForeground {
          life.withLock {
            $0.isForeground = true
            $0.isSuspended = false
          }
          deliver(.granted(until: nil))
          await clock.sleep(until: end)
        } else {
          await background(until: end, deliver)
        }
        start = end
      }
    }
  }

  private func background(
    until end: Instant, _ deliver: @escaping @Sendable (DeviceChange) -> Void
  ) async {
    life.withLock { $0.isForeground = false }
    await grant(Self.backgroundAllowance, until: end, deliver)
    while clock.now() < end, !Task.isCancelled {
      guard await isDrained(before: end) else { return }
      await grant(Self.resumeAllowance, until: end, deliver)
    }
  }

  private func grant(
    _ allowance: Duration, until end: Instant, _ deliver: @escaping @Sendable (DeviceChange) -> Void
  ) async {
    life.withLock {
      $0.isSuspended = false
      $0.isDrained = false
    }
    let limit = clock.now() + allowance
    deliver(.granted(until: limit))
    await clock.sleep(until: min(limit - Self.expiryLead, end))
    if clock.now() < end, !Task.isCancelled { deliver(.expiring) }
  }

  /// Waits until the transfers of the suspended process have ended, or the phase has.
  private func isDrained(before end: Instant) async -> Bool {
    let alarm = Task { [clock] in
      await clock.sleep(until: end)
      wake()
    }
    defer { alarm.cancel() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = life.withLock { life in
          if life.isDrained || Task.isCancelled || clock.now() >= end { return true }
          life.waiter = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
    return life.withLock { $0.isDrained } && clock.now() < end && !Task.isCancelled
  }

  private func wake() {
    let waiter = life.withLock { life in
      defer { life.waiter = nil }
      return life.waiter
    }
    waiter?.resume()
  }

  /// See ``Device/didSuspend(transfers:)``.
  public func didSuspend(transfers: Int) {
    life.withLock { life in
      life.transfers = transfers
      life.isSuspended = true
    }
  }

  /// See ``Device/didHoldBack(events:)``.
  public func didHoldBack(events: Int) {
    let isDrained = life.withLock { life in
      guard life.isSuspended, !life.isForeground, life.transfers > 0, events >= life.transfers
      else { return false }
      life.isDrained = true
      return true
    }
    if isDrained { wake() }
  }
}
