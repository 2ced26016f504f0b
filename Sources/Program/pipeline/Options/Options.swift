import PipelineHTTP

/// For the help only: ``Settings`` reads it from the command line before any command does.
struct ProfileOption: ParsableArguments {
  @Option(
    help: .help(
      "Use a profile of the settings in ~/.config/pipeline/config.yaml (default: the one that they name).",
      "name"))
  var profile: String?
}

struct StateOptions: ParsableArguments {
  @Option(
    name: .customLong("state"),
    help: .help(
      "Folder that contains the runs (default: $XDG_STATE_HOME/pipeline or ~/.local/state/pipeline).",
      "dir"))
  var directory: String?

  @OptionGroup var profile: ProfileOption
  var folder: StateFolder { StateFolder(directory ?? Settings.current.state) }
}

struct StatesOptions: ParsableArguments {
  @Option(
    name: .customLong("state"),
    help: .help(
      "Folder that contains the runs; repeat it to see the shards of one run together (default: $XDG_STATE_HOME/pipeline or ~/.local/state/pipeline).",
      "dir"))
  var directories: [String] = []

  @OptionGroup var profile: ProfileOption

  var folders: [StateFolder] {
    directories.isEmpty
      ? [StateFolder(Settings.current.state)] : directories.map { StateFolder($0) }
  }

  /// The only folder; throws if there are several, for a command that is about one run.
  func only() throws -> StateFolder {
    guard folders.count == 1 else {
      throw ValidationError("this is about one run: give --state once.")
    }
    return folders[0]
  }
}

struct RunNameOption: ParsableArguments {
  @Option(help: .help("Call the run so, beside its ID; commands take either.", "name"))
  var name: String?

  func validate() throws {
    if let name, let problem = RunName.problem(name) {
      throw ValidationError("--name '\(name)' \(problem).")
    }
  }
}

enum ProgressMode: String, ExpressibleByArgument, CaseIterable {
  case auto, live, plain, json, none

  /// Whether a person reads what the command says besides its report.
  var isTalkative: Bool {
    switch self {
    case .json, .none: false
    case .auto, .live, .plain: true
    }
  }
}

enum DeviceKind: String, ExpressibleByArgument, CaseIterable { case desktop, ios }

/// Where and how a process sends requests.
struct NetworkOptions: ParsableArguments {
  @OptionGroup var given: GivenCredentialOptions
  @OptionGroup var connection: ConnectionOptions

  @Option(
    name: .customLong("allow-host"),
    help: .help(
      "Allow requests to this host only, such as api.example.com, *.example.com or localhost:8080; repeat it for more "
        + "(default: any host).", "host"))
  var allowedHosts: [String] = []

  @Flag(help: "Allow secrets to be sent to other machines over plain http.") var insecure = false

  @Option(
    help: .help(
      "How long to wait for a network if no host has responded yet; the run then ends with status 4. A connection that is refused is a response.",
      "duration"))
  var networkTimeout = "5m"

  func validate() throws {
    _ = try networkLimit()
    _ = try hostPatterns()
  }

  /// The hosts of `--allow-host`; `nil` means any.
  func hostPatterns() throws -> [HostPattern]? {
    guard !allowedHosts.isEmpty else { return nil }
    return try allowedHosts.map { text in
      guard let pattern = HostPattern(text) else {
        throw ValidationError(
          "'\(text)' in --allow-host: expected a host, such as api.example.com, *.example.com or localhost:8080."
        )
      }
      return pattern
    }
  }

  func networkLimit() throws -> Duration {
    try Arguments.duration(networkTimeout, for: "--network-timeout")
  }

  /// How a process sends what it sends; `shares` is how many runs it works on at once.
  func transport(
    of pipeline: Pipeline, isServerHere: Bool, shares: Int = 1
  ) throws -> HTTPTransportConfiguration {
    var configuration = HTTPTransportConfiguration()
    try connection.apply(to: &configuration)
    configuration.allowedHosts = try hostPatterns()
    configuration.isInsecure = insecure
    configuration.bytesPerSecond = pipeline.budgets.bytesPerSecond.map {
      max($0 / Int64(shares), 1)
    }
    configuration.digester = { StreamDigester($0) }
    configuration.exchanges = max(
      OpenFileLimit.current.exchanges(loops: HTTPTransport.loopCount, isServerHere: isServerHere)
        / shares, 1)
    return configuration
  }
}

