/// Users' file names have spaces, `#`, `?` and `%`, which mean something else in a URL.
enum UnescapedNameRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
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
    _ syntax: Syntax, _ entry: ExpressionAnalysis.Entry, isInQuery: Bool,
    _ analysis: ExpressionAnalysis,
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
