import Foundation

// Writes files as string literals, which compile much faster than arrays of bytes: embed-texts OUTPUT (--group NAME FILE…)…

/// `text` as a literal in one line.
func literal(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\\": result += "\\\\"
    case "\"": result += "\\\""
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

var source = """
  /// Texts of files of this repository, with their names without extension, by name.
  enum EmbeddedTexts {

  """
var isOpen = false
var arguments = CommandLine.arguments.dropFirst(2)
while let argument = arguments.popFirst() {
  if argument == "--group", let name = arguments.popFirst() {
    if isOpen { source += "  ]\n" }
    source += "  static let \(name): [(name: String, text: String)] = [\n"
    isOpen = true
  } else {
    let file = URL(filePath: argument)
    let name = file.lastPathComponent.prefix { $0 != "." }
    let text = try String(contentsOf: file, encoding: .utf8)
    source += "    (\(literal(String(name))), \(literal(text))),\n"
  }
}
if isOpen { source += "  ]\n" }
try (source + "}\n").write(toFile: CommandLine.arguments[1], atomically: true, encoding: .utf8)
