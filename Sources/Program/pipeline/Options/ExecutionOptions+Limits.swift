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
          ? "--requests-per-second must be more than 0; omit it for no limit."
          : "--requests-per-second must be from \(Settings.leastRequestsPerSecond) to \(Rate.maximumRequests)."
      )
    }
    _ = try transferLimit
    _ = try timeLimit
  }

  private static func positive<Number: Comparable & AdditiveArithmetic>(
    _ number: Number, _ option: String
  ) throws -> Number {
    guard number > .zero else {
      throw ValidationError("\(option) must be more than 0; omit it for no limit.")
    }
    return number
  }

  /// Bytes in a second.
  private var bytesPerSecond: Int64? {
    get throws {
      guard let bandwidth else { return Settings.current.bandwidth }
      let size = bandwidth.hasSuffix("/s") ? String(bandwidth.dropLast(2)) : bandwidth
      return try Self.positive(Arguments.size(size, for: "--bandwidth"), "--bandwidth")
    }
  }

  var transferLimit: Int64? {
    get throws {
      guard let maxTransfer else { return Settings.current.maxTransfer }
      return try Self.positive(Arguments.size(maxTransfer, for: "--max-transfer"), "--max-transfer")
    }
  }

  var timeLimit: Duration? {
    get throws {
      guard let maxDuration else { return Settings.current.maxDuration }
      return try Self.positive(
        Arguments.duration(maxDuration, for: "--max-duration"), "--max-duration")
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
