#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `"…".format([…])`: replaces clauses such as `%s` and `%.2f` by the values of a list, in order.
struct TextFormatter {
  private let values: [Value]
  private var used = 0

  init(values: [Value]) { self.values = values }

  mutating func format(_ template: String, _ meter: inout Meter) throws(EvaluationError) -> String {
    var result = ""
    var rest = Substring(template).unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "%" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      if rest.first == "%" {
        rest.removeFirst()
        result += "%"
        continue
      }
      let precision = try Self.precision(&rest)
      guard let clause = rest.popFirst() else { throw .argument("format ends within a clause") }
      guard used < values.count
      else { throw .argument("format has no value for clause \(used + 1)") }
      let text = try text(of: values[used], clause, precision)
      try meter.charge(octets: text.utf8.count)
      result += text
      used += 1
    }
    return result
  }

  private static func precision(
    _ rest: inout Substring.UnicodeScalarView
  ) throws(EvaluationError) -> Int? {
    guard rest.first == "." else { return nil }
    rest.removeFirst()
    var precision: Int?
    while let digit = rest.first, digit.isDigit {
      rest.removeFirst()
      precision = (precision ?? 0) * 10 + Int(digit.value - 0x30)
      if precision ?? 0 > 1000 { throw .argument("format has a precision above 1000") }
    }
    guard let precision else { throw .argument("format has '.' without a precision") }
    return precision
  }

  /// A number formatted as in C, which is how the specification defines these clauses.
  private static func printed(_ format: String, _ number: Double) -> String {
    withVaList([number]) { arguments in
      // A double has at most 309 digits before its point, and the precision is bounded above.
      var buffer = [CChar](repeating: 0, count: 1536)
      let count = vsnprintf(&buffer, buffer.count, format, arguments)
      return String(decoding: buffer.prefix(Int(max(count, 0))).map(UInt8.init), as: UTF8.self)
    }
  }

  private func text(
    of value: Value, _ clause: Unicode.Scalar, _ precision: Int?
  ) throws(EvaluationError) -> String {
    switch clause {
    case "s": return try Self.plain(value)
    case "d":
      switch value {
      case .int(let number): return String(number)
      case .uint(let number): return String(number)
      case .double(let number): return doubleText(number)
      default: throw refused(value, "d", "numbers")
      }
    case "f", "e":
      guard let number = value.doubleValue else { throw refused(value, clause, "numbers") }
      guard number.isFinite else { return doubleText(number) }
      return Self.printed("%.\(precision ?? 6)\(clause)", number)
    case "b":
      if case .bool(let truth) = value { return truth ? "1" : "0" }
      return try integer(value, radix: 2, clause, "integers and bools")
    case "o": return try integer(value, radix: 8, clause, "integers")
    case "x", "X":
      let digits = try hexadecimal(value, clause)
      return clause == "X" ? digits.uppercased() : digits
    default: throw .argument("format has an unknown clause '%\(clause)'")
    }
  }

  private func refused(
    _ value: Value, _ clause: Unicode.Scalar, _ kinds: String
  ) -> EvaluationError {
    .argument("format clause '%\(clause)' requires \(kinds), found \(value.typeName)")
  }

  private func integer(
    _ value: Value, radix: Int, _ clause: Unicode.Scalar, _ kinds: String
  ) throws(EvaluationError) -> String {
    switch value {
    case .int(let number): return String(number, radix: radix)
    case .uint(let number): return String(number, radix: radix)
    default: throw refused(value, clause, kinds)
    }
  }

  private func hexadecimal(
    _ value: Value, _ clause: Unicode.Scalar
  ) throws(EvaluationError) -> String {
    switch value {
    case .string(let text): return Hexadecimal.text(Array(text.utf8))
    case .bytes(let bytes): return Hexadecimal.text(bytes)
    default: return try integer(value, radix: 16, clause, "integers, strings and bytes")
    }
  }

  /// The text of `%s`; the members of a map are sorted by the text of their keys.
  private static func plain(_ value: Value) throws(EvaluationError) -> String {
    switch value {
    case .null: return "null"
    case .type(let type): return type.name
    case .list(let elements):
      var texts: [String] = []
      for element in elements { texts.append(try plain(element)) }
      return "[\(texts.joined(separator: ", "))]"
    case .map(let map):
      var texts: [(key: String, value: String)] = []
      for entry in map.entries { texts.append((try plain(entry.key), try plain(entry.value))) }
      texts.sort { $0.key.precedesByScalars($1.key) }
      return "{\(texts.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}"
    case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .optional: throw .argument("format clause '%s' does not accept optional values")
    default:
      guard case .string(let text) = try Library.toString(value)
      else { throw .argument("format clause '%s' does not accept \(value.typeName)") }
      return text
    }
  }
}
