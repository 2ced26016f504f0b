public import PipelineDocument
public import CEL
public import PipelineCore

/// A checked scenario: days in the life of a device, and what must hold all the while.
///
/// It names no pipeline; any can be simulated in it.
public struct ScenarioDocument: Hashable, Sendable {
  /// The name, from the key `scenario`.
  public let name: String
  /// What it shows, in a sentence.
  public let description: String?
  /// The file as the user named it.
  public let file: String
  /// The numbers of the device.
  public let device: ScenarioDevice
  /// When virtual time begins.
  public let start: Instant
  /// Virtual time after which it ends, whatever is left to do.
  public let length: Duration
  /// How long the app stays in front at the start, when a person begins the upload; `nil` is always.
  public let opening: Duration?
  /// The files that are uploaded.
  public let items: ScenarioItems
  /// Values of inputs by their names.
  public let inputs: [ScenarioInput]
  /// Bytes per second that a file is written with; `nil` takes no time.
  public let writeSpeed: Int64?
  /// What surrounds the device where nothing else is said.
  public let conditions: ScenarioConditions
  /// What a person and the world do, and when.
  public let timeline: [TimelineEntry]
  /// What happens by chance.
  public let random: [RandomEntry]
  /// How the server behaves.
  public let server: ScenarioServer
  /// What must hold, in the order of the file.
  public let properties: [ScenarioProperty]
}

/// A quantity that varies: bytes, or milliseconds.
public enum ScenarioSpread: Hashable, Sendable {
  /// Always the same.
  case constant(Double)
  /// Anything between two bounds, all equally often.
  case uniform(Double, Double)
  /// Often small and at times very large: half are below the median, nine of ten below the other.
  case logNormal(median: Double, p90: Double)
  /// Mostly short and at times long, as times between independent happenings are.
  case exponential(mean: Double)
}

/// The files of a simulation.
public struct ScenarioItems: Hashable, Sendable {
  /// How many there are.
  public var count: Int
  /// Their sizes in bytes.
  public var size: ScenarioSpread

  /// So many files of such sizes.
  public init(count: Int, size: ScenarioSpread) {
    self.count = count
    self.size = size
  }
}

/// The value that a scenario gives to an input, and where.
public struct ScenarioInput: Hashable, Sendable {
  /// The input's name.
  public let name: String
  /// The value as it is written.
  public let text: String
  /// Where the name stands.
  public let range: TextRange
}

/// What surrounds a device; what is `nil` stays as it is.
public struct ScenarioConditions: Hashable, Sendable {
  /// The way to the net.
  public enum Network: String, Hashable, Sendable, CaseIterable {
    /// None.
    case none
    /// Wi-Fi.
    case wifi
    /// Mobile data.
    case cellular
  }

  /// The way to the net.
  public var network: Network?
  /// Bytes per second.
  public var bandwidth: Int64?
  /// Time that the way adds to each answer.
  public var latency: Duration?
  /// How often a connection breaks, from 0 to 1.
  public var loss: Double?
  /// Whether the way costs money.
  public var isExpensive: Bool?
  /// Whether the person asked to save data.
  public var isConstrained: Bool?
  /// Whether the device is charged.
  public var hasPower: Bool?
  /// Charge from 0 to 1.
  public var battery: Double?
  /// Whether the person asked to save power.
  public var isLowPowerMode: Bool?
  /// Whether the device is locked.
  public var isLocked: Bool?
  /// Bytes that are free for files that a run makes.
  public var free: Int64?

  /// Nothing is said.
  public init() {}

  /// These conditions, changed by what `other` says.
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

