package enum PatternSample {
  /// A text in which the pattern occurs; the first part that may be of any length becomes `word`, if it fits.
  package static func text(matching pattern: String, word: String) -> String? {
    var parser = PatternParser(pattern)
    guard let tree = try? parser.parse() else { return nil }
    var word = Optional(word)
    guard let text = text(tree, &word), let expression = try? RegularExpression(pattern)
    else { return nil }
    // Anchors and boundaries are not looked at above.
    var meter = Meter(cost: EvaluationLimits.default.cost)
    return (try? expression.matches(in: text, &meter)) == true ? text : nil
  }

  private static func text(_ node: RegexNode, _ word: inout String?) -> String? {
    switch node {
    case .empty, .start, .end, .lineStart, .lineEnd, .wordBoundary, .look: return ""
    case .set(let set): return scalar(in: set).map { String(Character($0)) }
    case .sequence(let parts):
      var whole = ""
      for part in parts {
        guard let text = text(part, &word) else { return nil }
        whole += text
      }
      return whole
    case .alternatives(let options): return options.first.flatMap { text($0, &word) }
    case .capture(let inner, _): return text(inner, &word)
    case .backreference: return nil
    case .repetition(let part, let minimum, let maximum, _, _):
      if maximum == nil, case .set(let set) = part, let own = word, own.count >= minimum,
        own.unicodeScalars.allSatisfy({ set.contains($0.value) })
      {
        word = nil
        return own
      }
      guard let once = text(part, &word) else { return minimum == 0 ? "" : nil }
      return String(repeating: once, count: minimum)
    }
  }

  private static func scalar(in set: ScalarSet) -> Unicode.Scalar? {
    "a1A-_ /.".unicodeScalars.first { set.contains($0.value) }
      ?? (0x20...0x7E).first(where: set.contains).flatMap { Unicode.Scalar(UInt32($0)) }
      ?? set.ranges.first.flatMap { Unicode.Scalar($0.lowerBound) }
  }
}
