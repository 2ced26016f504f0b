public import PipelineCore
public import PipelineEngine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The wall clock.
///
/// Lifetimes and `Retry-After` are dates, so the wall clock decides when a sleep is over. It can be set while we sleep; therefore
/// no single wait on the monotonic clock is longer than ``longestWait``.
public struct SystemClock: PipelineEngine.Clock {
  /// A step of the wall clock is noticed after this time at the latest.
  public static let longestWait: Duration = .seconds(30)

  /// The system's clock.
  public init() {}

  /// The wall clock's time.
  public func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(
      milliseconds: Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000)
  }

  /// Returns when the wall clock shows `instant`, or when the task is cancelled.
  public func sleep(until instant: Instant) async {
    while !Task.isCancelled {
      let rest = instant - now()
      guard rest > .zero else { return }
      try? await Task.sleep(for: min(rest, Self.longestWait), clock: .continuous)
    }
  }
}

/// A clock that begins at an instant and runs faster, or slower, than the world.
public struct ScaledClock: PipelineEngine.Clock {
  private let start: Instant
  private let origin: ContinuousClock.Instant
  private let speed: Double

  /// Begins at `start` now and advances `speed` seconds per second; a speed that is not positive and finite counts as 1.
  public init(speed: Double, start: Instant = SystemClock().now()) {
    self.speed = speed.isFinite && speed > 0 ? speed : 1
    self.start = start
    origin = .now
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
      let wait = min(rest / .milliseconds(1) / speed, SystemClock.longestWait / .milliseconds(1))
      try? await Task.sleep(for: .milliseconds(wait), clock: .continuous)
    }
  }
}
