/// A JSON number with its exact text, compared by mathematical value without rounding.
public struct JSONNumber: Sendable {
  /// The number as written, in the grammar of RFC 8259 §6.
  public let text: String

  /// A number from its text, or `nil` if the text is not a JSON number.
  public init?(text: String) {
    var copy = text
    let isNumber = copy.withUTF8 { bytes in
      var scanner = JSONScanner(bytes: bytes, maximumDepth: 0)
      return !bytes.isEmpty && (try? scanner.number()) != nil && scanner.index == bytes.count
    }
    guard isNumber else { return nil }
    self.text = text
  }

  /// A number from an integer.
  public init(_ integer: some BinaryInteger) { text = String(integer) }
  init(checked text: String) { self.text = text }

  /// Whether the value has no fractional part: as of `1.0` and `1e3`.
  public var isInteger: Bool {
    if smallInteger != nil { return true }
    let decimal = self.decimal
    return decimal.isZero || decimal.exponent >= 0
  }

  /// The value when it is an integer within `Int`'s range.
  public var integer: Int? {
    if let small = smallInteger { return Int(small) }
    let decimal = self.decimal
    if decimal.isZero { return 0 }
    guard decimal.exponent >= 0, decimal.exponent + decimal.digits.count <= 19 else { return nil }
    let digits = decimal.digits.map { Character(Unicode.Scalar($0 + 0x30)) }
    return Int(
      (decimal.isNegative ? "-" : "") + String(digits)
        + String(repeating: "0", count: decimal.exponent))
  }

  /// Whether this is an integral multiple, computed exactly; a divisor of zero divides only zero.
  public func isMultiple(of divisor: JSONNumber) -> Bool {
    if let left = smallInteger, let right = divisor.smallInteger, right != 0 {
      return left % right == 0
    }
    return decimal.isMultiple(of: divisor.decimal)
  }

  /// The value when its text is a plain integer of at most 18 digits.
  var smallInteger: Int64? {
    let bytes = text.utf8
    guard bytes.count <= 18 else { return nil }
    var value: Int64 = 0
    var isNegative = false
    for byte in bytes {
      if byte == 0x2D, value == 0, !isNegative {
        isNegative = true
        continue
      }
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    return isNegative ? -value : value
  }

  var decimal: Decimal { Decimal(text.utf8) }
}

extension JSONNumber: Hashable, Comparable {
  /// Whether both have the same mathematical value.
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    if let small = left.smallInteger, let other = right.smallInteger { return small == other }
    return left.decimal == right.decimal
  }

  /// Whether the mathematical value of `left` is less than that of `right`.
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    if let small = left.smallInteger, let other = right.smallInteger { return small < other }
    return left.decimal.isLess(than: right.decimal)
  }

  /// Feeds the mathematical value.
  public func hash(into hasher: inout Hasher) { hasher.combine(decimal) }
}

extension JSONNumber: CustomStringConvertible {
  /// The number as written.
  public var description: String { text }
}

/// `±0.d₁d₂…` scaled: digits without outer zeros, times a power of ten.
struct Decimal: Hashable {
  /// Exponents saturate here; digits of a bounded text cannot reach it.
  private static let exponentLimit = 1_000_000_000_000
  private(set) var isNegative = false
  /// Decimal digits, most significant first, neither leading nor trailing zero; empty for zero.
  private(set) var digits: [UInt8] = []
  /// The value is `digits × 10^exponent`.
  private(set) var exponent = 0
  var isZero: Bool { digits.isEmpty }

