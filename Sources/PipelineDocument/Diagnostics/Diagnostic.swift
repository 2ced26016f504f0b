/// Something about a document that its author should know.
public struct Diagnostic: Hashable, Sendable {
  /// Whether the document can be used in spite of it.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// The document cannot be used.
    case error
    /// The document can be used, and probably does not mean what its author meant.
    case warning
  }

  /// A second place that explains the first.
  public struct Note: Hashable, Sendable {
    /// What is to be seen there: lower case, no final stop.
    public let message: String
    /// The place.
    public let range: TextRange

    /// Describes a place.
    public init(message: String, range: TextRange) {
      self.message = message
      self.range = range
    }
  }

  /// A replacement that mends the matter.
  public struct Fix: Hashable, Sendable {
    /// The stretch of text to replace.
    public let range: TextRange
    /// The text to put there.
    public let replacement: String
    /// Whether it is certain to be what the author meant, so that it can be made unasked.
    public let isSafe: Bool

    /// Proposes to put `replacement` in place of `range`.
    public init(range: TextRange, replacement: String, isSafe: Bool = false) {
      self.range = range
      self.replacement = replacement
      self.isSafe = isSafe
    }
  }

  /// The stable name of the kind of matter.
  public let code: DiagnosticCode
  /// Whether the document can be used in spite of it.
  public let severity: Severity
  /// One sentence: lower case, no final stop, the thing in quotes.
  public let message: String
  /// The exact place.
  public let range: TextRange
  /// Places that explain it.
  public let notes: [Note]
  /// What to do, for people.
  public let help: String?
  /// What to do, for editors, where that is certain.
  public let fix: Fix?
  /// More about it for programs, such as the keyword of a schema.
  public let properties: [Property]

  /// A name and what there is to say by it.
  public struct Property: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String

    /// Pairs a name with its value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Makes a diagnostic.
  public init(
    _ code: DiagnosticCode, severity: Severity = .error, _ message: String, at range: TextRange,
    notes: [Note] = [], help: String? = nil, fix: Fix? = nil, properties: [Property] = []
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.range = range
    self.notes = notes
    self.help = help
    self.fix = fix
    self.properties = properties
  }
}

extension Diagnostic {
  /// Hashes what tells diagnostics apart; parts that only go with others are left out.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(range.start)
    hasher.combine(message)
    hasher.combine(help)
    for note in notes { hasher.combine(note.range.start) }
  }
}

extension Diagnostic: Comparable {
  /// Orders by file, place, code and message, so that two runs report alike.
  public static func < (left: Self, right: Self) -> Bool {
    if !left.range.isInFile(of: right.range) { return left.range.file < right.range.file }
    if left.range.start != right.range.start { return left.range.start < right.range.start }
    if left.code != right.code { return left.code.rawValue < right.code.rawValue }
    return left.message < right.message
  }
}

extension [Diagnostic] {
  /// The diagnostics in the order of the text, each once.
  public func sortedByPlace() -> [Diagnostic] {
    var seen = Set<Diagnostic>(minimumCapacity: count)
    return filter { seen.insert($0).inserted }.sorted()
  }
}
