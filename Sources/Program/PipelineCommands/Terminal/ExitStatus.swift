/// The program's exit statuses; scripts rely on them.
package enum ExitStatus: Int32, CaseIterable {
  case done = 0
  case incomplete = 1
  case invalid = 2
  case environment = 3
  case offline = 4
  case unproven = 5
  case usage = 64
  case interrupted = 130

  package var meaning: String {
    switch self {
    case .done: "success"
    case .incomplete: "finished, but some items failed or are paused; `validate` found errors"
    case .invalid: "the pipeline, its inputs, a schema or a file cannot be used"
    case .environment: "an environment error: store, disk, or another process is working on the run"
    case .offline: "no network, and no host has responded yet; `pipeline resume` retries it"
    case .unproven:
      "`verify` found no counterexample, but the certificate relies on unverified assumptions"
    case .usage: "invalid command line"
    case .interrupted: "stopped by Ctrl-C; continue with `pipeline resume`"
    }
  }

  /// All statuses, for the program's own help.
  package static var help: String { help(allCases.map { ($0, $0.meaning) }) }

  /// The statuses of commands that work on a run.
  package static var working: String {
    help([
      (.done, "all items are done"), (.incomplete, "some items failed or are paused"),
      (.invalid, ExitStatus.invalid.meaning), (.environment, ExitStatus.environment.meaning),
      (.offline, ExitStatus.offline.meaning), (.usage, ExitStatus.usage.meaning),
      (.interrupted, ExitStatus.interrupted.meaning),
    ])
  }

  /// The statuses of commands that only report on runs.
  package static var reporting: String {
    help([
      (.done, "the report was printed, regardless of its content"),
      (.invalid, "there is no such run or item"),
      (.environment, "the run's store cannot be read"), (.usage, ExitStatus.usage.meaning),
    ])
  }

  package static func checking(_ failure: String) -> String {
    help([
      (.done, "no problems"), (.incomplete, failure),
      (.invalid, "a file cannot be read or used"), (.usage, ExitStatus.usage.meaning),
    ])
  }

  package static func help(_ statuses: [(status: ExitStatus, meaning: String)]) -> String {
    let lines = statuses.map { status, meaning in
      let code = String(status.rawValue)
      return "  \(code)\(String(repeating: " ", count: 5 - code.count))\(meaning)"
    }
    return (["EXIT STATUS"] + lines).joined(separator: "\n")
  }
}

/// Why a command ends with a status other than 0.
package struct CommandFailure: Error {
  package let status: ExitStatus
  /// The message for standard error; `nil` if everything has been printed already.
  package let message: String?
  /// Lines to print after the message.
  package let details: [String]
  /// A message for standard output, for an end that is not an error.
  package let note: String?

  package init(
    _ status: ExitStatus, _ message: String? = nil, details: [String] = [], note: String? = nil
  ) { (self.status, self.message, self.details, self.note) = (status, message, details, note) }

  /// The user's input cannot be used.
  package static func invalid(_ message: String) -> Self { Self(.invalid, message) }
  /// The machine, the network or another process prevents the work.
  package static func environment(_ message: String) -> Self { Self(.environment, message) }

  /// All `problems` of unusable input; `nil` if there are none.
  package init?(problems: [String]) {
    guard let first = problems.first else { return nil }
    self.init(.invalid, first, details: problems.dropFirst().map { "pipeline: error: " + $0 })
  }
}
