public import Basics
public import CEL

/// The state of a run: everything that must be durable, and the window of active items.
public struct RunState: Hashable, Sendable {
  /// The states of a run.
  public enum Status: String, Hashable, Sendable, Codable, CaseIterable {
    /// In progress, or to be resumed. Can transition to: paused, cancelling, finished.
    case running
    /// Stopped by the user, or unable to continue. Can transition to: running, cancelling.
    case paused
    /// Items are being abandoned. Can transition to: cancelled.
    case cancelling
    case cancelled
    /// Nothing is left to do, except for the user. Can transition to: running, when items are retried.
    case finished
  }

  public let id: RunID
  public var status: Status = .running
  /// Why it is paused, or which work was unfinished when it ended.
  public var reason: Failure?
  /// Values of the non-secret inputs, by name; the files of a `files` input are items.
  public var inputs: [String: Value]
  /// Values of secret inputs, by name; never stored.
  public var secrets: [String: Value]
  /// The run-level steps.
  public var frame: Frame
  /// The loops, in the order of the pipeline.
  public var loops: [LoopState]
  /// Random generator for jitter.
  public var random: SplitMix64
  /// A random text in each idempotency key and `item.key`; without it, the run's ``id`` must be unique.
  public let keySeed: String?
  /// The share of the items that the run has; `nil` is all of them.
  public let shard: Shard?
  /// Difference between servers' clocks and ours, by host.
  public var clocks: [String: ClockOffset] = [:]
  /// Estimates of durations.
  public var pace = Pace()
  /// The remaining tokens of each rate of the budgets, by its name; a missing rate is full.
  public var buckets: [String: TokenBucket] = [:]
  /// Pauses that servers asked for, by the rate that requests name or by scheme, host and port.
  public var pauses: [String: HostPause] = [:]
  /// Whether and until when short requests may run.
  public var allowance: Allowance = .unlimited
  /// The reference of the run's time; `nil` if only the wall clock is known.
  public var time: TimeAnchor?
  /// When the run started.
  public let began: Instant
  /// When the run last became `finished`, `paused` or `cancelled`.
  public var ended: Instant?

  /// A run that has not started.
  public init(
    id: RunID, pipeline: Pipeline, inputs: [String: Value], secrets: [String: Value] = [:],
    seed: UInt64, began: Instant, keySeed: String? = nil, shard: Shard? = nil
  ) {
    (self.id, self.shard, self.keySeed, self.inputs) = (id, shard, keySeed, inputs)
    self.secrets = secrets
    self.frame = Frame(repeating: StepState(), count: pipeline.runSteps.count)
    self.loops = pipeline.loops.map { _ in LoopState() }
    self.random = SplitMix64(seed: seed)
    self.began = began
  }

  /// Whether short requests may run.
  public enum Allowance: Hashable, Sendable {
    /// Without a time limit.
    case unlimited
    case until(Instant)
    /// Not now: the process is about to be suspended, or is suspended.
    case none
  }
}

/// How far a loop has come: its items by status, and those in the window.
public struct LoopState: Hashable, Sendable {
  /// The number of items in each state; complete once ``isEnumerated`` is true.
  public var counts = ItemCounts()
  /// Whether the loop's items are known and fixed.
  public var isEnumerated = false
  /// Ordinal of the last item loaded from the store; pending items after it are still in the store.
  public var cursor = -1
  /// Items in the window, by ordinal.
  public var active: [Int: Item] = [:]
  /// Items read ahead, in order, that have not started.
  public var ready: ArraySlice<Item> = []
  /// Whether a read-ahead was requested and has no result yet.
  public var isLoading = false
  /// The sum of ``Item/bytesMoved`` of all its items.
  public var bytesMoved: Int64 = 0
  /// Items outside the window whose compensations could not all be carried out.
  public var leftAtServer = 0
  /// Whether pending items may have started already, because they were paused or failed and are retried.
  public var isRequeued = false

  /// A loop that has not been reached.
  public init() {}
}

/// Bounds of the difference of a server's clock (server − ours), narrowed with each `Date` header.
public struct ClockOffset: Hashable, Sendable {
  /// Minimum difference in milliseconds.
  public let low: Int64
  /// Maximum difference in milliseconds.
  public let high: Int64

  /// Creates bounds of a difference.
  public init(low: Int64, high: Int64) { (self.low, self.high) = (low, high) }

  /// Bounds from one response: `Date` is truncated to seconds, and written between sending and receiving.
  public init(date: Instant, sent: Instant, received: Instant) {
    low = date.milliseconds - received.milliseconds
    high = date.milliseconds + 999 - sent.milliseconds
  }

  /// The intersection of both bounds; the newer ones if they contradict each other: a clock was set.
  public func narrowed(by newer: Self) -> Self {
    let bounds = (max(low, newer.low), min(high, newer.high))
    return bounds.0 <= bounds.1 ? Self(low: bounds.0, high: bounds.1) : newer
  }

  /// The earliest instant of our clock at which the server's clock shows `server`.
  public func earliestLocal(ofServer server: Instant) -> Instant { server - .milliseconds(high) }
}

/// Estimates of durations from past responses, to judge whether a request fits the remaining time.
public struct Pace: Hashable, Sendable {
  /// Bytes per second of one upload, smoothed.
  public private(set) var bytesPerSecond: Double?
  /// Seconds of a short request, smoothed.
  public private(set) var requestSeconds: Double?

  /// Without estimates.
  public init() {}

  /// Restores estimates.
  public init(bytesPerSecond: Double?, requestSeconds: Double?) {
    (self.bytesPerSecond, self.requestSeconds) = (bytesPerSecond, requestSeconds)
  }

  private static let weight = 0.2

  /// Updates the estimates after a short request.
  public mutating func learn(request duration: Duration) {
    let seconds = Double(max(duration.milliseconds, 0)) / 1000
    requestSeconds = requestSeconds.map { $0 + (seconds - $0) * Self.weight } ?? seconds
  }

  /// Updates the estimates after an upload of `bytes`.
  public mutating func learn(upload bytes: Int64, in duration: Duration) {
    let rate = Double(bytes) / max(Double(duration.milliseconds) / 1000, 0.001)
    bytesPerSecond = bytesPerSecond.map { $0 + (rate - $0) * Self.weight } ?? rate
  }

  /// The expected duration of an upload of `bytes`; zero while nothing is known.
  public func expected(upload bytes: Int64) -> Duration {
    guard let bytesPerSecond, bytesPerSecond > 0 else { return .zero }
    return .milliseconds(Int64(min(Double(bytes) / bytesPerSecond * 1000, 1e15)))
  }

  /// The expected duration of a short request; 1 s while nothing is known.
  public var expectedRequest: Duration { .milliseconds(Int64((requestSeconds ?? 1) * 1000)) }
}
