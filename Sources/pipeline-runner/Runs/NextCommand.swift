import Foundation
import PipelineCommands
import PipelineCore

/// A command that a message tells its reader to type, in words that a shell takes as they are.
enum NextCommand {
  /// `words` of the command, such as `attach holidays`, with `--state` where it would otherwise look elsewhere.
  static func text(_ words: [String], in state: StateFolder) -> String {
    let place = state.path == StateFolder.usual.path ? [] : ["--state", state.path]
    return (["pipeline"] + words + place).map(quoted).joined(separator: " ")
  }

  /// A word, in quotes if a shell would read it in another way.
  static func quoted(_ word: String) -> String {
    let plain = word.allSatisfy { character in
      character.isLetter || character.isNumber || "-_./=,:+@%".contains(character)
    }
    return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}

extension RunFolder {
  /// A command for this run, such as `pipeline retry holidays 0/3`, by the run's name if it has one.
  func command(_ verb: String, _ more: String...) -> String {
    command(verb, more)
  }

  func command(_ verb: String, _ more: [String]) -> String {
    NextCommand.text(
      verb.split(separator: " ").map(String.init) + [origin?.name ?? id.rawValue] + more, in: state)
  }

  /// The folder that contains it beside other runs.
  var state: StateFolder {
    StateFolder(URL(filePath: path).deletingLastPathComponent().deletingLastPathComponent().path)
  }
}

extension KnownSeries {
  /// A command for this series, such as `pipeline attach camera`.
  func command(_ verb: String) -> String {
    let runs = StateFolder(
      URL(filePath: folder).deletingLastPathComponent().deletingLastPathComponent().path)
    return NextCommand.text([verb, note.key], in: runs)
  }
}
