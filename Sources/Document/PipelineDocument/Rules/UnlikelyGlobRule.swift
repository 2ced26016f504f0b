/// Signs in a glob that mean something elsewhere, and here are letters.
enum UnlikelyGlobRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for input in pipeline.inputs where [.files, .file, .folder].contains(input.kind) {
      for text in [input.defaultText].compactMap({ $0 }) + input.exclude {
        guard let (message, help) = doubt(text.value, input.name.value) else { continue }
        collector.report(.unlikelyGlob, message, at: text.range, help: help)
      }
    }
  }

  /// What a path most likely was meant to say otherwise; `nil` if nothing is odd.
  private static func doubt(_ text: String, _ input: String) -> (message: String, help: String)? {
    if text == "~" || text.hasPrefix("~/") {
      return (
        "'~' is a folder of this name here, and not the home folder",
        "leave out the default, and give the folder: '--input \(input)=\(text)'"
      )
    }
    if text.hasPrefix("$") || text.contains("${") {
      return (
        "'$' is a letter here, and names no variable of the environment",
        "leave out the default, and give the folder when the pipeline runs: '--input \(input)=\(text)'"
      )
    }
    let quotes = text.filter { "“”„‟«»‘’‚".contains($0) }
    if quotes.count > 1, let first = text.first, let last = text.last, quotes.contains(first),
      quotes.contains(last)
    {
      let plain = text.dropFirst().dropLast()
      return ("the typographic quotes around '\(plain)' are letters here", "write \"\(plain)\"")
    }
    if let index = text.firstIndex(of: "\\"),
      text[text.index(after: index)...].first.map({ $0.isLetter || $0.isNumber }) == true
    {
      return (
        "'\\' makes the next character literal here, and separates no folders",
        "write '\(text.replacing("\\", with: "/"))'"
      )
    }
    if text.hasPrefix("file:") { return ("expected a path, found a URL", "write the path alone") }
    return nil
  }
}
