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

enum ProgressMode: String, ExpressibleByArgument, CaseIterable {
  case auto, live, plain, json, none

  /// Whether the user reads the command's messages in addition to its report.
  var isTalkative: Bool {
    switch self {
    case .json, .none: false
    case .auto, .live, .plain: true
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
