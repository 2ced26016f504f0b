/// How gently a run works, without a change of its file.
struct LimitOptions: ParsableArguments {
  @Option(
    help: .help(
      "Work on at most so many items at once, and on no more parts of an item, whatever the file says.",
      "number"))
  var concurrency: Int?

  @Option(
    help: .help(
      "Send and receive no more than this, such as 5MB/s, if the file does not ask for less.",
      "rate"))
  var bandwidth: String?

  @Option(
    help: .help(
      "Send no more requests in a second than this, such as 10 or 0.5, if the file does not ask for fewer.",
      "number"))
  var requestsPerSecond: Double?

  @Option(
    help: .help("Pause the run when this command has transferred so much, such as 20GB.", "size"))
  var maxTransfer: String?

  @Option(
    help: .help("Pause the run when this command has worked so long, such as 6h.", "duration"))
  var maxDuration: String?

  func validate() throws {
    if let concurrency, concurrency < 1 {
      throw ValidationError("--concurrency must be at least 1.")
    }
    _ = try bytesPerSecond
    if let number = requestsPerSecond,
      !(Settings.leastRequestsPerSecond...Double(Rate.maximumRequests)).contains(number)
    {
      throw ValidationError(
        number <= 0
          ? "--requests-per-second must be more than 0; omit it for no limit."
          : "--requests-per-second must be from \(Settings.leastRequestsPerSecond) to \(Rate.maximumRequests)."
      )
    }
    _ = try transferLimit
    _ = try timeLimit
  }

  private static func limit<Number: Comparable & AdditiveArithmetic>(
    _ text: String?, _ option: String, _ parse: (String, String) throws -> Number
  ) throws -> Number? {
    guard let number = try text.map({ try parse($0, option) }) else { return nil }
    guard number > .zero else {
      throw ValidationError("\(option) must be more than 0; omit it for no limit.")
    }
    return number
  }

  /// Bytes in a second.
  private var bytesPerSecond: Int64? {
    get throws {
      let size = bandwidth.map { $0.hasSuffix("/s") ? String($0.dropLast(2)) : $0 }
      return try Self.limit(size, "--bandwidth", Arguments.size) ?? Settings.current.bandwidth
    }
  }

  var transferLimit: Int64? {
    get throws {
      try Self.limit(maxTransfer, "--max-transfer", Arguments.size) ?? Settings.current.maxTransfer
    }
  }

  var timeLimit: Duration? {
    get throws {
      try Self.limit(maxDuration, "--max-duration", Arguments.duration)
        ?? Settings.current.maxDuration
    }
  }

  func limiting(_ pipeline: Pipeline) throws -> Pipeline {
    let settings = Settings.current
    let requests = (requestsPerSecond ?? settings.requestsPerSecond).map(Self.rate)
    return pipeline.limited(
      concurrency: concurrency ?? settings.concurrency, bytesPerSecond: try bytesPerSecond,
      requests: requests)
  }

  /// A rate of whole requests: 2.5 in a second are 2,500 in a thousand.
  private static func rate(_ perSecond: Double) -> Rate {
    if perSecond >= 1, perSecond == perSecond.rounded() {
      return Rate(name: Rate.ofAllRequests, requests: Int(perSecond), period: .seconds(1))
    }
    return Rate(
      name: Rate.ofAllRequests, requests: 1,
      period: .milliseconds(max(Int64((1000 / perSecond).rounded()), 1)))
  }
}

/// Parses option values in the forms that the language uses for them.
enum Arguments {
  /// A duration such as `500ms`, `30s` or `1h30m`.
  static func duration(_ text: String, for option: String) throws -> Duration {
    guard case .duration(let duration) = try value(text, .duration, for: option) else {
      throw ValidationError("\(option): expected a duration, such as 30s or 1h30m.")
    }
    return duration
  }

  /// A duration of at least a second.
  static func interval(_ text: String, for option: String) throws -> Duration {
    let interval = try duration(text, for: option)
    guard interval >= .seconds(1) else { throw ValidationError("\(option) must be at least 1s.") }
    return interval
  }

  /// A number of bytes, such as `64 KiB`.
  static func size(_ text: String, for option: String) throws -> Int64 {
    guard case .int(let bytes) = try value(text, .size, for: option) else {
      throw ValidationError("\(option): expected a size, such as 64 KiB.")
    }
    return bytes
  }

  private static func value(
    _ text: String, _ kind: InputDeclaration.Kind, for option: String
  ) throws -> Value {
    do { return try InputValues.parse(text, as: kind) } catch {
      throw ValidationError("\(option): \(error.message).")
    }
  }
}
