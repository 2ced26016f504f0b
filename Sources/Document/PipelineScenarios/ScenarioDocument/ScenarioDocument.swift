/// A checked scenario: a simulated period of a device's use, for any pipeline, and properties that must hold.
public struct ScenarioDocument: Hashable, Sendable {
  /// The name, from the key `scenario`.
  public let name: String
  /// Its purpose, in a sentence.
  public let description: String?
  /// The file as the user named it.
  public let file: String
  /// The device's parameters.
  public let device: ScenarioDevice
  /// The start of virtual time.
  public let start: Instant
  /// Virtual time after which it ends, even if work remains.
  public let length: Duration
  /// How long the app stays in the foreground at the start, when the user starts the upload; `nil` is always.
  public let opening: Duration?
  /// The files to upload.
  public let items: ScenarioItems
  /// Values of inputs by their names.
  public let inputs: [ScenarioInput]
  /// Write speed of files in bytes per second; `nil` means no delay.
  public let writeSpeed: Int64?
  /// The default conditions around the device.
  public let conditions: ScenarioConditions
  /// The actions of the user and the environment, with their times.
  public let timeline: [TimelineEntry]
  /// Random events.
  public let random: [RandomEntry]
  /// How the server behaves.
  public let server: ScenarioServer
  /// The properties that must hold, in file order.
  public let properties: [ScenarioProperty]
}

/// The files of a simulation.
public struct ScenarioItems: Hashable, Sendable {
  /// The number of files.
  public var count: Int
  /// Their sizes in bytes.
  public var size: Distribution

  /// Creates a number of files with these sizes.
  public init(count: Int, size: Distribution) { (self.count, self.size) = (count, size) }
}

/// The value that a scenario sets for an input, with its range.
public struct ScenarioInput: Hashable, Sendable {
  /// The input's name, and the value as written.
  public let name, text: String
  /// The range of the name.
  public let range: TextRange
}

/// Conditions around a device; `nil` values leave a condition unchanged.
public struct ScenarioConditions: Hashable, Sendable {
  /// The network connection.
  public enum Network: String, Hashable, Sendable, CaseIterable { case none, wifi, cellular }

  /// The network connection.
  public var network: Network?
  /// Bytes per second.
  public var bandwidth: Int64?
  /// Time that the network adds to each response.
  public var latency: Duration?
  /// The chance that a connection breaks, from 0 to 1.
  public var loss: Double?
  /// Whether the connection is expensive, and whether the user has turned on low-data mode.
  public var isExpensive, isConstrained: Bool?
  /// Whether the device is charging.
  public var hasPower: Bool?
  /// Battery level from 0 to 1.
  public var battery: Double?
  /// Whether the user has turned on low-power mode, and whether the device is locked.
  public var isLowPowerMode, isLocked: Bool?
  /// Free space for files written by the run.
  public var free: Int64?

  /// No conditions.
  public init() {}

  /// These conditions, overridden by `other`.
  public func changed(by other: Self) -> Self {
    var result = self
    if let value = other.network { result.network = value }
    if let value = other.bandwidth { result.bandwidth = value }
    if let value = other.latency { result.latency = value }
    if let value = other.loss { result.loss = value }
    if let value = other.isExpensive { result.isExpensive = value }
    if let value = other.isConstrained { result.isConstrained = value }
    if let value = other.hasPower { result.hasPower = value }
    if let value = other.battery { result.battery = value }
    if let value = other.isLowPowerMode { result.isLowPowerMode = value }
    if let value = other.isLocked { result.isLocked = value }
    if let value = other.free { result.free = value }
    return result
  }

  /// The values by key, in the order of the language, as YAML.
  public var fields: [(key: String, value: String)] {
    var fields: [(key: String, value: String)] = []
    func add(_ key: String, _ value: String?) { if let value { fields.append((key, value)) } }
    add("network", network?.rawValue)
    add("bandwidth", bandwidth.map { "\($0) B/s" })
    add("latency", latency.map { "\($0.milliseconds)ms" })
    add("loss", loss.map { "\($0)" })
    add("expensive", isExpensive.map { "\($0)" })
    add("constrained", isConstrained.map { "\($0)" })
    add("power", hasPower.map { "\($0)" })
    add("battery", battery.map { "\($0)" })
    add("low_power_mode", isLowPowerMode.map { "\($0)" })
    add("locked", isLocked.map { "\($0)" })
    add("free", free.map(String.init))
    return fields
  }
}

/// An event that happens once.
public enum ScenarioAction: String, Hashable, Sendable, CaseIterable {
  /// The user swipes the app away (FQ1).
  case forceQuit = "force_quit"
  /// The system needs the app's memory (FQ4).
  case systemKill = "system_kill"
  /// The device restarts, locked (FQ4).
  case reboot
  case unlock
  /// The transfer service crashes (TX19).
  case serviceCrash = "service_crash"
  /// The app is updated: its process ends, even in the foreground (TX17).
  case updateApp = "update_app"
  /// The oldest task vanishes from the transfer service (FQ3).
  case loseTask = "lose_task"
  /// The system deletes the files written by the run.
  case purgeFiles = "purge_files"
  /// A second session with the app's identifier is created, and receives its events (TX3).
  case secondSession = "second_session"
}

/// The effect of an entry of a timeline.
public enum ScenarioHappening: Hashable, Sendable {
  /// The user opens the app, and leaves it after this time.
  case open(Duration)
  case action(ScenarioAction)
  /// The device's wall clock is put forward or back by this much.
  case clockChange(by: Duration)
  /// The conditions change for this time.
  case conditions(ScenarioConditions, for: Distribution)
}

