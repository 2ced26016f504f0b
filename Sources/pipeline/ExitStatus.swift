import ArgumentParser

/// How the program ends; these are part of what users rely on.
enum ExitStatus: Int32, CaseIterable {
  case done = 0
  case incomplete = 1
  case invalid = 2
  case environment = 3
  case usage = 64
  case interrupted = 130

  var meaning: String {
    switch self {
    case .done: "all done"
    case .incomplete:
      "finished, but some items failed or are paused; `validate` found errors; not valid"
    case .invalid: "the pipeline, its inputs, a schema or a file cannot be used"
    case .environment: "the environment failed: store, disk, or another process holds the run"
    case .usage: "wrong usage"
    case .interrupted: "stopped by Ctrl-C; `pipeline resume` goes on"
    }
  }

  static var help: String {
    allCases.map { status in
      let code = String(status.rawValue)
      return "  \(code)\(String(repeating: " ", count: 5 - code.count))\(status.meaning)"
    }.joined(separator: "\n")
  }

  var exitCode: ExitCode { ExitCode(rawValue) }
}

/// Why a command ends with another status than 0.
struct CommandFailure: Error {
  let status: ExitStatus
  /// What to say on standard error; `nil` where all has been said.
  let message: String?

  /// What to say on standard output, where the end is no error.
  let note: String?

  init(_ status: ExitStatus, _ message: String? = nil, note: String? = nil) {
    self.status = status
    self.message = message
    self.note = note
  }
}

/// The version of the program.
enum Version {
  static let current = "0.1.0"
}