/// How a run is executed; shared by all commands that work on one.
struct ExecutionOptions: ParsableArguments {
  @Option(
    name: .customLong("progress"),
    help:
      "Progress display: live on a terminal, otherwise plain lines; json is NDJSON on standard output (default: auto)."
  )
  var chosenProgress: ProgressMode?

  @Flag(
    name: .shortAndLong,
    help: "Print nothing but warnings, errors, and how an incomplete run ended.")
  var quiet = false

  @Flag(
    help:
      "Go on in the background as soon as the run works, and print its ID; `pipeline attach` shows its progress."
  )
  var detach = false

  @OptionGroup var record: RecordOptions
  @OptionGroup var network: NetworkOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var finish: FinishOptions

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
    return chosenProgress ?? Settings.current.progress.flatMap {
      ProgressMode(rawValue: $0.rawValue)
    } ?? .auto
  }

  func validate() throws {
    if quiet, let chosenProgress, chosenProgress != .none {
      throw ValidationError(
        "--quiet shows no progress, so it does not go with --progress \(chosenProgress.rawValue).")
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
  }

  /// Whether this process must work itself; otherwise another one does so now, in the background.
  func worksHere(_ format: ReportFormat) throws(CommandFailure) -> Bool {
    guard detach, !Detachment.isUnderWay else { return true }
    try Detachment.start(format)
    return false
  }

  /// The run's clock, and what of it is stored with the run.
  func clock(of state: RunState) -> (any PipelineEngine.Clock, TimeAnchor?) {
    guard speed == 1 else { return (ScaledClock(speed: speed, continuing: state), nil) }
    let clock = SteadyClock(continuing: state)
    return (clock, clock.anchor)
  }

  func phases() throws -> [SimulatedDevice.Phase] {
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
      throw ValidationError("--timeline must take some time.")
    }
    return phases
  }
}

struct InputOptions: ParsableArguments {
  @Option(
    name: .customLong("input"),
    help: .help(
      "Set an input; name=@file is the text of a file. PIPELINE_INPUT_NAME in the environment sets one too.",
      "name=value"))
  var values: [String] = []

  @Option(name: .customLong("inputs"), help: .help("YAML file with input values.", "file"))
  var file: String?
}

struct FileOptions: ParsableArguments {
  @Option(
    name: .customLong("files-from"),
    help: .help(
      "Take the files that a list names, one in a line or separated by NUL; - is standard input. If there are several files "
        + "inputs, name=file.", "file"), completion: .file())
  var lists: [String] = []

  @Option(
    name: .customLong("exclude"),
    help: .help(
      "Leave out files and folders that match a pattern, such as *.tmp or drafts/; repeat it for more.",
      "pattern"))
  var exclude: [String] = []

  @Flag(name: .customLong("hidden"), help: "Let wildcards match hidden files and folders.")
  var hidden = false

  @Flag(name: .customLong("follow-links"), help: "Let ** enter links to folders.")
  var followLinks = false

  var choice: FileChoice {
    FileChoice(
      lists: lists,
      rules: .init(exclude: exclude, includesHidden: hidden, followsLinks: followLinks))
  }
}

/// What a command line says of all `files` inputs.
struct FileChoice {
  /// `FILE`, or `NAME=FILE`.
  var lists: [String] = []
  var rules = InputDeclaration.FileRules()
}

struct FinishOptions: ParsableArguments {
  @Option(
    help: .help(
      "Command for /bin/sh when the run has come to rest, with its report on standard input; 'on_finish' of the "
        + "settings can send a request instead.", "command"))
  var onFinish: String?

  @Option(help: .help("How long it may take before it is ended (default: 1m).", "duration"))
  var onFinishTimeout: String?

  @Flag(help: "End with 1 if it fails; otherwise it only causes a warning.")
  var requireOnFinish = false

  func validate() throws { _ = try timeout }

  private var timeout: Duration? {
    get throws {
      guard let text = onFinishTimeout else { return nil }
      let timeout = try Arguments.duration(text, for: "--on-finish-timeout")
      guard timeout > .zero else {
        throw ValidationError("--on-finish-timeout must be more than 0.")
      }
      return timeout
    }
  }

  func hook() throws -> Settings.Finish? {
    guard var finish = onFinish.map({ .init(.command($0)) }) ?? Settings.current.onFinish else {
      return nil
    }
    if let timeout = try timeout { finish.timeout = timeout }
    if requireOnFinish { finish.isRequired = true }
    return finish
  }
}
