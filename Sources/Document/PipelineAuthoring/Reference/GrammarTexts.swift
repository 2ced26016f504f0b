/// The descriptions of names in Markdown files.
enum DescriptionList {
  /// The items of a text's lists, as in "- `NAME`: TEXT", and the introductions of its sections, under an empty name.
  static func entries(_ text: String) -> [(section: String, name: String, text: String)] {
    var entries: [(section: String, name: String, text: String)] = []
    var section: String?
    var isNew = false
    for line in text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
      if line.hasPrefix("## ") {
        section = String(line.dropFirst("## ".count))
        isNew = true
      } else if line.hasPrefix("- `"), let section {
        let name = String(line.dropFirst("- `".count).prefix { $0 != "`" })
        entries.append((section, name, String(line.dropFirst("- ``: ".count + name.count))))
        isNew = false
      } else if let section {
        if isNew {
          entries.append((section, "", String(line)))
        } else {
          entries[entries.count - 1].text += " " + line.trimmed
        }
        isNew = false
      }
    }
    return entries
  }
}

enum GrammarTexts {
  /// The descriptions of keys by construct, of the construct itself as `""`, and of what several constructs share under `*`.
  static let all: [String: [String: String]] = {
    var texts: [String: [String: String]] = [:]
    for entry in EmbeddedTexts.grammar.flatMap({ DescriptionList.entries($0.text) }) {
      texts[entry.section, default: [:]][entry.name] = entry.text
    }
    return texts
  }()
}

extension Construct {
  var summary: String { GrammarTexts.all[name]?[""] ?? "" }
}

extension Key {
  var summary: String { GrammarTexts.all[construct]?[name] ?? GrammarTexts.all["*"]?[name] ?? "" }
}
