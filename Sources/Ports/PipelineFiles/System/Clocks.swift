/// The time of one run: it runs evenly, and continues where the previous process left it.
///
/// It follows the clock that counts since the machine was started, so that setting the wall clock
/// does not affect waits. After a restart of the machine, the wall clock continues from the run's last event.
public struct SteadyClock: PipelineEngine.Clock {
  /// To be stored with the run (``/PipelineCore/RunState/time``), so that the next process can continue.
  public let anchor: TimeAnchor

  /// The time of a new run.
  public init() {
    anchor = TimeAnchor(boot: Self.boot, origin: MachineTime.wall - MachineTime.elapsed)
  }

  /// The time of a stored run.
  public init(continuing state: RunState) {
    anchor = TimeAnchor(
      continuing: state, boot: Self.boot, elapsed: MachineTime.elapsed, wall: MachineTime.wall)
  }

  /// A machine that does not identify its starts is assumed to have restarted for each process.
  private static let boot = MachineTime.boot ?? "\(UInt64.random(in: 0 ... .max))"

  /// The run's time.
  public func now() -> Instant { anchor.origin + MachineTime.elapsed }

  /// Returns when the run's time is `instant`, or when the task is cancelled.
  public func sleep(until instant: Instant) async {
    while !Task.isCancelled {
      let rest = instant - now()
      guard rest > .zero else { return }
      try? await Task.sleep(for: min(rest, Self.longestWait), clock: .continuous)
    }
  }

  /// The longest single wait of the system.
  static let longestWait: Duration = .seconds(3600)
}

/// A clock that starts at an instant and runs faster, or slower, than real time.
public struct ScaledClock: PipelineEngine.Clock {
  private let start: Instant
  private let origin: ContinuousClock.Instant
  private let speed: Double

  /// Starts now at `start`, by default the wall clock's time; a speed that is not positive and finite is 1.
  public init(speed: Double, start: Instant? = nil) {
    self.speed = speed.isFinite && speed > 0 ? speed : 1
    self.start = start ?? MachineTime.wall
    origin = .now
  }

  /// Continues a stored run, whose time may be ahead of the wall clock.
  public init(speed: Double, continuing state: RunState) {
    self.init(speed: speed, start: max(MachineTime.wall, state.latestInstant))
  }

  /// The scaled time.
  public func now() -> Instant {
    let elapsed = origin.duration(to: .now) / .milliseconds(1) * speed
    return start + .milliseconds(Int64(exactly: elapsed.rounded(.down)) ?? .max)
  }

  /// Returns when the scaled time is `instant`, or when the task is cancelled.
  public func sleep(until instant: Instant) async {
    while !Task.isCancelled {
      let rest = instant - now()
      guard rest > .zero else { return }
      let wait = min(rest / .milliseconds(1) / speed, SteadyClock.longestWait / .milliseconds(1))
      try? await Task.sleep(for: .milliseconds(wait), clock: .continuous)
    }
  }
}
