/// Why an expression has no value; messages never contain strings or bytes, which may be secret.
public struct EvaluationError: Error, Hashable, Sendable {
  /// A stable name of the kind of error, in kebab case.
  public enum Code: String, Sendable, CustomStringConvertible {
    /// The name, such as `no-such-key`.
    public var name: String { rawValue }
    /// The name.
    public var description: String { rawValue }

    /// A function or an operator does not accept values of these kinds.
    case noSuchOverload = "no-such-overload"
    case noSuchKey = "no-such-key"
    /// A list or a string has no such index.
    case indexOutOfRange = "index-out-of-range"
    /// A map literal has a duplicate key, or a key of a kind that keys cannot have.
    case invalidKey = "invalid-key"
    case divisionByZero = "division-by-zero"
    /// A result does not fit in its kind.
    case overflow = "overflow"
    /// An argument has the right kind but an invalid value for the function.
    case invalidArgument = "invalid-argument"
    case absentValue = "absent-value"
    /// The activation has no value for a variable.
    case unboundVariable = "unbound-variable"
    /// A name is not declared; only unchecked expressions can get this error.
    case undeclaredReference = "undeclared-reference"
    case costExceeded = "cost-exceeded"
    case tooLarge = "too-large"
  }

  /// The kind of error.
  public let code: Code
  /// The message: lower case, without a final full stop.
  public let message: String
  /// The part of the expression that has no value, in Unicode scalars from the start of the source.
  public internal(set) var range: Range<Int>

  /// An error of a function; the evaluator adds the range of the call.
  public init(_ code: Code, _ message: String) {
    (self.code, self.message) = (code, message)
    range = 0..<0
  }

  init(_ code: Code, _ message: String, at range: CompactRange) {
    (self.code, self.message) = (code, message)
    self.range = range.range
  }

  func at(_ range: CompactRange) -> EvaluationError { EvaluationError(code, message, at: range) }

  static func noOverload(_ function: String, _ values: Value...) -> EvaluationError {
    let kinds = values.map(\.typeName.name).joined(separator: ", ")
    return EvaluationError(.noSuchOverload, "\(function) does not accept (\(kinds))")
  }

  /// A value of another kind than is expected, such as `condition must be bool, found int`.
  static func mismatch(
    _ expectation: String, _ found: Value, at range: CompactRange, _ code: Code = .noSuchOverload
  ) -> EvaluationError {
    EvaluationError(code, "\(expectation), found \(found.typeName)", at: range)
  }

  package static func argument(_ message: String) -> EvaluationError {
    EvaluationError(.invalidArgument, message)
  }
}

/// A range in half the space, because each node of a compiled expression has one.
struct CompactRange: Sendable {
  private let lower, upper: UInt32

  init(_ range: Range<Int>) {
    lower = UInt32(range.lowerBound)
    upper = UInt32(range.upperBound)
  }

  var range: Range<Int> { Int(lower)..<Int(upper) }
}

/// Bounds of one evaluation.
public struct EvaluationLimits: Hashable, Sendable {
  /// The largest cost: each operation costs 1, and about 1 more per list member or 32 bytes of text.
  public var cost: Int
  /// The size in bytes of the largest text that may be read or made.
  public var size: Int

  /// Bounds of one evaluation; by default of texts up to 8 MiB.
  public init(cost: Int, size: Int = 8 << 20) { (self.cost, self.size) = (cost, size) }

  /// A cost of 1,000,000, and texts up to 8 MiB.
  public static let `default` = EvaluationLimits(cost: 1_000_000)
}

/// The remaining cost that an evaluation may incur.
public struct Meter: Sendable {
  package private(set) var remaining: Int
  private let size: Int

  /// A meter with `cost` to spend, for texts of at most `size` bytes.
  public init(cost: Int, size: Int = EvaluationLimits.default.size) {
    (remaining, self.size) = (cost, size)
  }

  /// Subtracts `cost`, or throws if not enough is left.
  @inline(__always) public mutating func charge(_ cost: Int) throws(EvaluationError) {
    let (rest, overflow) = remaining.subtractingReportingOverflow(cost)
    guard rest >= 0, !overflow else { throw exhausted() }
    remaining = rest
  }

  /// Charges for reading or writing `count` bytes of text, or throws if that is too large.
  public mutating func charge(octets count: Int) throws(EvaluationError) {
    try charge(count / 32)
    try check(octets: count)
  }

  /// Throws if a text of `count` bytes is too large.
  func check(octets count: Int) throws(EvaluationError) {
    guard count > size else { return }
    throw EvaluationError(.tooLarge, "a text of \(count) bytes is larger than \(size)")
  }

  /// Charges for every member of a value and of its members.
  public mutating func charge(for value: Value) throws(EvaluationError) {
    switch value {
    case .string(let text): try charge(octets: text.utf8.count)
    case .bytes(let bytes): try charge(octets: bytes.count)
    case .list(let elements):
      try charge(elements.count)
      for element in elements { try charge(for: element) }
    case .map(let map):
      try charge(map.count)
      for entry in map.entries {
        try charge(for: entry.key)
        try charge(for: entry.value)
      }
    case .optional(let wrapped?): try charge(for: wrapped)
    default: break
    }
  }

  @inline(never) private mutating func exhausted() -> EvaluationError {
    remaining = 0
    return EvaluationError(.costExceeded, "evaluation costs more than its limit")
  }
}