  init(_ text: some Sequence<UInt8>) {
    var inFraction = false
    var inExponent = false
    var exponentIsNegative = false
    var written = 0
    for byte in text {
      switch byte {
      case 0x2D where inExponent: exponentIsNegative = true
      case 0x2D: isNegative = true
      case 0x2E: inFraction = true
      case 0x65, 0x45: inExponent = true
      case 0x30...0x39 where inExponent:
        written = min(written * 10 + Int(byte - 0x30), Self.exponentLimit)
      case 0x30...0x39:
        if inFraction { exponent -= 1 }
        if byte != 0x30 || !digits.isEmpty { digits.append(byte - 0x30) }
      default: break
      }
    }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    exponent += exponentIsNegative ? -written : written
    if digits.isEmpty {
      isNegative = false
      exponent = 0
    }
  }

  func isLess(than other: Decimal) -> Bool {
    if isNegative != other.isNegative { return isNegative }
    let order = magnitudeOrder(other)
    return isNegative ? order > 0 : order < 0
  }

  /// Negative, zero or positive if the magnitude is less, equal or greater.
  private func magnitudeOrder(_ other: Decimal) -> Int {
    if isZero || other.isZero { return (isZero ? 0 : 1) - (other.isZero ? 0 : 1) }
    let place = digits.count + exponent
    let otherPlace = other.digits.count + other.exponent
    if place != otherPlace { return place < otherPlace ? -1 : 1 }
    for (left, right) in zip(digits, other.digits) where left != right {
      return left < right ? -1 : 1
    }
    return digits.count - other.digits.count
  }

  func isMultiple(of divisor: Decimal) -> Bool {
    if isZero { return true }
    if divisor.isZero { return false }
    // The digits end in no zero, so they cannot absorb a larger power of ten.
    guard exponent >= divisor.exponent else { return false }
    // After this many zeros, powers of two and five in the divisor are exhausted.
    let zeros = min(exponent - divisor.exponent, 4 * divisor.digits.count)
    if divisor.digits.count <= 18 {
      let modulus = divisor.digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
      var remainder: UInt64 = 0
      for index in 0..<(digits.count + zeros) {
        let digit = index < digits.count ? UInt64(digits[index]) : 0
        let (high, low) = remainder.multipliedFullWidth(by: 10)
        let (sum, carried) = low.addingReportingOverflow(digit)
        remainder = modulus.dividingFullWidth((high + (carried ? 1 : 0), sum)).remainder
      }
      return remainder == 0
    }
    var remainder = LongRemainder(modulus: divisor.digits)
    for index in 0..<(digits.count + zeros) {
      remainder.push(index < digits.count ? digits[index] : 0)
    }
    return remainder.isZero
  }
}

/// The remainder of a number fed digit by digit, for a modulus of any length.
private struct LongRemainder {
  /// Limbs in base 10^9, least significant first.
  private let modulus: [UInt32]
  private var value: [UInt32]

  init(modulus digits: [UInt8]) {
    var limbs: [UInt32] = []
    var index = digits.count
    while index > 0 {
      let start = max(0, index - 9)
      limbs.append(digits[start..<index].reduce(0) { $0 * 10 + UInt32($1) })
      index = start
    }
    limbs.append(0)
    modulus = limbs
    value = [UInt32](repeating: 0, count: limbs.count)
  }

  var isZero: Bool { value.allSatisfy { $0 == 0 } }

  mutating func push(_ digit: UInt8) {
    var carry = UInt64(digit)
    for index in value.indices {
      let product = UInt64(value[index]) * 10 + carry
      value[index] = UInt32(product % 1_000_000_000)
      carry = product / 1_000_000_000
    }
    while !isLessThanModulus { subtractModulus() }
  }

  private var isLessThanModulus: Bool {
    for index in value.indices.reversed() where value[index] != modulus[index] {
      return value[index] < modulus[index]
    }
    return false
  }

  private mutating func subtractModulus() {
    var borrow: Int64 = 0
    for index in value.indices {
      var difference = Int64(value[index]) - Int64(modulus[index]) - borrow
      borrow = difference < 0 ? 1 : 0
      if difference < 0 { difference += 1_000_000_000 }
      value[index] = UInt32(difference)
    }
  }
}
