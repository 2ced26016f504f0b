/// The texts of an SQL file by name: each follows a line `--- NAME`, and `{{NAME}}` in it is replaced by an earlier one.
package struct NamedTexts: Sendable {
  private var texts: [String: String] = [:]

  package init(_ file: [UInt8]) {
    for section in String(decoding: file, as: UTF8.self).split(separator: "\n--- ").dropFirst() {
      let lines = section.split(separator: "\n").filter { !$0.hasPrefix("-- ") }
      let text = lines.dropFirst().joined(separator: "\n")
      texts[String(lines[0])] = texts.reduce(text) { text, known in
        text.replacing("{{\(known.key)}}", with: known.value)
      }
    }
  }

  package subscript(name: String) -> String {
    guard let text = texts[name] else { preconditionFailure("there is no text '\(name)'") }
    return text
  }
}
