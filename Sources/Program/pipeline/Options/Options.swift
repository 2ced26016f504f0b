import PipelineHTTP

/// For the help only: ``Settings`` reads it from the command line before any command does.
struct ProfileOption: ParsableArguments {
  @Option(
    help: .help(
      "Use a profile of the settings in ~/.config/pipeline/config.yaml (default: the one that the settings name).",
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

struct InputOptions: ParsableArguments {
  @Option(
    name: .customLong("input"),
    help: .help(
      "Set an input; name=@file is the text of a file. PIPELINE_INPUT_NAME in the environment also sets one.",
      "name=value"))
  var values: [String] = []

  @Option(name: .customLong("inputs"), help: .help("YAML file with input values.", "file"))
  var file: String?
}

struct FileOptions: ParsableArguments {
  @Option(
    name: .customLong("files-from"),
    help: .help(
      "Read file names from a list, one per line or NUL-separated; - is standard input. If there are several inputs of type "
        + "files, write name=file.", "file"), completion: .file())
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

/// The options of a command line for all `files` inputs.
struct FileChoice {
  /// `FILE`, or `NAME=FILE`.
  var lists: [String] = []
  var rules = InputDeclaration.FileRules()
}

struct WorkerLimits: ParsableArguments {
  @Option(help: .help("Maximum number of shards to process at once.", "number")) var atMost = 1

  @Option(
    help: .help(
      "How long a worker keeps a shard without renewing its lease; after that, another worker can claim it.",
      "duration"))
  var lease = "30s"

  func validate() throws {
    guard (1...1000).contains(atMost) else {
      throw ValidationError("--at-most must be from 1 to 1000.")
    }
    _ = try leaseTime
  }

  var leaseTime: Duration { get throws { try Arguments.interval(lease, for: "--lease") } }
}

struct ItemFilterOptions: ParsableArguments {
  @Option(
    help: .help(
      "Only items whose reason contains this text, or whose last response had this status, such as 403.",
      "text"))
  var cause: String?

  @Option(
    help: .help(
      "Only items whose file matches, such as '*.jpg' or 'x/**'; a pattern without a slash is compared with the name.",
      "pattern"))
  var match: String?

  func filter(_ statuses: Set<Item.Status>) throws -> ItemFilter {
    do {
      return ItemFilter(
        statuses: statuses, cause: cause, match: try match.map { try FileExclusion($0) })
    } catch let error as GlobError { throw ValidationError("--match '\(match ?? "")': \(error).") }
  }
}
