package enum ReportFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

package struct FormatOptions: ParsableArguments {
  @Option(help: "Report format.") package var format: ReportFormat = .text

  package init() {}
}

package enum ShellWord {
  /// A word, in quotes if a shell would read it in another way.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { character in
      character.isLetter || character.isNumber || "-_./=,:+@%".contains(character)
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
