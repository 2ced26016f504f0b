/// The text of one YAML document, parsed into a tree with source ranges.
public struct YAMLDocument: Sendable {
  /// The top node of the first document; nil if there is none or an issue ended the parse.
  public let root: YAMLNode?
  /// All issues, in text order; the first syntax error ends the parse.
  public let issues: [YAMLIssue]
  let source: SourceText
  let scalarOffsets = ScalarOffsetCache()

  /// Parses UTF-8 bytes, a byte order mark allowed; errors are in ``issues``.
  public static func parse(
    _ bytes: some Sequence<UInt8>, limits: YAMLLimits = .standard
  ) -> YAMLDocument {
    let (source, flaw) = SourceText.scan(Array(bytes))
    if let flaw { return YAMLDocument(root: nil, issues: [flaw], source: source) }
    let (roots, issues) = TreeBuilder.build(source, limits: limits)
    return YAMLDocument(root: roots.first, issues: issues, source: source)
  }

  /// The top nodes of all documents of a text, and all issues in text order.
  static func parseAll(_ bytes: [UInt8]) -> (roots: [YAMLNode], issues: [YAMLIssue]) {
    let (source, flaw) = SourceText.scan(bytes)
    return flaw.map { ([], [$0]) } ?? TreeBuilder.build(source, limits: .standard, readsAll: true)
  }

  /// Parses a string; errors are in ``issues``.
  public static func parse(_ text: String, limits: YAMLLimits = .standard) -> YAMLDocument {
    parse(text.utf8, limits: limits)
  }
}
