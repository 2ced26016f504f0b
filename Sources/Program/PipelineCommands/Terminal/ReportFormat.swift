package enum ReportFormat: String, CaseIterable { case text, json }
package enum ProgressMode: String, Sendable, CaseIterable { case auto, live, plain, json, none }

package enum ShellWord {
  /// A word, in quotes if a shell would read it in another way.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { character in
      character.isLetter || character.isNumber || "-_./=,:+@%".contains(character)
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
