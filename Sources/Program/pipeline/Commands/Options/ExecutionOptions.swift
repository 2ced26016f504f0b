import PipelineEngine

/// How a run is executed; shared by all commands that work on one.
struct ExecutionOptions: ParsableArguments {
  @Option(
    name: .customLong("progress"),
    help:
      "Progress display: live on a terminal, otherwise plain lines; json is NDJSON on standard output (default: auto)."
  ) var chosenProgress: ProgressMode?

  @Flag(
    name: .shortAndLong,
    help: "Print nothing but warnings, errors, and how an incomplete run ended.") var quiet = false

  @Flag(
    help:
      "Continue in the background once the run has started, and print its ID; `pipeline attach` shows its progress."
  ) var detach = false

  @Flag(
    name: .shortAndLong,
    help: "Show each HTTP exchange on one line; -vv shows headers and bodies, without secrets.")
  var verbose: Int

  @Option(
    name: .customLong("log"),
    help: .help(
      "Append events and HTTP exchanges to a file, one per line (with -vv: headers and bodies), instead of showing them.",
      "file"), completion: .file()) var logFile: String?

  @Option(
    name: .customLong("trace"),
    help: .help(
      "Write all exchanges, without secrets, to a HAR 1.2 file, which browsers' developer tools can open.",
      "file"), completion: .file(extensions: ["har"])) var traceFile: String?

  @OptionGroup var network: NetworkOptions

  @Option(
    help: .help(
      "Maximum number of items to process at once, overriding the file; also limits the parts of an item.",
      "number")) var concurrency: Int?

  @Option(
    help: .help(
      "Maximum bandwidth, such as 5MB/s; a lower limit in the file still applies.", "rate"))
  var bandwidth: String?

  @Option(
    help: .help(
      "Maximum number of requests per second, such as 10 or 0.5; a lower limit in the file still applies.",
      "number")) var requestsPerSecond: Double?

  @Option(help: .help("Pause the run after transferring this much, such as 20GB.", "size"))
  var maxTransfer: String?

  @Option(help: .help("Pause the run after this much working time, such as 6h.", "duration"))
  var maxDuration: String?

  @Option(
    help: .help(
      "Shell command to execute when the run stops, with its report on standard input; 'on_finish' in the "
        + "settings can send a request instead.", "command")) var onFinish: String?

  @Option(help: .help("Time limit for the --on-finish command (default: 1m).", "duration"))
  var onFinishTimeout: String?

  @Flag(help: "Exit with status 1 if that command fails; otherwise it only causes a warning.")
  var requireOnFinish = false

  @Option(
    help: "Device whose rules the run follows: desktop may always run, ios limits background time.")
  var device: DeviceKind = .desktop

  @Option(
    help: .help(
      "Phases of the ios device, repeated, such as \"foreground 5s, background 10m\".", "phases"))
  var timeline = "foreground 10m"

  @Option(help: .help("Speed of time relative to the clock.", "factor")) var speed: Double = 1

  var progress: ProgressMode {
    if quiet { return .none }
    return chosenProgress ?? Settings.current.progress ?? .auto
  }

  func validate() throws {
    if quiet, let chosenProgress, chosenProgress != .none {
      throw ValidationError(
        "--quiet shows no progress, so it cannot be combined with --progress \(chosenProgress.rawValue)."
      )
    }
    guard speed > 0, speed.isFinite else {
      throw ValidationError("--speed must be greater than 0.")
    }
    if detach, chosenProgress == .live {
      throw ValidationError(
        "--detach leaves the terminal, so --progress live has nowhere to draw; `pipeline attach` draws it."
      )
    }
    if device == .desktop, speed != 1 { throw ValidationError("--speed needs --device ios.") }
    _ = try phases()
    try validateLimits()
    _ = try finishTimeout
  }

  /// Whether this process must work itself; otherwise another one does so now, in the background.
  func worksHere(_ format: ReportFormat) throws(CommandFailure) -> Bool {
    guard detach, !Detachment.isUnderWay else { return true }
    try Detachment.start(format)
    return false
  }

  /// The options, and the settings where they are silent.
  func options() throws -> RunOptions {
    let settings = Settings.current
    return RunOptions(
      progress: progress, isQuiet: quiet, verbosity: verbose, logFile: logFile,
      traceFile: traceFile, network: try network.network(),
      limits: .init(
        concurrency: concurrency ?? settings.concurrency, bytesPerSecond: try bytesPerSecond,
        requestsPerSecond: requestsPerSecond ?? settings.requestsPerSecond,
        transfer: try transferLimit, time: try timeLimit), finish: try finishHook(),
      phases: device == .ios ? try phases() : nil, speed: speed)
  }

  private func phases() throws -> [SimulatedDevice.Phase] {
    let phases = try timeline.split(separator: ",").map { text in
      let words = text.split(separator: " ")
      guard words.count == 2, words[0] == "foreground" || words[0] == "background" else {
        throw ValidationError(
          "'\(text)' in --timeline: expected 'foreground DURATION' or 'background DURATION'.")
      }
      return SimulatedDevice.Phase(
        isForeground: words[0] == "foreground",
        duration: try Arguments.duration(String(words[1]), for: "--timeline"))
    }
    guard phases.contains(where: { $0.duration > .zero }) else {
      throw ValidationError("--timeline must have a duration.")
    }
    return phases
  }
}

/// The action when the run has stopped.
extension ExecutionOptions {
  private var finishTimeout: Duration? {
    get throws {
      guard let text = onFinishTimeout else { return nil }
      let timeout = try Arguments.duration(text, for: "--on-finish-timeout")
      guard timeout > .zero else {
        throw ValidationError("--on-finish-timeout must be greater than 0.")
      }
      return timeout
    }
  }

  private func finishHook() throws -> Settings.Finish? {
    guard var finish = onFinish.map({ .init(.command($0)) }) ?? Settings.current.onFinish else {
      return nil
    }
    if let timeout = try finishTimeout { finish.timeout = timeout }
    if requireOnFinish { finish.isRequired = true }
    return finish
  }
}

/// How gently a run works, without a change of its file.
extension ExecutionOptions {
  private func validateLimits() throws {
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

  private var transferLimit: Int64? {
    get throws {
      try Self.limit(maxTransfer, "--max-transfer", Arguments.size) ?? Settings.current.maxTransfer
    }
  }

  private var timeLimit: Duration? {
    get throws {
      try Self.limit(maxDuration, "--max-duration", Arguments.duration)
        ?? Settings.current.maxDuration
    }
  }
}

extension ExecutionOptions {
  /// Refuses options that are meaningful only for a run that one process works on.
  func validateForDatabase() throws {
    try StoreOption.refuse([
      (detach, "--detach", "let a service manager start workers"),
      (device != .desktop, "--device", "workers need a device that may always run"),
      (onFinish != nil, "--on-finish", "let the caller check the exit status"),
      (requireOnFinish, "--require-on-finish", "it cannot be combined with --on-finish"),
      (maxDuration != nil, "--max-duration", "stop the workers, or `pipeline pause` the run"),
      (maxTransfer != nil, "--max-transfer", "stop the workers, or `pipeline pause` the run"),
    ])
  }
}
