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

  /// The likely intention behind an odd path; `nil` if nothing is odd.
  private static func doubt(_ text: String, _ input: String) -> (message: String, help: String)? {
    if text == "~" || text.hasPrefix("~/") {
      return (
        "'~' is not expanded in a pipeline file",
        "leave out the default, and pass the folder: '--input \(input)=\(text)'"
      )
    }
    if text.hasPrefix("$") || text.contains("${") {
      return (
        "environment variables are not expanded here",
        "leave out the default, and pass the folder when the pipeline runs: '--input \(input)=\(text)'"
      )
    }
    let quotes = text.filter { "“”„‟«»‘’‚".contains($0) }
    if quotes.count > 1, let first = text.first, let last = text.last, quotes.contains(first),
      quotes.contains(last)
    {
      let plain = text.dropFirst().dropLast()
      return ("the typographic quotes around '\(plain)' are text here", "write \"\(plain)\"")
    }
    if let index = text.firstIndex(of: "\\"),
      text[text.index(after: index)...].first.map({ $0.isLetter || $0.isNumber }) == true
    {
      return (
        "'\\' escapes the next character; the path separator is '/'",
        "write '\(text.replacing("\\", with: "/"))'"
      )
    }
    if text.hasPrefix("file:") { return ("expected a path, found a URL", "write only the path") }
    return nil
  }
}
