/// An error or warning in a YAML text.
public struct YAMLIssue: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stable kebab-case name of a kind of issue.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The text is not valid YAML for libyaml; nothing after the position was read.
    case syntax = "yaml-syntax"
    /// A byte sequence is not UTF-8 (RFC 3629); the encodings UTF-16 and UTF-32 are not accepted.
    case invalidUTF8 = "invalid-utf8"
    /// NUL or another character outside YAML's printable set (YAML 1.2.2 §5.1).
    case invalidCharacter = "invalid-character"
    case emptyDocument = "empty-document"
    case multipleDocuments = "multiple-documents"
    /// A key that appears earlier in the same mapping (YAML 1.2.2 §3.2.1.3: keys are unique).
    case duplicateKey = "duplicate-key"
    /// A key that is not a string under the core schema, or not a scalar at all.
    case nonStringKey = "non-string-key"
    /// The key `<<`, which is not part of YAML 1.2; the entry is kept unchanged.
    case mergeKey = "merge-key"
    case undefinedAnchor = "undefined-anchor"
    /// An alias inside the node that it names.
    case recursiveAlias = "recursive-alias"
    /// An anchor that no alias uses.
    case unusedAnchor = "unused-anchor"
    /// A scalar whose text does not match its tag, such as `!!int abc`.
    case tagMismatch = "tag-mismatch"
    /// An expression `${{ … }}` in a plain scalar that YAML splits.
    case unquotedExpression = "unquoted-expression"
    /// More nesting than ``YAMLLimits/depth``.
    case tooDeep = "too-deep"
    /// More bytes or nodes than ``YAMLLimits`` allow.
    case tooLarge = "too-large"
  }

  /// Whether the document can still be used.
  public enum Severity: String, Hashable, Sendable {
    /// The document does not have the intended meaning.
    case error
    /// The document is valid, but something in it is superfluous.
    case warning
  }

  /// A second location that explains the issue.
  public struct Note: Hashable, Sendable {
    /// What there is to see: lower case, no final full stop.
    public let message: String
    /// The place.
    public let range: SourceRange
  }

  /// A replacement that fixes the issue.
  public struct Fix: Hashable, Sendable {
    /// The range of text to replace.
    public let range: SourceRange
    /// The replacement text.
    public let replacement: String
  }

  /// The kind.
  public let code: Code
  public let severity: Severity
  /// One sentence for the reader: lower case, no final full stop.
  public let message: String
  /// The exact range.
  public let range: SourceRange
  /// Other locations that explain it.
  public let notes: [Note]
  /// The fix, if there is a certain one.
  public let fix: Fix?

  init(
    _ code: Code, _ message: String, at range: SourceRange, severity: Severity = .error,
    notes: [Note] = [], fix: Fix? = nil
  ) {
    (self.code, self.severity, self.message, self.range) = (code, severity, message, range)
    (self.notes, self.fix) = (notes, fix)
  }

  /// `line:column: severity: message [code]`.
  public var description: String {
    "\(range.start): \(severity.rawValue): \(message) [\(code.rawValue)]"
  }
}
