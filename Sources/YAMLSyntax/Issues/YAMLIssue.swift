/// Something wrong, or worth a word, in a YAML text.
public struct YAMLIssue: Hashable, Sendable, CustomStringConvertible {
  /// The stable kebab-case name of a kind of issue.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The text is not YAML as libyaml reads it; nothing after the place was read.
    case syntax = "yaml-syntax"
    /// A byte sequence is not UTF-8 (RFC 3629); the encodings UTF-16 and UTF-32 are not accepted.
    case invalidUTF8 = "invalid-utf8"
    /// NUL or another character outside YAML's printable set (YAML 1.2.2 §5.1).
    case invalidCharacter = "invalid-character"
    /// The text holds no document.
    case emptyDocument = "empty-document"
    /// The stream holds a second document.
    case multipleDocuments = "multiple-documents"
    /// A key that appears before in the same mapping (YAML 1.2.2 §3.2.1.3: keys are unique).
    case duplicateKey = "duplicate-key"
    /// A key that is not a string under the core schema, or not a scalar at all.
    case nonStringKey = "non-string-key"
    /// The key `<<`, which YAML 1.2 does not know; the entry is kept as it stands.
    case mergeKey = "merge-key"
    /// An alias for which no anchor stands before it.
    case undefinedAnchor = "undefined-anchor"
    /// An alias inside the very node that it names.
    case recursiveAlias = "recursive-alias"
    /// An anchor that no alias uses.
    case unusedAnchor = "unused-anchor"
    /// A scalar whose text does not fit its tag, such as `!!int abc`.
    case tagMismatch = "tag-mismatch"
    /// An expression `${{ … }}` in a plain scalar that YAML cuts apart.
    case unquotedExpression = "unquoted-expression"
    /// More nesting than ``YAMLLimits/depth``.
    case tooDeep = "too-deep"
    /// More bytes or nodes than ``YAMLLimits`` allow.
    case tooLarge = "too-large"
  }

  /// Whether the document can be used in spite of the issue.
  public enum Severity: String, Hashable, Sendable {
    /// The document does not mean what it should.
    case error
    /// The document means what it says, but something is superfluous.
    case warning
  }

  /// A second place that explains the issue.
  public struct Note: Hashable, Sendable {
    /// What is to be seen there: lower case, no final stop.
    public let message: String
    /// The place.
    public let range: SourceRange
  }

  /// A replacement that would mend the issue.
  public struct Fix: Hashable, Sendable {
    /// The stretch of text to replace.
    public let range: SourceRange
    /// The text to put there.
    public let replacement: String
  }

  /// The kind.
  public let code: Code
  /// How bad it is.
  public let severity: Severity
  /// One sentence for the reader: lower case, no final stop.
  public let message: String
  /// The exact place.
  public let range: SourceRange
  /// Places that explain it.
  public let notes: [Note]
  /// How to mend it, where that is certain.
  public let fix: Fix?

  init(
    _ code: Code, _ message: String, at range: SourceRange, severity: Severity = .error,
    notes: [Note] = [], fix: Fix? = nil
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.range = range
    self.notes = notes
    self.fix = fix
  }

  /// `line:column: severity: message [code]`.
  public var description: String {
    "\(range.start): \(severity.rawValue): \(message) [\(code.rawValue)]"
  }
}

/// Carries the issue that ends a parse.
struct ParseFailure: Error {
  let issue: YAMLIssue
}
