import PipelineCommands
import PipelineCore

/// A command that a message tells its reader to type, in words that a shell takes as they are.
enum NextCommand {
  /// `words` of the command, such as `attach holidays`, with `--state` where it would otherwise look elsewhere.
  static func text(_ words: [String], in state: StateFolder) -> String {
    let usual = StateFolder.absolute(StateFolder.usual.path)
    let place = StateFolder.absolute(state.path) == usual ? [] : ["--state", state.path]
    return (["pipeline"] + words + place).map(ShellWord.quoted).joined(separator: " ")
  }
}

extension RunFolder {
  /// A command for this run, such as `pipeline retry holidays 0/3`, by the run's name if no other shard has that too.
  func command(_ verb: String..., more: [String] = []) -> String {
    if let shard { return shard.database.command(verb + [shard.run.calling] + more) }
    let origin = origin
    let name = origin?.shard == nil ? origin?.name : nil
    return NextCommand.text(verb + [name ?? id.rawValue] + more, in: state)
  }

  /// The folder that contains it beside other runs.
  var state: StateFolder { .above(path) }
}

extension KnownSeries {
  /// A command for this series, such as `pipeline attach camera`.
  func command(_ verb: String) -> String { NextCommand.text([verb, note.key], in: .above(folder)) }
}

extension StateFolder {
  /// The one that has the folder of a run or of a series.
  static func above(_ folder: String) -> StateFolder {
    StateFolder(URL(filePath: folder).deletingLastPathComponent().deletingLastPathComponent().path)
  }
}
