struct ServiceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "service", "Print a systemd unit that runs a pipeline on a schedule, or watches for files.",
    status: ExitStatus.help([
      (.done, "the files were printed"), (.invalid, ExitStatus.invalid.meaning),
      (.usage, ExitStatus.usage.meaning),
    ]))

  enum File: String, ExpressibleByArgument, CaseIterable { case unit, timer }

  @Argument(help: "The pipeline's YAML file.", completion: .file(extensions: ["yaml", "yml"]))
  var file: String

  @Option(
    name: .customLong("input"),
    help: .help("Set an input that is not secret; repeat it for more.", "name=value"))
  var inputs: [String] = []

  @Option(help: .help("Time from the end of a run to the start of the next one.", "duration"))
  var every: String?

  @Flag(help: "Watch for files continuously (`run --watch`) instead of running on a timer.")
  var watch = false

  @Option(
    name: .customLong("state"),
    help: .help(
      "Folder that contains the runs of the service (default: service-NAME in the folder of all runs).",
      "dir"))
  var directory: String?

  @Option(help: "Print only this file, without its path.") var only: File?

  func validate() throws {
    guard watch else { return }
    if every != nil {
      throw ValidationError("--watch notices files when they appear, so it needs no --every.")
    }
    if only == .timer { throw ValidationError("--watch has no timer.") }
  }

  func run() async throws {
    let pause = try Arguments.interval(every ?? "1h", for: "--every")
    let pipeline = try Definition.load(file).pipeline
    for input in inputs {
      let name = String(input.prefix { $0 != "=" })
      guard let declaration = pipeline.inputs.first(where: { $0.name == name }), input.contains("=")
      else {
        throw CommandFailure.invalid(
          "--input '\(input)': expected name=value with an input of pipeline '\(pipeline.name)'")
      }
      guard declaration.kind != .secret else {
        throw CommandFailure.invalid(
          "secret '\(name)' must not be in a unit, which others can read; put "
            + "\(InputResolver.environmentName(name))=… into the file that the unit names")
      }
    }
    let service = Service(
      pipeline: pipeline, file: StateFolder.absolute(file), inputs: inputs,
      state: directory.map(StateFolder.absolute) ?? StateFolder(nil).path
        + "/service-\(pipeline.name)", seconds: watch ? nil : Int(pause.components.seconds))
    let name = "~/.config/systemd/user/\(service.name)"
    switch only {
    case .unit: service.unit.forEach(Terminal.print)
    case .timer: service.timer.forEach(Terminal.print)
    case nil:
      let timer = watch ? [] : ["", "# \(name).timer"] + service.timer
      (["# \(name).service"] + service.unit + timer).forEach(Terminal.print)
    }
  }
}

private struct Service {
  let pipeline: Pipeline
  let file: String
  let inputs: [String]
  let state: String
  /// The time from the end of a run to the next one; `nil` means that it watches.
  let seconds: Int?
  var name: String { "pipeline-\(pipeline.name)" }

  private var secrets: [String] {
    pipeline.inputs.filter { $0.kind == .secret }.map { InputResolver.environmentName($0.name) }
  }

  var unit: [String] {
    let words = [FileContents.program ?? "pipeline"]
    let common = ["--state", state, "--progress", "plain"]
    let inputs = inputs.flatMap { ["--input", $0] }
    let run = words + ["run", file] + inputs + (seconds == nil ? ["--watch"] : []) + common
    let lines = [
      "[Unit]", "Description=pipeline \(pipeline.name)".replacing("%", with: "%%"),
      "Wants=network-online.target", "After=network-online.target", "", "[Service]",
      seconds == nil ? "Type=exec" : "Type=oneshot",
      "WorkingDirectory=\(Self.path(FileManager.default.currentDirectoryPath))",
    ]
    let environment =
      secrets.isEmpty
      ? []
      : [
        "# Mode 0600, with a line for each of: \(secrets.joined(separator: ", "))",
        "EnvironmentFile=%h/.config/pipeline/\(pipeline.name).env",
      ]
    guard seconds != nil else {
      return lines + environment + [
        "ExecStart=\(Self.command(run))",
        "# A run that is stopped in the middle ends with 130, and the next start finishes it.",
        "SuccessExitStatus=\(ExitStatus.interrupted.rawValue)", "Restart=on-failure",
        "RestartSec=30s", "", "[Install]", "WantedBy=default.target",
      ]
    }
    return lines + environment + [
      "# Continues a run that was killed; there may be none.",
      "ExecStartPre=-\(Self.command(words + ["resume"] + common))",
      "ExecStart=\(Self.command(run))",
    ]
  }

  var timer: [String] {
    [
      "[Unit]", "Description=pipeline \(pipeline.name), on a schedule", "", "[Timer]",
      "OnActiveSec=1s", "OnUnitInactiveSec=\(seconds ?? 0)s", "", "[Install]",
      "WantedBy=timers.target",
    ]
  }

  /// A path in a setting that needs no quoting.
  private static func path(_ text: String) -> String { text.replacing("%", with: "%%") }

  /// A command line by the rules of systemd.syntax(7) and systemd.service(5), of which `%` and `$` are part.
  private static func command(_ words: [String]) -> String {
    words.map { word in
      let escaped = word.replacing("%", with: "%%").replacing("$", with: "$$")
      let plain = escaped.utf8.allSatisfy { byte in
        byte >= 0x80 || byte > 0x20 && !#""'\;"#.utf8.contains(byte)
      }
      guard !plain || escaped.isEmpty else { return escaped }
      return "\""
        + escaped.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        .replacing("\n", with: "\\n").replacing("\t", with: "\\t") + "\""
    }.joined(separator: " ")
  }
}
