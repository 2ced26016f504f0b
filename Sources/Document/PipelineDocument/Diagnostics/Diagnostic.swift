/// A finding about a document, for its author.
public struct Diagnostic: Hashable, Sendable {
  /// Whether the document can still be used.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// The document cannot be used.
    case error
    /// The document can be used, but probably does not match its author's intention.
    case warning
  }

  /// A second place that explains the first.
  public struct Note: Hashable, Sendable {
    /// What there is to see: lower case, no final full stop.
    public let message: String
    /// The place.
    public let range: TextRange

    /// Describes a place.
    public init(message: String, range: TextRange) { (self.message, self.range) = (message, range) }
  }

  /// A replacement that fixes the problem.
  public struct Fix: Hashable, Sendable {
    /// The range of text to replace.
    public let range: TextRange
    /// The replacement text.
    public let replacement: String
    /// Whether it certainly matches the author's intention, so that it can be applied without asking.
    public let isSafe: Bool

    /// Proposes to replace `range` with `replacement`.
    public init(range: TextRange, replacement: String, isSafe: Bool = false) {
      (self.range, self.replacement, self.isSafe) = (range, replacement, isSafe)
    }

    /// The replacement without the punctuation and space that join it to its neighbours.
    package var words: String {
      var words = Substring(replacement)
      while let last = words.last, last == "," || last.isWhitespace { words.removeLast() }
      return String(words)
    }
  }

  /// The stable name of the kind of finding.
  public let code: DiagnosticCode
  /// Whether the document can still be used.
  public let severity: Severity
  /// One sentence: lower case, no final full stop, names in quotes.
  public let message: String
  /// The exact range.
  public let range: TextRange
  /// Other locations that explain it.
  public let notes: [Note]
  /// The help text for the user.
  public let help: String?
  /// The replacements that fix the problem.
  ///
  /// If there are several, only the user can choose between them.
  public let fixes: [Fix]
  /// More details for programs, such as the keyword of a schema.
  public let properties: [Property]

  /// A named detail.
  public struct Property: Hashable, Sendable {
    public let name: String
    public let value: String

    /// Pairs a name with its value.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// The only fix; `nil` if there is none, or if there is a choice.
  public var fix: Fix? { fixes.count == 1 ? fixes[0] : nil }

  /// Describes a finding.
  ///
  /// - Parameter severity: `nil` for that of the code's page, which few messages differ from.
  public init(
    _ code: DiagnosticCode, severity: Severity? = nil, _ message: String, at range: TextRange,
    notes: [Note] = [], help: String? = nil, fixes: [Fix] = [], properties: [Property] = []
  ) {
    self.code = code
    self.severity = severity ?? code.severity
    (self.message, self.range, self.notes, self.help) = (message, range, notes, help)
    (self.fixes, self.properties) = (fixes, properties)
  }

  /// Hashes the parts that distinguish diagnostics, and leaves out those that depend on them.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(range.start)
    hasher.combine(message)
    hasher.combine(help)
    for note in notes { hasher.combine(note.range.start) }
  }
}

extension Diagnostic: Comparable {
  /// Orders by file, position, code and message, so that the order of reports is stable.
  public static func < (left: Self, right: Self) -> Bool {
    if !left.range.isInFile(of: right.range) { return left.range.file < right.range.file }
    if left.range.start != right.range.start { return left.range.start < right.range.start }
    if left.code != right.code { return left.code.rawValue < right.code.rawValue }
    return left.message < right.message
  }
}

extension [Diagnostic] {
  /// The diagnostics in text order, without duplicates.
  public func sortedByPlace() -> [Diagnostic] {
    var seen = Set<Diagnostic>(minimumCapacity: count)
    return filter { seen.insert($0).inserted }.sorted()
  }
}
