/// How gently a run works, without a change of its file.
extension ExecutionOptions {
  func validateLimits() throws {
    if let concurrency, concurrency < 1 {
      throw ValidationError("--concurrency must be at least 1.")
    }
    _ = try bytesPerSecond
    if let number = requestsPerSecond,
      !(Settings.leastRequestsPerSecond...Double(Rate.maximumRequests)).contains(number)
    {
      throw ValidationError(
        number <= 0
          ? "--requests-per-second must be greater than 0; omit it if there is no limit."
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
      throw ValidationError("\(option) must be greater than 0; omit it if there is no limit.")
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