  /// The values by their keys, in the order of the language, as YAML writes them.
  public var fields: [(key: String, value: String)] {
    var fields: [(key: String, value: String)] = []
    func add(_ key: String, _ value: String?) {
      if let value { fields.append((key, value)) }
    }
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

/// Something that happens once.
public enum ScenarioAction: String, Hashable, Sendable, CaseIterable {
  /// A person swipes the app away (FQ1).
  case forceQuit = "force_quit"
  /// The system needs the app's memory (FQ4).
  case systemKill = "system_kill"
  /// The device starts anew, locked (FQ4).
  case reboot
  /// A person unlocks the device.
  case unlock
  /// The transfer service dies (TX19).
  case serviceCrash = "service_crash"
  /// The app is updated: its process ends, also in front (TX17).
  case updateApp = "update_app"
  /// The oldest task vanishes from the transfer service (FQ3).
  case loseTask = "lose_task"
  /// The system deletes the files that the run made.
  case purgeFiles = "purge_files"
  /// A session with the app's identifier is made a second time, and takes its events (TX3).
  case secondSession = "second_session"
}

/// What an entry of a timeline does.
public enum ScenarioHappening: Hashable, Sendable {
  /// A person opens the app, and leaves it after so long.
  case open(Duration)
  /// Something happens.
  case action(ScenarioAction)
  /// The wall clock of the device is put forward by so much, or back.
  case clockChange(by: Duration)
  /// The surroundings are different for so long.
  case conditions(ScenarioConditions, for: ScenarioSpread)
}

/// An entry of a timeline.
public struct TimelineEntry: Hashable, Sendable {
  /// A day of the week.
  public enum Weekday: String, Hashable, Sendable, CaseIterable {
    /// Days by the first letters of their names.
    case mon, tue, wed, thu, fri, sat, sun
  }

  /// When it happens.
  public enum Time: Hashable, Sendable {
    /// So long after midnight (UTC) on these days of the week; on all where none is named.
    case daily(Duration, [Weekday])
    /// So long after midnight of the day with this number, from 1.
    case day(Int, Duration)
    /// So long after the start.
    case after(Duration)
  }

  /// When it happens.
  public var time: Time
  /// What happens.
  public var happening: ScenarioHappening
  /// It happens earlier or later by at most so much.
  public var jitter: Duration
  /// How often it happens at all, from 0 to 1.
  public var chance: Double

  /// Dates something.
  public init(
    _ time: Time, _ happening: ScenarioHappening, jitter: Duration = .zero, chance: Double = 1
  ) {
    self.time = time
    self.happening = happening
    self.jitter = jitter
    self.chance = chance
  }
}

/// Something that happens again and again, at times that nobody knows.
public struct RandomEntry: Hashable, Sendable {
  /// The mean time from one to the next; the times are exponential.
  public var every: Duration
  /// What happens.
  public var happening: ScenarioHappening

  /// Something that happens every so often.
  public init(every: Duration, _ happening: ScenarioHappening) {
    self.every = every
    self.happening = happening
  }
}

/// How a scenario's server behaves.
public struct ScenarioServer: Hashable, Sendable {
  /// A chance for each request, from 0 to 1.
  public enum Fault: String, Hashable, Sendable, CaseIterable {
    /// 503.
    case serverError = "server_error"
    /// 429 with `Retry-After`.
    case throttled
    /// The request is taken, and the answer lost.
    case lostReply = "lost_reply"
    /// The request never arrives.
    case lostRequest = "lost_request"
    /// The request arrives twice.
    case duplicate
    /// What the request made dies early.
    case revoked
  }

  /// Time to an answer, in milliseconds.
  public var latency: ScenarioSpread?
  /// Lives of steps' results, by the steps' ids.
  public var lifetimes: [Lifetime] = []
  /// Chances.
  public var faults: [Fault: Double] = [:]
  /// Time until what a request made can be seen.
  public var staleReads = Duration.zero
  /// How much the server's clock is ahead.
  public var clockSkew = Duration.zero

  /// How long what a step made lives.
  public struct Lifetime: Hashable, Sendable {
    /// The step's id.
    public let step: String
    /// The life.
    public let life: Duration
    /// Where the id stands.
    public let range: TextRange
  }
}

/// What must hold while a scenario is simulated.
public struct ScenarioProperty: Hashable, Sendable {
  /// When it must hold.
  public enum Kind: Hashable, Sendable {
    /// At every moment.
    case always
    /// At no moment.
    case never
    /// At some moment, at most so long after the start; `nil` is before the end.
    case eventually(within: Duration?)
    /// For at most one answer of the server.
    case atMostOnce(per: Scope)
  }

  /// What answers are counted by.
  public enum Scope: String, Hashable, Sendable, CaseIterable {
    /// One for each item.
    case item
    /// One for the whole run.
    case run
  }

  /// The name.
  public let name: String
  /// When it must hold.
  public let kind: Kind
  /// What must hold.
  public let expression: Expression
  /// Where the name stands.
  public let range: TextRange

  /// Says what must hold.
  public init(name: String, kind: Kind, expression: Expression, range: TextRange) {
    self.name = name
    self.kind = kind
    self.expression = expression
    self.range = range
  }

  /// Names that expressions about the simulated world see, and their types.
  public static let worldVariables: [(name: String, type: ValueType)] = [
    ("time", .duration), ("items.count", .int), ("items.completed", .int), ("items.failed", .int),
    ("items.paused", .int), ("items.skipped", .int), ("items.cancelled", .int),
    ("items.active", .int), ("items.pending", .int), ("items.unfinished", .int),
    ("disk.used", .int), ("disk.peak", .int), ("transfers.queued", .int), ("bytes.sent", .int),
    ("bytes.wasted", .int), ("device.wakes", .int), ("device.kills", .int),
    ("device.added_wait", .duration), ("requests.count", .int), ("reissues", .map(.string, .int)),
  ]

  /// Names that expressions about a request and its answer see, besides, and their types.
  public static let requestVariables: [(name: String, type: ValueType)] = [
    ("time", .duration), ("request.step", .string), ("request.item", .int),
    ("request.purpose", .string), ("request.method", .string), ("request.url", .string),
    ("request.headers", .map(.string, .string)), ("request.size", .int),
    ("request.duplicate", .bool), ("response.status", .int), ("response.lost", .bool),
    ("response.committed", .bool),
  ]
}

/// The numbers of a device: those of a profile, and what differs from them.
public struct ScenarioDevice: Hashable, Sendable {
  /// Names of the profiles.
  public static let profiles = ["classic", "ios7", "ios8", "ios13", "ios17", "ios26", "worst"]

  /// Name of the profile.
  public var profile: String
  /// Durations that differ from the profile's, by `part.key`, such as `allowance.per_resume`.
  public var durations: [String: Duration] = [:]
  /// Numbers that differ.
  public var numbers: [String: Double] = [:]
  /// Words and truth values that differ.
  public var words: [String: String] = [:]

  /// A profile as it is.
  public init(profile: String) { self.profile = profile }
}
