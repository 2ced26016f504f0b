public import PipelineCore
public import PipelineEngine

/// The time of one run: it runs evenly, and goes on where the process before left it.
///
/// It counts what the machine counts since it was started, so that neither a person nor a time server
/// that sets the wall clock ends a wait early or makes one longer. After another start of the machine the
/// wall clock says what the time is, but never an earlier one than that of the last thing that happened to
/// the run.
public struct SteadyClock: PipelineEngine.Clock {
  /// To be kept with the run (``/PipelineCore/RunState/time``), so that the next process can go on.
  public let anchor: TimeAnchor

  /// The time of a run that begins.
  public init() {
    anchor = TimeAnchor(boot: Self.boot, origin: MachineTime.wall - MachineTime.elapsed)
  }

  /// The time of a run as the store has it.
  public init(continuing state: RunState) {
    anchor = TimeAnchor(
      continuing: state, boot: Self.boot, elapsed: MachineTime.elapsed, wall: MachineTime.wall)
  }

  /// A machine that does not name its starts is taken to have started anew for each process.
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

  /// No single wait of the system is longer than this.
  static let longestWait: Duration = .seconds(3600)
}

/// A clock that begins at an instant and runs faster, or slower, than the world.
public struct ScaledClock: PipelineEngine.Clock {
  private let start: Instant
  private let origin: ContinuousClock.Instant
  private let speed: Double

  /// Begins at `start` now, or where nothing is said at what the wall clock shows, and advances `speed`
  /// seconds per second; a speed that is not positive and finite counts as 1.
  public init(speed: Double, start: Instant? = nil) {
    self.speed = speed.isFinite && speed > 0 ? speed : 1
    self.start = start ?? MachineTime.wall
    origin = .now
  }

  /// Goes on with a run as the store has it, whose time may be ahead of the wall clock.
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
