/// Values that may contain text that a header cannot: line breaks and non-ASCII letters (RFC 9110 §5.5).
enum HeaderValueRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    for (request, step) in analysis.requests {
      var templates = request.headers.compactMap(\.value)
      if case .bearer(let token?)? = request.authorization { templates.append(token) }
      for entry in templates.flatMap(\.expressions).compactMap({ analysis.entry($0, in: step) }) {
        check(entry.syntax, entry, analysis, collector)
      }
    }
  }

  private static func check(
    _ syntax: Syntax, _ entry: ExpressionAnalysis.Entry, _ analysis: ExpressionAnalysis,
    _ collector: DiagnosticCollector
  ) {
    switch syntax.kind {
    case .conditional(_, let first, let second):
      for part in [first, second] { check(part, entry, analysis, collector) }
    case .call(let function, target: nil, let arguments)
    where function.name == "_+_" || function.name == "string":
      for part in arguments { check(part, entry, analysis, collector) }
    case .select:
      guard let path = syntax.pathText else { return }
      let range = analysis.range(syntax, in: entry)
      if ["name", "path"].contains(where: { entry.isFileField(path, $0, analysis) }) {
        collector.report(
          .unsafeHeaderValue, "'\(path)' can contain letters and line breaks that a header cannot",
          at: range, help: "encode it as the server expects it, for example 'urlEscape(\(path))'")
      } else if let output = wholeAnswer(path, analysis) {
        collector.report(
          .unsafeHeaderValue, "'\(path)' can contain line breaks, which a header cannot", at: range,
          note: ("it is a whole response body", output), help: "write 'response.text.trim()' there")
      }
    default: break
    }
  }

  private static func wholeAnswer(_ path: String, _ analysis: ExpressionAnalysis) -> TextRange? {
    guard let (maker, name) = analysis.directory.maker(of: path),
      let value = maker.draft.outputs.first(where: { $0.name.value == name })?.value,
      value.parts.count == 1, case .expression(let expression)? = value.parts.first,
      analysis.entry(expression, in: maker.index)?.syntax.isPath("response", "text") == true
    else { return nil }
    return expression.range
  }
}
