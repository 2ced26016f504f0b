/// `https://example.com` and `photos` make the host `example.comphotos`.
enum MissingSlashRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    for (request, step) in analysis.requests {
      guard let url = request.url else { continue }
      let pieces = analysis.pieces(of: url, in: step).filter { $0.text != "" }
      guard pieces.count > 1, let before = server(pieces[0], analysis),
        let after = beginning(pieces[1], analysis)
      else { continue }
      collector.report(
        .missingSlash, "missing '/' between '\(before)' and '\(after)'", at: url.range,
        help: help(pieces[1], after, before), fix: fix(pieces, url))
    }
  }

  private static func server(_ piece: TemplatePiece, _ analysis: ExpressionAnalysis) -> String? {
    switch piece {
    case .text(let text, _):
      guard let mark = text.schemeMark else { return nil }
      let host = text[mark.upperBound...]
      return host.isEmpty || host.contains(where: { "/?#:@".contains($0) }) ? nil : text
    case .value(let syntax, _):
      guard let path = syntax.pathText, path.hasPrefix("inputs."),
        let input = analysis.draft.inputs.first(where: { $0.name.value == path.dropFirst(7) }),
        input.kind == .url, input.defaultText?.value.hasSuffix("/") != true
      else { return nil }
      return path
    }
  }

  private static func beginning(_ piece: TemplatePiece, _ analysis: ExpressionAnalysis) -> String? {
    switch piece {
    case .text(let text, _):
      // A port, a query or a fragment may follow as well.
      return text.first.map { "/?#:".contains($0) } == true ? nil : text
    case .value(let syntax, let entry):
      var operand = syntax
      if case .call(let function, target: nil, let arguments) = syntax.kind, arguments.count == 1,
        ["urlEscape", "urlEscapePath"].contains(function.name)
      {
        operand = arguments[0]
      }
      guard let path = operand.pathText,
        ["name", "relative", "folder"].contains(where: { entry.isFileField(path, $0, analysis) })
      else { return nil }
      return entry.text(syntax)
    }
  }

  private static func help(_ piece: TemplatePiece, _ after: String, _ before: String) -> String {
    if case .text = piece { return "write '/\(after)'" }
    return "write a slash after '\(before)'"
  }

  private static func fix(_ pieces: [TemplatePiece], _ url: DraftTemplate) -> Diagnostic.Fix? {
    guard case .value(_, let entry) = pieces[0],
      case .expression(let expression)? = url.parts.first,
      expression.range.start == entry.draft.range.start,
      entry.syntax.summands.count == 1, url.parts.count > 1
    else { return nil }
    return Diagnostic.Fix(range: expression.range, replacement: "${{\(expression.source)}}/")
  }
}
