/// For the help only: ``Settings`` reads it from the command line before any command does.
struct ProfileOption: ParsableArguments {
  @Option(
    help: .help(
      "Use a profile of the settings in ~/.config/pipeline/config.yaml (default: the one that the settings name).",
      "name")) var profile: String?
}

struct StateOptions: ParsableArguments {
  @Option(
    name: .customLong("state"),
    help: .help(
      "Folder that contains the runs (default: $XDG_STATE_HOME/pipeline or ~/.local/state/pipeline).",
      "dir")) var directory: String?

  @OptionGroup var profile: ProfileOption
  var folder: StateFolder { StateFolder(directory ?? Settings.current.state) }
}

struct StatesOptions: ParsableArguments {
  @Option(
    name: .customLong("state"),
    help: .help(
      "Folder that contains the runs; repeat it to see the shards of one run together (default: $XDG_STATE_HOME/pipeline or ~/.local/state/pipeline).",
      "dir")) var directories: [String] = []

  @OptionGroup var profile: ProfileOption

  var folders: [StateFolder] {
    directories.isEmpty
      ? [StateFolder(Settings.current.state)] : directories.map { StateFolder($0) }
  }

  /// The only folder; throws if there are several, for a command that is about one run.
  func only() throws -> StateFolder {
    guard folders.count == 1 else {
      throw ValidationError("this command reads one run: specify --state only once.")
    }
    return folders[0]
  }
}

struct RunNameOption: ParsableArguments {
  @Option(help: .help("Name for the run, in addition to its ID; commands accept either.", "name"))
  var name: String?

  func validate() throws {
    if let name, let problem = RunName.problem(name) {
      throw ValidationError("--name '\(name)' \(problem).")
    }
  }
}

enum DeviceKind: String, ExpressibleByArgument, CaseIterable { case desktop, ios }
extension ItemFormat: ExpressibleByArgument {}
extension RunStatusName: ExpressibleByArgument {}

struct InputOptions: ParsableArguments {
  @Option(
    name: .customLong("input"),
    help: .help(
      "Set an input; name=@file is the text of a file. PIPELINE_INPUT_NAME in the environment also sets one.",
      "name=value")) var values: [String] = []

  @Option(name: .customLong("inputs"), help: .help("YAML file with input values.", "file"))
  var file: String?
  var selection: InputSelection { InputSelection(values: values, file: file) }
}

struct FileOptions: ParsableArguments {
  @Option(
    name: .customLong("files-from"),
    help: .help(
      "Read file names from a list, one per line or NUL-separated; - is standard input. If there are several inputs of type "
        + "files, write name=file.", "file"), completion: .file()) var lists: [String] = []

  @Option(
    name: .customLong("exclude"),
    help: .help(
      "Leave out files and folders that match a pattern, such as *.tmp or drafts/; repeat it for more.",
      "pattern")) var exclude: [String] = []

  @Flag(name: .customLong("hidden"), help: "Let wildcards match hidden files and folders.")
  var hidden = false

  @Flag(name: .customLong("follow-links"), help: "Let ** enter links to folders.") var followLinks =
    false

  var rules: InputDeclaration.FileRules {
    .init(exclude: exclude, includesHidden: hidden, followsLinks: followLinks)
  }
}

struct WorkerLimitOptions: ParsableArguments {
  @Option(help: .help("Maximum number of shards to process at once.", "number")) var atMost = 1

  @Option(
    help: .help(
      "How long a worker keeps a shard without renewing its lease; after that, another worker can claim it.",
      "duration")) var lease = "30s"

  func validate() throws {
    guard (1...1000).contains(atMost) else {
      throw ValidationError("--at-most must be from 1 to 1000.")
    }
    _ = try leaseTime
  }

  private var leaseTime: Duration { get throws { try Arguments.interval(lease, for: "--lease") } }
  var limits: WorkerLimits { get throws { try WorkerLimits(atMost: atMost, lease: leaseTime) } }
}

struct ItemFilterOptions: ParsableArguments {
  @Option(
    help: .help(
      "Only items whose reason contains this text, or whose last response had this status, such as 403.",
      "text")) var cause: String?

  @Option(
    help: .help(
      "Only items whose file matches, such as '*.jpg' or 'x/**'; a pattern without a slash is compared with the name.",
      "pattern")) var match: String?

  func filter(_ statuses: Set<Item.Status>) throws -> ItemFilter {
    do {
      return ItemFilter(
        statuses: statuses, cause: cause, match: try match.map { try FileExclusion($0) })
    } catch let error as GlobError { throw ValidationError("--match '\(match ?? "")': \(error).") }
  }
}

