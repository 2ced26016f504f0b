import CEL

/// People's file names have spaces, `#`, `?` and `%`, which mean something else in a URL.
enum UnescapedNameRule: Rule {
  static let pages = [
    Check(
      .unescapedName, .warning, .safety,
      summary: "a URL contains the name of a file as it is",
      explanation: """
        In a URL, `#` ends the path, `?` begins the query and `%` an escape (RFC 3986 §2), so `Rain #2.jpg` is sent as \
        `Rain%20`. Write `urlEscape(NAME)` for one segment of a path or for a part of a query, and `urlEscapePath(PATH)` \
        for a path, which keeps its slashes. Values under `query` are escaped for you.
        """,
      example: """
         pipeline: example
         inputs: { server: { type: url }, photos: { type: files } }
         steps:
           - for_each: photo
             in: ${{ inputs.photos }}
             steps:
               - id: put
        -        upload: { url: "${{ inputs.server }}/photos/${{ photo.relative }}", file: "${{ photo }}" }
        +        upload: { url: "${{ inputs.server }}/photos/${{ urlEscapePath(photo.relative) }}", file: "${{ photo }}" }
        """)
  ]

  package static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
    for (request, step) in analysis.requests {
      guard let url = request.url else { continue }
      var isInQuery = false
      for piece in analysis.pieces(of: url, in: step) {
        switch piece {
        case .text(let text, _): isInQuery = isInQuery || text.contains("?")
        case .value(let syntax, let entry):
          check(syntax, entry, isInQuery: isInQuery, analysis, collector)
        }
      }
    }
  }

  private static func check(
    _ syntax: Syntax, _ entry: Analysis.Entry, isInQuery: Bool, _ analysis: Analysis,
    _ collector: DiagnosticCollector
  ) {
    if case .conditional(_, let first, let second) = syntax.kind {
      for part in [first, second].flatMap(\.summands) {
        check(part, entry, isInQuery: isInQuery, analysis, collector)
      }
      return
    }
    guard case .select = syntax.kind, let path = syntax.pathText,
      let field = ["name", "relative", "folder", "path"].first(where: {
        entry.isFileField(path, $0, analysis)
      })
    else { return }
    let function = field == "name" || isInQuery ? "urlEscape" : "urlEscapePath"
    let range = analysis.range(syntax, in: entry)
    collector.report(
      .unescapedName, "'\(path)' may contain '#', '?' or '%', which mean something else in a URL",
      at: range, help: "write '\(function)(\(path))'",
      fix: Diagnostic.Fix(range: range, replacement: "\(function)(\(path))"))
  }
}
