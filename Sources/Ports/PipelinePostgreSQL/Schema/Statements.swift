/// The statements of `statements.sql` by name.
enum Statements {
  private static let texts = {
    let file = String(decoding: PackageResources.statements_sql, as: UTF8.self)
    var texts: [String: String] = [:]
    for section in file.split(separator: "\n--- ").dropFirst() {
      let lines = section.split(separator: "\n").filter { !$0.hasPrefix("-- ") }
      let text = lines.dropFirst().joined(separator: "\n")
      texts[String(lines[0])] = texts.reduce(text) { text, known in
        text.replacing("{{\(known.key)}}", with: known.value)
      }
    }
    return texts
  }()

  static subscript(name: String) -> String {
    guard let text = texts[name] else { preconditionFailure("there is no statement '\(name)'") }
    return text
  }
}