struct SealKeyOptions: ParsableArguments {
  @Option(
    help: .help(
      "Command that prints the key of sealed values, such as \"secret-tool lookup service pipeline\".",
      "command")) var keyCommand: String?

  @Option(
    help: .help(
      "File with the key of sealed values, readable by its owner only and outside the state folder. PIPELINE_KEY in the "
        + "environment is a key too.", "file")) var keyFile: String?

  func validate() throws {
    if keyCommand != nil, keyFile != nil {
      throw ValidationError("--key-command and --key-file exclude each other.")
    }
  }

  var source: SealKey { SealKey(command: keyCommand, file: keyFile, variable: "PIPELINE_KEY") }
}

struct ShardOption: ParsableArguments {
  @Option(
    help: .help(
      "Process one shard of the items, such as 3/16; auto reads it from the job array of Kubernetes, Slurm, AWS Batch or Nomad; auto/16 if the scheduler "
        + "does not provide the total.", "n/count")) var shard: String?

  /// A shard, or where to look for one.
  private enum Wish {
    case shard(Shard)
    case automatic(count: Int?)
  }

  private static let expected =
    "expected one of N shards, such as 3/16 (from 1/16 to 16/16), auto, or auto/16"

  private func wish(_ text: String) throws(ValidationError) -> Wish {
    if let shard = Shard(text) { return .shard(shard) }
    if text == "auto" { return .automatic(count: nil) }
    if text.hasPrefix("auto/"), let last = Shard("1/" + text.dropFirst("auto/".count)) {
      return .automatic(count: last.count)
    }
    throw ValidationError("--shard '\(text)': \(Self.expected).")
  }

  func validate() throws { if let shard { _ = try wish(shard) } }

  /// The shard; `nil` if the run includes all items.
  func find() throws -> Shard? {
    guard let shard else { return nil }
    switch try wish(shard) {
    case .shard(let shard): return shard
    case .automatic(let count):
      do throws(JobArray.Problem) {
        return try JobArray.shard(count: count, Terminal.environment)
      } catch { throw CommandFailure.invalid("--shard \(shard): \(error.message)") }
    }
  }
}

struct ManifestOption: ParsableArguments {
  @Option(
    name: .customLong("report"),
    help: .help(
      "Write the outcome of each item to a file when the run stops: CSV if its name ends with .csv, otherwise JSON.",
      "file"), completion: .file()) var file: String?

  /// The manifest, whose folder must be writable before anything is sent.
  func manifest() throws(CommandFailure) -> Manifest? {
    guard let file else { return nil }
    let output = OutputFile(StateFolder.absolute(file))
    if let obstacle = output.obstacle {
      throw CommandFailure.invalid("--report '\(file)': \(obstacle)")
    }
    return Manifest(output: output)
  }
}

struct StoreOption: ParsableArguments {
  @Option(
    help: .help(
      "Work with the runs of a PostgreSQL database, such as postgresql://user@host/database. Put the password in PGPASSWORD or ~/.pgpass.",
      "url")) var store: String?

  func validate() throws {
    guard let store else { return }
    guard ["postgresql://", "postgres://"].contains(where: store.hasPrefix) else {
      throw ValidationError(
        "--store '\(store)': expected the address of a PostgreSQL database, such as postgresql://user@host/database."
      )
    }
    let place = store.drop { $0 != "/" }.dropFirst(2)
    let user = place.prefix { !"/?".contains($0) }.split(separator: "@").dropLast()
    if user.contains(where: { $0.contains(":") }) || place.contains("password=") {
      throw ValidationError(
        "--store must not contain a password, which every process could read; set PGPASSWORD, or write it to ~/.pgpass."
      )
    }
  }

  /// Refuses options that cannot be combined with a database, each with whether it was passed, and a hint.
  static func refuse(_ options: [(Bool, String, String)]) throws {
    if let (_, option, hint) = options.first(where: \.0) {
      throw ValidationError("\(option) does not go with --store: \(hint).")
    }
  }

  func connect() async throws -> RunDatabase? {
    guard let store else { return nil }
    return try await RunDatabase(store)
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

  private static func value(_ text: String, _ kind: InputDeclaration.Kind, for option: String)
    throws -> Value
  {
    do { return try InputValues.parse(text, as: kind) } catch {
      throw ValidationError("\(option): \(error.message).")
    }
  }
}
