/// How the program ends; these are part of what users rely on.
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
    case .done: "all done"
    case .incomplete:
      "finished, but some items failed or are paused; `validate` found errors"
    case .invalid: "the pipeline, its inputs, a schema or a file cannot be used"
    case .environment: "the environment failed: store, disk, or another process holds the run"
    case .offline: "no network, and no host has answered yet; `pipeline resume` tries again"
    case .unproven:
      "`verify` found no counter-example, and the certificate rests on the author's word"
    case .usage: "wrong usage"
    case .interrupted: "stopped by Ctrl-C; `pipeline resume` goes on"
    }
  }

  /// The whole list, for the program's own help.
  package static var help: String { help(allCases.map { ($0, $0.meaning) }) }

  /// What commands that work on a run end with.
  package static var working: String {
    help([
      (.done, "all items are done"), (.incomplete, "some items failed or are paused"),
      (.invalid, ExitStatus.invalid.meaning), (.environment, ExitStatus.environment.meaning),
      (.offline, ExitStatus.offline.meaning), (.usage, ExitStatus.usage.meaning),
      (.interrupted, ExitStatus.interrupted.meaning),
    ])
  }

  /// What commands that only look at runs end with.
  package static var reporting: String {
    help([
      (.done, "the report is printed, whatever it says"),
      (.invalid, "there is no such run or item"),
      (.environment, "the run's store cannot be read"), (.usage, ExitStatus.usage.meaning),
    ])
  }

  /// What commands that check or draw a file end with.
  package static func checking(_ failure: String) -> String {
    help([
      (.done, "nothing is wrong"), (.incomplete, failure),
      (.invalid, "a file cannot be read or used"), (.usage, ExitStatus.usage.meaning),
    ])
  }

  /// A section of a command's help.
  package static func help(_ statuses: [(status: ExitStatus, meaning: String)]) -> String {
    let lines = statuses.map { status, meaning in
      let code = String(status.rawValue)
      return "  \(code)\(String(repeating: " ", count: 5 - code.count))\(meaning)"
    }
    return (["EXIT STATUS"] + lines).joined(separator: "\n")
  }
}

/// Why a command ends with another status than 0.
package struct CommandFailure: Error {
  package let status: ExitStatus
  /// What to say on standard error; `nil` where all has been said.
  package let message: String?
  /// Lines to say after it.
  package let details: [String]

  /// What to say on standard output, where the end is no error.
  package let note: String?

  package init(
    _ status: ExitStatus, _ message: String? = nil, details: [String] = [], note: String? = nil
  ) {
    self.status = status
    self.message = message
    self.details = details
    self.note = note
  }
}

/// The version of the program.
package enum Version {
  package static let current = "0.1.0"
}
