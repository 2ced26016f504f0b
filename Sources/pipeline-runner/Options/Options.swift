import ArgumentParser
import PipelineCore
import PipelineFiles
import PipelineEngine
import PipelineDocument
import PipelineHTTP

/// Where runs are kept.
struct StateOptions: ParsableArguments {
  @Option(
    name: .customLong("state"),
    help: ArgumentHelp(
      "Folder that holds the runs (default: $XDG_STATE_HOME/pipeline or ~/.local/state/pipeline).",
      valueName: "dir"))
  var directory: String?

  var folder: StateFolder { StateFolder(directory) }
}

/// How progress is shown.
enum ProgressMode: String, ExpressibleByArgument, CaseIterable {
  case auto, live, plain, json, none
}

/// Devices that a run can be held to.
enum DeviceKind: String, ExpressibleByArgument, CaseIterable {
  case desktop, ios
}

/// How a run is executed; the same for all commands that work on one.
struct ExecutionOptions: ParsableArguments {
  @Option(
    help:
      "How progress is shown: live on a terminal, else plain lines; json is NDJSON on standard output."
  )
  var progress: ProgressMode = .auto

  @Option(
    help: ArgumentHelp(
      "PEM file with certificates to trust instead of the system's roots.", valueName: "file"))
  var caFile: String?

  @Option(
    name: .customLong("allow-host"),
    help: ArgumentHelp(
      "Host that may be sent to, such as api.example.com, *.example.com or localhost:8080; may be repeated, and others are "
        + "refused then (default: any).",
      valueName: "host"))
  var allowedHosts: [String] = []

  @Flag(help: "Let secrets go to other machines over plain http.")
  var insecure = false

  @Option(
    help: ArgumentHelp(
      "Time without a network after which a run ends that no host has answered yet; status 4 then.",
      valueName: "duration"))
  var networkTimeout = "5m"

  @Option(
    help: "Device to hold the run to: desktop may always run, ios has an execution allowance.")
  var device: DeviceKind = .desktop

  @Option(
    help: ArgumentHelp(
      "Life of the ios device, over and over, such as \"foreground 5s, background 10m\".",
      valueName: "phases"))
  var timeline = "foreground 10m"

  @Option(
    help: ArgumentHelp("How many times faster than the clock time passes.", valueName: "factor"))
  var speed: Double = 1

  func validate() throws {
    guard speed > 0, speed.isFinite else {
      throw ValidationError("--speed must be greater than 0.")
    }
    if device == .desktop, speed != 1 {
      throw ValidationError("--speed belongs to --device ios.")
    }
    _ = try phases()
    _ = try networkLimit()
    _ = try hostPatterns()
  }

  /// The hosts of `--allow-host`; `nil` is any.
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

  /// The time of `--network-timeout`.
  func networkLimit() throws -> Duration {
    try Arguments.duration(networkTimeout, for: "--network-timeout")
  }

  /// The time of a run, and what of it is kept with the run.
  func clock(of state: RunState) -> (any PipelineEngine.Clock, TimeAnchor?) {
    guard speed == 1 else { return (ScaledClock(speed: speed, continuing: state), nil) }
    let clock = SteadyClock(continuing: state)
    return (clock, clock.anchor)
  }

  /// The phases of the timeline.
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
      throw ValidationError("--timeline takes no time.")
    }
    return phases
  }
}

/// Values for the pipeline's inputs.
struct InputOptions: ParsableArguments {
  @Option(
    name: .customLong("input"),
    help: ArgumentHelp(
      "Value of an input; a secret as name=@file. Inputs also come from PIPELINE_INPUT_NAME in the environment.",
      valueName: "name=value"))
  var values: [String] = []

  @Option(
    name: .customLong("inputs"),
    help: ArgumentHelp("YAML file with values of inputs.", valueName: "file"))
  var file: String?
}
