/// The value of a scalar under the core schema of YAML 1.2 (YAML 1.2.2 §10.3.2).
public enum CoreValue: Hashable, Sendable {
  /// `null`, `Null`, `NULL`, `~` or nothing.
  case null
  /// `true` or `false`, also with a capital or in capitals. `yes`, `no`, `on`, `off` are strings.
  case bool(Bool)
  /// A decimal, `0o` octal or `0x` hexadecimal integer within 64 bits.
  case int(Int64)
  /// The text of an integer beyond 64 bits, as written.
  case bigInt(String)
  /// A number with a fraction or an exponent, `.inf` or `.nan`.
  case double(Double)
  /// Anything else, and every quoted or block scalar without a tag.
  case string(String)
}

extension YAMLScalar {
  /// The value by a core tag, or by the text of a plain scalar; otherwise a string.
  public var value: CoreValue {
    guard tag == nil else { return taggedValue ?? .string(text) }
    return style == .plain ? CoreValue(plain: text) : .string(text)
  }

  var contradictsTag: Bool { coreTag != nil && taggedValue == nil }

  /// The core tag without its prefix.
  private var coreTag: String? {
    ["null", "bool", "int", "float"].first { tag == "tag:yaml.org,2002:" + $0 }
  }

  /// The value by its core tag; `nil` if the text does not match it, and for any other tag.
  private var taggedValue: CoreValue? {
    let value = CoreValue(plain: text)
    switch (coreTag, value) {
    case ("null", .null), ("bool", .bool), ("int", .int), ("int", .bigInt), ("float", .double):
      return value
    case ("float", .int(let integer)): return .double(Double(integer))
    case ("float", .bigInt(let digits)):
      return Double(digits).map(CoreValue.double) ?? .string(text)
    default: return nil
    }
  }
}

extension CoreValue {
  /// Resolves the text of a plain scalar.
  public init(plain text: String) {
    var copy = text
    self = copy.withUTF8 { CoreValue.resolve($0) } ?? .string(text)
  }

  private static func resolve(_ bytes: UnsafeBufferPointer<UInt8>) -> CoreValue? {
    guard let first = bytes.first else { return .null }
    // The first byte rules out almost every string before any comparison.
    switch first {
    case UInt8(ascii: "~"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "t"),
      UInt8(ascii: "T"), UInt8(ascii: "f"), UInt8(ascii: "F"):
      return bytes.count <= 5 ? word(String(decoding: bytes, as: UTF8.self)) : nil
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      return number(bytes)
    default: return nil
    }
  }

  private static func word(_ text: String) -> CoreValue? {
    switch text {
    case "null", "Null", "NULL", "~": .null
    case "true", "True", "TRUE": .bool(true)
    case "false", "False", "FALSE": .bool(false)
    default: nil
    }
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> CoreValue? {
    if bytes.count > 2, bytes[0] == UInt8(ascii: "0") {
      if bytes[1] == UInt8(ascii: "o") { return prefixed(bytes, radix: 8) }
      if bytes[1] == UInt8(ascii: "x") { return prefixed(bytes, radix: 16) }
    }
    let signed = bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-")
    var index = signed ? 1 : 0
    let whole = digits(bytes, from: &index)
    if whole > 0, index == bytes.count {
      let text = String(decoding: bytes, as: UTF8.self)
      return Int64(text).map(CoreValue.int) ?? .bigInt(text)
    }
    var fraction = 0
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      fraction = digits(bytes, from: &index)
      if whole == 0, fraction == 0 { return special(bytes, signed: signed) }
    }
    guard whole + fraction > 0 else { return nil }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.count, "+-".utf8.contains(bytes[index]) { index += 1 }
      guard digits(bytes, from: &index) > 0 else { return nil }
    }
    guard index == bytes.count else { return nil }
    return Double(String(decoding: bytes, as: UTF8.self)).map(CoreValue.double)
  }

  private static func prefixed(_ bytes: UnsafeBufferPointer<UInt8>, radix: Int) -> CoreValue? {
    let body = bytes.dropFirst(2)
    guard body.allSatisfy({ Hexadecimal.value($0).map { $0 < radix } ?? false }) else { return nil }
    return Int64(String(decoding: body, as: UTF8.self), radix: radix).map(CoreValue.int)
      ?? .bigInt(String(decoding: bytes, as: UTF8.self))
  }

  private static func special(_ bytes: UnsafeBufferPointer<UInt8>, signed: Bool) -> CoreValue? {
    switch String(decoding: bytes.dropFirst(signed ? 1 : 0), as: UTF8.self) {
    case ".inf", ".Inf", ".INF": .double(bytes[0] == UInt8(ascii: "-") ? -.infinity : .infinity)
    case ".nan", ".NaN", ".NAN": signed ? nil : .double(.nan)
    default: nil
    }
  }

  private static func digits(_ bytes: UnsafeBufferPointer<UInt8>, from index: inout Int) -> Int {
    let start = index
    while index < bytes.count, bytes[index].isDigit { index += 1 }
    return index - start
  }
}
