/// How a run is executed: the options of the command line, and the settings where they are silent.
struct RunOptions {
  let progress: ProgressMode
  /// Whether nothing is printed but warnings, errors, and how an incomplete run ended.
  let isQuiet: Bool
  /// How much of each exchange is shown or logged: nothing, lines, or headers and bodies.
  let verbosity: Int
  let logFile, traceFile: String?
  let network: RunNetwork
  let limits: Limits
  /// The action when the run has stopped.
  let finish: Settings.Finish?
  /// The phases of a device that limits background time; `nil` may always run.
  let phases: [SimulatedDevice.Phase]?
  /// The speed of time relative to the clock.
  let speed: Double

  /// How gently a run works, without a change of its file.
  struct Limits {
    let concurrency: Int?
    let bytesPerSecond: Int64?
    let requestsPerSecond: Double?
    /// The run pauses after this many bytes, and after this much time.
    let transfer: Int64?
    let time: Duration?
  }

  /// The run's clock, and what of it is stored with the run.
  func clock(of state: RunState) -> (any PipelineEngine.Clock, TimeAnchor?) {
    guard speed == 1 else { return (ScaledClock(speed: speed, continuing: state), nil) }
    let clock = SteadyClock(continuing: state)
    return (clock, clock.anchor)
  }

  /// The records of the exchanges with servers.
  func openRecords() throws(CommandFailure) -> ExchangeRecords {
    ExchangeRecords(
      log: try logFile.map { path throws(CommandFailure) in
        try LogFile(PrivateFile(path, for: "--log"), isDetailed: verbosity > 1)
      },
      trace: try traceFile.map { path throws(CommandFailure) in
        try HARFile(PrivateFile(path, for: "--trace"))
      }, shown: logFile == nil ? verbosity : 0)
  }

  /// The pipeline with the limits; `shares` shards of a worker divide the rate.
  func limiting(_ pipeline: Pipeline, shares: Int = 1) -> Pipeline {
    pipeline.limited(
      concurrency: limits.concurrency, bytesPerSecond: limits.bytesPerSecond,
      requests: limits.requestsPerSecond.map { Self.rate($0 / Double(shares)) })
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
