/// The text of one YAML document, parsed into a tree with source ranges.
///
/// ```swift
/// let document = YAMLDocument.parse("name: photos\nsteps: []\n")
/// document.root?["name"]?.range.start.column  // 7
/// document.issues                             // []
/// ```
public struct YAMLDocument: Sendable {
  /// The top node, or nil if the text contains no document or an issue ended the parse.
  ///
  /// After a `multiple-documents` issue it is the first document's.
  public let root: YAMLNode?
  /// All issues, in text order.
  ///
  /// The first syntax error ends the parse.
  public let issues: [YAMLIssue]
  let source: SourceText
  let scalarOffsets = ScalarOffsetCache()

  /// Parses UTF-8 bytes, a byte order mark allowed.
  ///
  /// Never throws: errors are in ``issues``.
  public static func parse(
    _ bytes: some Sequence<UInt8>, limits: YAMLLimits = .standard
  ) -> YAMLDocument {
    let (source, flaw) = SourceText.scan(Array(bytes))
    if let flaw { return YAMLDocument(root: nil, issues: [flaw], source: source) }
    let (root, issues) = TreeBuilder.build(source, limits: limits)
    return YAMLDocument(root: root, issues: issues, source: source)
  }

  /// Parses a string.
  ///
  /// Never throws: errors are in ``issues``.
  public static func parse(_ text: String, limits: YAMLLimits = .standard) -> YAMLDocument {
    parse(text.utf8, limits: limits)
  }
}
