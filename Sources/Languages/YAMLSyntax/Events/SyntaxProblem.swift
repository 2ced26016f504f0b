import CLibYAML

/// A libyaml syntax error, rephrased to explain the fix.
enum SyntaxProblem {
  static func issue(_ parser: yaml_parser_t, in source: SourceText) -> YAMLIssue {
    guard parser.error == YAML_SCANNER_ERROR || parser.error == YAML_PARSER_ERROR else {
      return parser.error == YAML_MEMORY_ERROR
        ? outOfMemory(in: source) : unreadable(parser, in: source)
    }
    let place = source.position(parser.problem_mark)
    let range = source.character(at: place)
    if let issue = UnclosedQuote.issue(before: place.offset, in: source)
      ?? EndedQuote.issue(around: place.offset, in: source)
      ?? UnquotedExpression.issue(around: place.offset, in: source, isFlow: parser.flow_level > 0)
      ?? UnquotedExpression.issue(unmarkedBefore: place.offset, in: source)
    {
      return issue
    }
    let problem = parser.problem.map { String(cString: $0) } ?? "the text is not YAML"
    let context = parser.context.map { String(cString: $0) } ?? ""
    let text = message(problem, context: context, at: range, in: source)
    var notes: [YAMLIssue.Note] = []
    let start = source.position(parser.context_mark)
    if let subject = words[context], start < place {
      let range = source.character(at: start)
      notes = [YAMLIssue.Note(message: "\(subject) starts here", range: range)]
    }
    return YAMLIssue(.syntax, text, at: range, notes: notes)
  }

  static func outOfMemory(in source: SourceText) -> YAMLIssue {
    YAMLIssue(
      .tooLarge, "not enough memory to parse the file",
      at: source.range(source.start..<source.start))
  }

  private static func unreadable(_ parser: yaml_parser_t, in source: SourceText) -> YAMLIssue {
    let offset = min(source.start + Int(clamping: parser.problem_offset), source.bytes.count)
    let place = source.position(atOffset: offset)
    let problem = parser.problem.map { String(cString: $0) } ?? "the text cannot be read"
    return YAMLIssue(.syntax, problem, at: source.character(at: place))
  }

  private static func message(
    _ problem: String, context: String, at range: SourceRange, in source: SourceText
  ) -> String {
    if problem == "found character that cannot start any token" {
      return cannotStart(source.string(range.start.offset..<range.end.offset))
    }
    if problem == "did not find expected node content" {
      return range.start == range.end
        ? "expected a value here"
        : "expected a value, found '\(source.string(range.start.offset..<range.end.offset))'"
    }
    return words[problem] ?? problem
  }

  private static func cannotStart(_ character: String) -> String {
    switch character {
    case "\t": "a tab cannot indent a line; use spaces"
    case "@", "`": "a value cannot start with the reserved character '\(character)'; quote it"
    case "%": "a value cannot start with '%'; quote it"
    default: "a value cannot start with '\(character)'; quote it"
    }
  }

  /// Our words for libyaml's phrases: for the element being read, and for its problems.
  private static let words: [String: String] = {
    let members = (try? JSONReader().read(PackageResources.phrases_json))?.root.members ?? []
    return Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value.string ?? "") })
  }()
}
