import Basics
import CLibYAML

/// A libyaml syntax error, rephrased to say what to do.
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
    if let subject = contexts[context] {
      let start = source.position(parser.context_mark)
      if start < place {
        notes = [
          YAMLIssue.Note(message: "\(subject) begins here", range: source.character(at: start))
        ]
      }
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
    return messages[problem] ?? problem
  }

  private static func cannotStart(_ character: String) -> String {
    switch character {
    case "\t": "a tab cannot indent a line; use spaces"
    case "@", "`": "a value cannot begin with the reserved character '\(character)'; quote it"
    case "%": "a value cannot begin with '%'; quote it"
    default: "a value cannot begin with '\(character)'; quote it"
    }
  }

  /// Descriptions of what libyaml was reading, by its own phrase.
  private static let contexts = [
    "while scanning a simple key": "the key",
    "while scanning a block scalar": "the block text",
    "while scanning a quoted scalar": "the quoted text",
    "while scanning a plain scalar": "the text",
    "while parsing a block collection": "the list",
    "while parsing a block mapping": "the mapping",
    "while parsing a flow sequence": "the list '['",
    "while parsing a flow mapping": "the mapping '{'",
  ]

  /// Our messages for libyaml's problems, by its own phrase.
  private static let messages = [
    "could not find expected ':'": "expected ':' after this key, on the same line",
    "found unexpected ':'": "unexpected ':'; quote the text",
    "did not find expected key":
      "expected a key at the indentation of the mapping; check indentation and quotes",
    "did not find expected '-' indicator":
      "expected '-' at the indentation of the list; check the indentation",
    "did not find expected ',' or ']'": "expected ',' or ']' in this list",
    "did not find expected ',' or '}'": "expected ',' or '}' in this mapping",
    "mapping values are not allowed in this context":
      "unexpected ':'; quote a value that contains ': ', or begin a nested mapping on its own line",
    "mapping keys are not allowed in this context": "a key cannot begin here with '?'",
    "block sequence entries are not allowed in this context":
      "a list entry '-' cannot begin here; put it on its own line",
    "found a tab character where an indentation space is expected":
      "a tab cannot indent a line; use spaces",
    "found a tab character that violates indentation": "a tab cannot indent a line; use spaces",
    "found unexpected end of stream": "the quoted text is not closed before the end of the file",
    "found unexpected document indicator":
      "the quoted text is not closed before this '---' or '...'",
    "found unknown escape character":
      "unknown escape in double quotes; write '\\\\' for a backslash, or use single quotes",
    "did not find expected hexdecimal number":
      "expected hexadecimal digits in this escape; for a '\\' as it is, use single quotes, and '/' between folders",
    "found invalid Unicode character escape code": "the escape is not a valid Unicode character",
    "found an indentation indicator equal to 0":
      "the indentation indicator of a block text is 1 to 9",
    "did not find expected comment or line break": "expected a comment or the end of the line",
    "did not find expected <document start>":
      "the document has ended here; expected '---' before more content",
    "did not find expected whitespace or line break": "expected a space or the end of the line",
    "did not find expected whitespace": "expected a space",
    "did not find expected alphabetic or numeric character":
      "expected a name of letters, digits, '-' or '_' here; quote a text that begins with '*' or '&'",
    "found undefined tag handle": "the tag's handle is not declared by a %TAG directive",
    "did not find the expected '>'": "expected '>' at the end of this tag",
    "did not find expected '!'": "expected '!' in this tag",
    "did not find expected tag URI": "expected a tag here",
    "found unknown directive name": "unknown directive, expected %YAML or %TAG",
    "found duplicate %YAML directive": "duplicate %YAML directive in one document",
    "found duplicate %TAG directive": "duplicate %TAG handle in one document",
    "found incompatible YAML document": "unsupported YAML version, expected 1.1 or 1.2",
  ]
}