/// What happens on the phone at a time, or regularly.
public struct TimelineEntry: Hashable, Sendable {
  /// A day of the week.
  public enum Weekday: String, Hashable, Sendable, CaseIterable {
    /// Days by the first letters of their names.
    case mon, tue, wed, thu, fri, sat, sun
  }

  /// When it happens.
  public enum Time: Hashable, Sendable {
    /// This long after midnight (UTC) on these days of the week; on all days if empty.
    case daily(Duration, [Weekday])
    /// This long after midnight of the day with this number, from 1.
    case day(Int, Duration)
    /// This long after the start.
    case after(Duration)
  }

  /// When it happens.
  public var time: Time
  /// What happens.
  public var happening: ScenarioHappening
  /// The maximum random shift, earlier or later.
  public var jitter: Duration
  /// The chance that it happens at all, from 0 to 1.
  public var chance: Double

  /// Makes a timed entry.
  public init(
    _ time: Time, _ happening: ScenarioHappening, jitter: Duration = .zero, chance: Double = 1
  ) { (self.time, self.happening, self.jitter, self.chance) = (time, happening, jitter, chance) }
}

/// An event that recurs at random times.
public struct RandomEntry: Hashable, Sendable {
  /// The mean interval; intervals are exponentially distributed.
  public var every: Duration
  /// What happens.
  public var happening: ScenarioHappening

  /// Makes a recurring event.
  public init(every: Duration, _ happening: ScenarioHappening) {
    (self.every, self.happening) = (every, happening)
  }
}

/// How a scenario's server behaves.
public struct ScenarioServer: Hashable, Sendable {
  /// Probabilities per request, from 0 to 1.
  public enum Fault: String, Hashable, Sendable, CaseIterable {
    /// 503.
    case serverError = "server_error"
    /// 429 with `Retry-After`.
    case throttled
    /// The request is processed, but the response is lost.
    case lostReply = "lost_reply"
    /// The request never arrives.
    case lostRequest = "lost_request"
    case duplicate
    /// The result of the request expires early.
    case revoked
  }

  /// Time to a response, in milliseconds.
  public var latency: Distribution?
  /// Lifetimes of steps' results, by step ID.
  public var lifetimes: [Lifetime] = []
  /// Probabilities.
  public var faults: [Fault: Double] = [:]
  /// Time until the result of a request becomes visible.
  public var staleReads = Duration.zero
  /// How far the server's clock is ahead.
  public var clockSkew = Duration.zero
  /// Whether it lets devices resume interrupted uploads.
  public var resumesUploads = false

  /// How long a step's results are valid.
  public struct Lifetime: Hashable, Sendable {
    /// The step's ID.
    public let step: String
    /// The lifetime.
    public let life: Duration
    /// The range of the ID.
    public let range: TextRange
  }
}

/// A property that must hold while a scenario is simulated.
public struct ScenarioProperty: Hashable, Sendable {
  /// When it must hold.
  public enum Kind: Hashable, Sendable {
    case always, never
    /// At some time, at most this long after the start; `nil` means before the end.
    case eventually(within: Duration?)
    /// For at most one response of the server.
    case atMostOnce(per: Scope)
  }

  /// How responses are counted.
  public enum Scope: String, Hashable, Sendable, CaseIterable { case item, run }

  public let name: String
  /// When it must hold.
  public let kind: Kind
  /// The condition.
  public let expression: Expression
  /// The range of the name.
  public let range: TextRange

  /// Makes a property.
  public init(name: String, kind: Kind, expression: Expression, range: TextRange) {
    (self.name, self.kind, self.expression, self.range) = (name, kind, expression, range)
  }

  /// Names in expressions about the simulated world, and their types.
  public static let worldVariables: [(name: String, type: ValueType)] = [
    ("time", .duration), ("items.count", .int), ("items.completed", .int), ("items.failed", .int),
    ("items.paused", .int), ("items.skipped", .int), ("items.cancelled", .int),
    ("items.active", .int), ("items.pending", .int), ("items.unfinished", .int),
    ("disk.used", .int), ("disk.peak", .int), ("transfers.queued", .int), ("bytes.sent", .int),
    ("bytes.wasted", .int), ("device.wakes", .int), ("device.kills", .int),
    ("device.added_wait", .duration), ("requests.count", .int), ("reissues", .map(.string, .int)),
  ]

  /// Additional names in expressions about a request and its response, and their types.
  public static let requestVariables: [(name: String, type: ValueType)] = [
    ("time", .duration), ("request.step", .string), ("request.item", .int),
    ("request.purpose", .string), ("request.method", .string), ("request.url", .string),
    ("request.headers", .map(.string, .string)), ("request.size", .int),
    ("request.duplicate", .bool), ("response.status", .int), ("response.lost", .bool),
    ("response.committed", .bool),
  ]
}

/// The parameters of a device: a profile, and the values that differ from it.
public struct ScenarioDevice: Hashable, Sendable {
  /// Names of the profiles.
  public static let profiles = ["classic", "ios7", "ios8", "ios13", "ios17", "ios26", "worst"]
  /// Name of the profile.
  public var profile: String
  /// Durations that differ from the profile's, by `part.key`, such as `allowance.per_resume`.
  public var durations: [String: Duration] = [:]
  /// Numbers that differ.
  public var numbers: [String: Double] = [:]
  /// Words and Booleans that differ.
  public var words: [String: String] = [:]

  /// An unchanged profile.
  public init(profile: String) { self.profile = profile }
}
