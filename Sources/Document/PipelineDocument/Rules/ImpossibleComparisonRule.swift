/// A comparison with a value that the other side can never have.
enum ImpossibleComparisonRule: Rule {
  struct Finding {
    package let range: TextRange
    package let message: String
    package var help: String?
    package var fix: Diagnostic.Fix?
  }

  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    for entry in analysis.entries.values where entry.compiled != nil {
      for finding in findings(in: entry, analysis) {
        collector.report(
          .impossibleComparison, finding.message, at: finding.range, help: finding.help,
          fix: finding.fix)
      }
    }
  }

  package static func findings(in entry: ExpressionAnalysis.Entry, _ analysis: ExpressionAnalysis)
    -> [Finding]
  {
    var findings: [Finding] = []
    for part in entry.parts {
      // An expression with this many comparisons was not written by hand.
      guard case .call(let function, target: nil, let arguments) = part.kind,
        arguments.count == 2, findings.count < 20,
        function.name == "@in" || StatusBounds.comparisons[function.name] != nil
      else { continue }
      let comparison = Comparison(
        function: function.name, left: arguments[0], right: arguments[1], whole: part,
        entry: entry, analysis: analysis)
      findings += comparison.words()
      findings += comparison.statuses()
      findings += comparison.signs()
      findings += comparison.itself()
    }
    return findings
  }
}

private struct Comparison {
  package let function: String
  package let left, right, whole: Syntax
  package let entry: ExpressionAnalysis.Entry
  package let analysis: ExpressionAnalysis
  let leftPath, rightPath: String?

  init(
    function: String, left: Syntax, right: Syntax, whole: Syntax, entry: ExpressionAnalysis.Entry,
    analysis: ExpressionAnalysis
  ) {
    (self.function, self.left, self.right, self.whole) = (function, left, right, whole)
    (self.entry, self.analysis) = (entry, analysis)
    leftPath = left.pathText
    rightPath = right.pathText
  }

  private func literals(comparedWith matches: (Syntax) -> Bool) -> [Syntax] {
    switch function {
    case "_==_", "_!=_":
      if matches(left) { return [right] }
      return matches(right) ? [left] : []
    case "@in":
      guard matches(left), case .list(let elements) = right.kind else { return [] }
      return elements.map(\.value)
    default: return []
    }
  }

  private var never: String { function == "_!=_" ? "always true" : "never true" }

  package func statuses() -> [ImpossibleComparisonRule.Finding] {
    let literals = literals { $0.isPath("response", "status") }
    if !literals.isEmpty {
      return literals.compactMap { literal in
        if let text = literal.literalText {
          let range = analysis.range(literal, in: entry)
          return ImpossibleComparisonRule.Finding(
            range: range,
            message: "this is \(never): a status is a number, and \"\(text)\" is text",
            help: Int(text).map { "write \($0)" },
            fix: Int(text).map { Diagnostic.Fix(range: range, replacement: "\($0)") })
        }
        guard case .literal(.int(let number)) = literal.kind, number != 0,
          !StatusSet.answered.contains(Int(clamping: number))
        else { return nil }
        return finding(
          "this is \(never): a status is 100 to 599, or 0 if there was no response", at: literal)
      }
    }
    guard let first = StatusTerm(left), let second = StatusTerm(right),
      first.isConstant != second.isConstant
    else { return [] }
    return !StatusBounds(whole).possible.isEmpty
      ? []
      : [
        finding(
          "this is never true: a status is 100 to 599, or 0 if there was no response", at: whole)
      ]
  }

  private static let errors = [""] + TransportFailure.Kind.shown.map(\.rawValue)

  package func words() -> [ImpossibleComparisonRule.Finding] {
    let found = check(literals { $0.isPath("response", "error") }, Self.errors, "'response.error'")
    guard found.isEmpty,
      let path = [leftPath, rightPath].lazy.compactMap({ $0 })
        .first(where: { $0.hasPrefix("response.json.") }),
      let words = analysis.words(path, in: entry)
    else { return found }
    return check(literals { $0.pathText == path }, words, "'\(path)'")
  }

  private func check(
    _ literals: [Syntax], _ words: [String], _ subject: String
  ) -> [ImpossibleComparisonRule.Finding] {
    literals.compactMap { literal in
      guard let text = literal.literalText, !words.contains(text) else { return nil }
      let nearest = nearestName(to: text, among: words)
      let range = analysis.range(literal, in: entry)
      let quote = entry.text(literal).hasPrefix("'") ? "'" : "\""
      return ImpossibleComparisonRule.Finding(
        range: range, message: "this is \(never): \(subject) is never '\(text)'",
        help: nearest.map { "did you mean '\($0)'?" }
          ?? "it is one of \(quotedList(words.filter { !$0.isEmpty }, joinedBy: "or"))",
        fix: nearest.map { Diagnostic.Fix(range: range, replacement: "\(quote)\($0)\(quote)") })
    }
  }

  package func signs() -> [ImpossibleComparisonRule.Finding] {
    var (function, left, right) = (function, left, right)
    if case .literal = left.kind {
      let mirrored = ["_<_": "_>_", "_>_": "_<_", "_<=_": "_>=_", "_>=_": "_<=_"]
      (function, left, right) = (mirrored[function] ?? function, right, left)
    }
    guard case .literal(.int(let number)) = right.kind, isCount(left) else { return [] }
    let isImpossible =
      switch function {
      case "_<_": number <= 0
      case "_<=_", "_==_": number < 0
      default: false
      }
    return isImpossible
      ? [finding("this is never true: '\(entry.text(left))' is at least 0", at: whole)] : []
  }

  private func isCount(_ syntax: Syntax) -> Bool {
    switch syntax.kind {
    case .call(let function, _, _): return function.name == "size"
    default:
      guard let path = syntax.pathText else { return false }
      return path == "item.index" || entry.isFileField(path, "size", analysis)
    }
  }

  package func itself() -> [ImpossibleComparisonRule.Finding] {
    guard let leftPath, leftPath == rightPath, StatusBounds.comparisons[function] != nil
    else { return [] }
    let isTrue = ["_==_", "_<=_", "_>=_"].contains(function)
    return [
      finding("this is \(isTrue ? "always" : "never") true: both sides are the same", at: whole)
    ]
  }

  private func finding(_ message: String, at part: Syntax) -> ImpossibleComparisonRule.Finding {
    ImpossibleComparisonRule.Finding(range: analysis.range(part, in: entry), message: message)
  }
}
