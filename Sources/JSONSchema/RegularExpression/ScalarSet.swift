/// A set of Unicode scalars as a character class describes it.
struct ScalarSet: Sendable {
  private(set) var ranges: [ClosedRange<UInt32>] = []
  private(set) var properties: [(property: UnicodeProperty, isNegated: Bool)] = []
  private(set) var isNegated = false
  /// The results for ASCII, which most look-ups need.
  private var ascii: (low: UInt64, high: UInt64) = (0, 0)

  init(ranges: [ClosedRange<UInt32>] = []) {
    self.ranges = ranges
    seal()
  }

  /// The set of one scalar, without 128 look-ups.
  init(scalar: UInt32) {
    ranges = [scalar...scalar]
    if scalar < 64 { ascii.low = 1 << UInt64(scalar) }
    if (64..<128).contains(scalar) { ascii.high = 1 << UInt64(scalar - 64) }
  }

  init(property: UnicodeProperty, isNegated: Bool) {
    properties = [(property, isNegated)]
    seal()
  }

  mutating func insert(_ other: ScalarSet) {
    ranges += other.isNegated ? Self.complement(other.ranges) : other.ranges
    properties += other.properties
  }

  mutating func insert(_ range: ClosedRange<UInt32>) { ranges.append(range) }

  /// The set of all other scalars.
  var inverted: ScalarSet {
    var copy = self
    copy.isNegated.toggle()
    copy.seal()
    return copy
  }

  /// Sorts the ranges and computes the results for ASCII; required after insertions.
  mutating func seal() {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound.saturatingSuccessor {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    ranges = merged
    ascii = (0, 0)
    for value in UInt32(0)..<128 where compute(value) {
      if value < 64 {
        ascii.low |= 1 << UInt64(value)
      } else {
        ascii.high |= 1 << UInt64(value - 64)
      }
    }
  }

  func contains(_ value: UInt32) -> Bool {
    if value < 64 { return ascii.low & (1 << UInt64(value)) != 0 }
    if value < 128 { return ascii.high & (1 << UInt64(value - 64)) != 0 }
    return compute(value)
  }

  private func compute(_ value: UInt32) -> Bool {
    var isMember = CodePointTable.contains(value, in: ranges)
    if !isMember, !properties.isEmpty, let scalar = Unicode.Scalar(value) {
      isMember = properties.contains { $0.property.contains(scalar) != $0.isNegated }
    }
    return isMember != isNegated
  }

  private static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
      next = range.upperBound.saturatingSuccessor
    }
    if next <= 0x10FFFF { result.append(next...0x10FFFF) }
    return result
  }
}

extension UInt32 {
  fileprivate var saturatingSuccessor: UInt32 { self == .max ? self : self + 1 }
}

extension ScalarSet {
  /// `\d`: only ASCII digits (ECMA-262 §22.2.2.9).
  static let digits = ScalarSet(ranges: [0x30...0x39])
  /// `\w`: ASCII letters, digits and the underscore.
  static let word = ScalarSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  /// `\s`: white space and line terminators (ECMA-262 §12.2, §12.3).
  static let space = ScalarSet(ranges: [
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])
  /// `.`: everything but line terminators.
  static let dot = ScalarSet(
    ranges: [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]
  ).inverted
}
