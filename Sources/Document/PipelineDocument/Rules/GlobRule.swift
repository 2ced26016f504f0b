/// The default of a `files` input, and the patterns that it leaves out, must be valid globs.
enum GlobRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for input in pipeline.inputs where input.kind == .files {
      for text in [input.defaultText].compactMap({ $0 }) + input.exclude {
        guard let problem = text.value.isEmpty ? "the glob is empty" : problem(text.value)
        else { continue }
        collector.report(.invalidGlob, problem, at: text.range)
      }
    }
  }

  /// The error in a pattern; `nil` if it has none, or one that only shows when all alternatives are expanded.
  static func problem(_ pattern: String) -> String? {
    let scalars = Array(pattern.unicodeScalars)
    var index = 0
    var open: [Int] = []
    while index < scalars.count {
      switch scalars[index] {
      case "\\":
        index += 1
        if index == scalars.count {
          return "the glob ends with '\\', expected a character to escape"
        }
      case "{": open.append(index)
      case "}":
        if open.popLast() == nil {
          return "the glob has '}' without '{', write '\\}' for a literal brace"
        }
      case "[":
        guard let end = classEnd(scalars, from: index)
        else { return "the glob has '[' without ']'" }
        index = end
      case "*":
        if let problem = starsProblem(scalars, at: index) { return problem }
        while index + 1 < scalars.count, scalars[index + 1] == "*" { index += 1 }
      default: break
      }
      index += 1
    }
    return open.isEmpty ? nil : "the glob has '{' without '}'"
  }

  private static func classEnd(_ scalars: [Unicode.Scalar], from start: Int) -> Int? {
    var index = start + 1
    if index < scalars.count, scalars[index] == "!" || scalars[index] == "^" { index += 1 }
    let first = index
    while index < scalars.count, scalars[index] != "]" || index == first {
      if scalars[index] == "\\" { index += 1 }
      if index < scalars.count, scalars[index] == "/" { return nil }
      index += 1
    }
    return index < scalars.count ? index : nil
  }

  /// `**` must be a whole path segment; next to a brace or a comma it may be.
  private static func starsProblem(_ scalars: [Unicode.Scalar], at start: Int) -> String? {
    var end = start
    while end < scalars.count, scalars[end] == "*" { end += 1 }
    let borders: Set<Unicode.Scalar> = ["/", "{", "}", ","]
    guard end - start > 1 else { return nil }
    let isAlone =
      end - start == 2 && (start == 0 || borders.contains(scalars[start - 1]))
      && (end == scalars.count || borders.contains(scalars[end]))
    return isAlone ? nil : "'**' must be a whole path segment in a glob"
  }
}
