public import Basics
public import CEL

/// Where a run stands: all that must be durable, and the window of active items.
public struct RunState: Hashable, Sendable {
  /// The states of a run.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// At work, or to be continued by `pipeline resume`. Can transition to: paused, cancelling,
    /// finished.
    case running
    /// Stopped by a person or because a step of run scope cannot go on. Can transition to:
    /// running, cancelling.
    case paused
    /// Items are being given up. Can transition to: cancelled.
    case cancelling
    /// Given up.
    case cancelled
    /// Nothing is left to do; items may have failed or be paused. Can transition to: running, when
    /// items are retried.
    case finished
  }

  /// The run.
  public let id: RunID
  /// Where it stands.
  public var status: Status = .running
  /// Why it is paused, or what it left undone when it finished.
  public var reason: Failure?
  /// Values of the inputs that are not secret, by name.
  ///
  /// A `files` input is not here: its files are items.
  public var inputs: [String: Value]
  /// Values of secret inputs, by name; never stored.
  public var secrets: [String: Value]
  /// The steps of run scope.
  public var frame: Frame
  /// The loops, in the order of the pipeline.
  public var loops: [LoopState]
  /// Generator for jitter.
  public var random: SplitMix64
  /// A random text, made with the run, that stands in each idempotency key and each `item.key`; `nil` in runs
  /// that began before there was one, whose keys are made from ``id``.
  public let keySeed: String?
  /// Difference between servers' clocks and ours, by host.
  public var clocks: [String: ClockOffset] = [:]
  /// What the machine has learnt of durations.
  public var pace = Pace()
  /// Whether and until when short requests may run.
  public var allowance: Allowance = .unlimited
  /// What the run's time goes by; `nil` where nothing but the wall clock is known.
  public var time: TimeAnchor?
  /// When the run began.
  public let began: Instant
  /// When the run last became `finished`, `paused` or `cancelled`.
  public var ended: Instant?

  /// A run that has not begun.
  ///
  /// Without a `keySeed` the keys by which servers recognise a repeat are made from `id`, which must
  /// then be unique among all runs that a server ever sees.
  public init(
    id: RunID, pipeline: Pipeline, inputs: [String: Value], secrets: [String: Value] = [:],
    seed: UInt64, began: Instant, keySeed: String? = nil
  ) {
    self.id = id
    self.keySeed = keySeed
    self.inputs = inputs
    self.secrets = secrets
    self.frame = Frame(repeating: StepState(), count: pipeline.runSteps.count)
    self.loops = pipeline.loops.map { _ in LoopState() }
    self.random = SplitMix64(seed: seed)
    self.began = began
  }

  /// Whether short requests may run.
  public enum Allowance: Hashable, Sendable {
    /// As long as they like.
    case unlimited
    /// Until the instant.
    case until(Instant)
    /// Not now: the process is about to be suspended, or is.
    case none
  }
}

/// Where a loop stands.
public struct LoopState: Hashable, Sendable {
  /// How many items stand where.
  ///
  /// Counted in full once ``isEnumerated``.
  public var counts = ItemCounts()
  /// Whether the loop's items are known and fixed.
  public var isEnumerated = false
  /// Ordinal of the last item taken from the store; pending items after it are still to be taken.
  public var cursor = -1
  /// Items in the window, by ordinal.
  public var active: [Int: Item] = [:]
  /// Items read ahead, in order, not begun.
  public var ready: ArraySlice<Item> = []
  /// Whether a read-ahead is demanded and not answered.
  public var isLoading = false
  /// Bytes of the items that are done, as their files' sizes say.
  public var bytesDone: Int64 = 0
  /// Items out of the window whose compensations could not all be carried out.
  public var leftAtServer = 0
  /// Whether pending items may have begun already, because they were paused or failed and are tried again.
  public var isRequeued = false

  /// A loop that was not reached.
  public init() {}
}

/// What is known of a server's clock: the bounds of (server − ours), narrowed with each `Date`
/// header.
public struct ClockOffset: Hashable, Sendable {
  /// Least difference in milliseconds.
  public let low: Int64
  /// Greatest difference in milliseconds.
  public let high: Int64

  /// Bounds a difference.
  public init(low: Int64, high: Int64) {
    self.low = low
    self.high = high
  }

  /// Bounds from one answer: the `Date` header is cut to seconds, and was written between sending
  /// and receiving.
  public init(date: Instant, sent: Instant, received: Instant) {
    low = date.milliseconds - received.milliseconds
    high = date.milliseconds + 999 - sent.milliseconds
  }

  /// Both bounds together; the newer alone where they contradict each other, because a clock was
  /// set.
  public func narrowed(by newer: Self) -> Self {
    let bounds = (max(low, newer.low), min(high, newer.high))
    return bounds.0 <= bounds.1 ? Self(low: bounds.0, high: bounds.1) : newer
  }

  /// The earliest instant of our clock at which the server's shows `server`.
  public func earliestLocal(ofServer server: Instant) -> Instant {
    server - .milliseconds(high)
  }
}

/// Durations learnt from answers, to judge whether a request fits the time that is left.
public struct Pace: Hashable, Sendable {
  /// Bytes per second of one upload, smoothed.
  public private(set) var bytesPerSecond: Double?
  /// Seconds of a short request, smoothed.
  public private(set) var requestSeconds: Double?

  /// Nothing learnt.
  public init() {}

  /// Restores what was learnt.
  public init(bytesPerSecond: Double?, requestSeconds: Double?) {
    self.bytesPerSecond = bytesPerSecond
    self.requestSeconds = requestSeconds
  }

  private static let weight = 0.2

  /// Learns from a short request.
  public mutating func learn(request duration: Duration) {
    let seconds = Double(max(duration.milliseconds, 0)) / 1000
    requestSeconds = requestSeconds.map { $0 + (seconds - $0) * Self.weight } ?? seconds
  }

  /// Learns from an upload of `bytes`.
  public mutating func learn(upload bytes: Int64, in duration: Duration) {
    let rate = Double(bytes) / max(Double(duration.milliseconds) / 1000, 0.001)
    bytesPerSecond = bytesPerSecond.map { $0 + (rate - $0) * Self.weight } ?? rate
  }

  /// How long an upload of `bytes` is expected to take; zero while nothing is known.
  public func expected(upload bytes: Int64) -> Duration {
    guard let bytesPerSecond, bytesPerSecond > 0 else { return .zero }
    return .milliseconds(Int64(min(Double(bytes) / bytesPerSecond * 1000, 1e15)))
  }

  /// How long a short request is expected to take; 1 s while nothing is known.
  public var expectedRequest: Duration {
    .milliseconds(Int64((requestSeconds ?? 1) * 1000))
  }
}
