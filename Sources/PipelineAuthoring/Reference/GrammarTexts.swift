import PipelineDocument

/// The descriptions of constructs and their keys, from the files in `Texts`.
enum GrammarTexts {
  /// The descriptions of keys by construct, of the construct itself as `""`, and of what several constructs share under `*`.
  static let all: [String: [String: String]] = {
    var texts: [String: [String: String]] = [:]
    var construct = ""
    var key = ""
    for line in EmbeddedTexts.grammar.flatMap({ $0.text.utf8.split(separator: UInt8(ascii: "\n")) })
      .map(Substring.init) where !line.hasPrefix("# ")
    {
      var text = line.trimmed
      if line.hasPrefix("## ") {
        construct = String(line.dropFirst("## ".count))
        key = ""
        continue
      } else if line.hasPrefix("- `") {
        key = String(line.dropFirst("- `".count).prefix { $0 != "`" })
        text = line.dropFirst("- ``: ".count + key.count)
      }
      texts[construct, default: [:]][key] =
        texts[construct]?[key].map { "\($0) \(text)" } ?? String(text)
    }
    return texts
  }()
}

extension Construct {
  /// What it is, in one or more sentences.
  var summary: String { GrammarTexts.all[name.rawValue]?[""] ?? "" }
}

extension Key {
  /// What it means, in one or more sentences.
  var summary: String {
    GrammarTexts.all[construct]?[name] ?? GrammarTexts.all["*"]?[name] ?? ""
  }
}
