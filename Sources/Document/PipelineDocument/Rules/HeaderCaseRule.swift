/// The names in `response.headers` are in lower case, because header names are case-insensitive (RFC 9110 §5.1).
enum HeaderCaseRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    for entry in analysis.entries.values {
      for part in entry.parts {
        guard let (name, range) = name(in: part), name != name.lowercased() else { continue }
        let place = analysis.reader.range(range, of: entry.draft)
        let written = entry.text(range)
        collector.report(
          .headerCase, "'\(name)' matches no header: header names are in lower case here",
          at: place, help: "write '\(name.lowercased())'",
          fix: written.contains(name)
            ? Diagnostic.Fix(
              range: place, replacement: written.replacing(name, with: name.lowercased())) : nil)
      }
    }
  }

  private static func name(in part: Syntax) -> (String, Range<Int>)? {
    switch part.kind {
    case .index(let operand, let key, _):
      guard operand.isPath("response", "headers"), let text = key.literalText else { return nil }
      return (text, key.range)
    case .select(let operand, let field, _), .has(let operand, let field):
      return operand.isPath("response", "headers") ? (field.name, field.range) : nil
    case .call(let function, target: nil, let arguments):
      guard function.name == "@in", arguments.count == 2,
        arguments[1].isPath("response", "headers"), let text = arguments[0].literalText
      else { return nil }
      return (text, arguments[0].range)
    default: return nil
    }
  }
}
