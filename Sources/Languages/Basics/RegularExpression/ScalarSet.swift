/// A set of Unicode scalars as a character class describes it.
package struct ScalarSet: Sendable {
  package private(set) var ranges: [ClosedRange<UInt32>] = []
  package private(set) var properties: [(property: UnicodeProperty, isNegated: Bool)] = []
  package private(set) var isNegated = false
  private var ignoresCase = false
  /// The results for ASCII, which most look-ups need.
  private var ascii: UInt128 = 0

  package init(ranges: [ClosedRange<UInt32>] = [], ignoresCase: Bool = false) {
    (self.ranges, self.ignoresCase) = (ranges, ignoresCase)
    seal()
  }

  /// The set of one scalar, without 128 look-ups.
  package init(scalar: UInt32) {
    ranges = [scalar...scalar]
    if scalar < 128 { ascii = 1 << UInt128(scalar) }
  }

  package init(property: UnicodeProperty, isNegated: Bool, ignoresCase: Bool = false) {
    properties = [(property, isNegated)]
    self.ignoresCase = ignoresCase
    seal()
  }

  package mutating func insert(_ other: ScalarSet) {
    ranges += other.isNegated ? Self.complement(other.ranges) : other.ranges
    properties += other.properties
  }

  package mutating func insert(_ range: ClosedRange<UInt32>) { ranges.append(range) }

  package var inverted: ScalarSet {
    var copy = self
    copy.isNegated.toggle()
    copy.seal()
    return copy
  }

  /// Sorts the ranges and computes the results for ASCII; required after insertions.
  package mutating func seal() {
    if ignoresCase {
      // Small ranges get the form of their members that all variants share.
      for range in ranges where range.count <= 512 {
        for scalar in range {
          let canonical = scalar.canonicalCase
          if canonical != scalar { ranges.append(canonical...canonical) }
        }
      }
    }
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound.saturatingSuccessor {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    ranges = merged
    ascii = 0
    for value in UInt32(0)..<128 where compute(value) { ascii |= 1 << UInt128(value) }
  }

  package func contains(_ value: UInt32) -> Bool {
    value < 128 ? ascii &>> UInt128(value) & 1 == 1 : compute(value)
  }

  private func compute(_ value: UInt32) -> Bool {
    var isMember = holds(value)
    if !isMember, ignoresCase { isMember = holds(value.canonicalCase) || holds(value.upperCase) }
    return isMember != isNegated
  }

  private func holds(_ value: UInt32) -> Bool {
    if CodePointTable.contains(value, in: ranges) { return true }
    guard !properties.isEmpty, let scalar = Unicode.Scalar(value) else { return false }
    return properties.contains { $0.property.contains(scalar) != $0.isNegated }
  }

  package static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
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

  /// The form of a scalar that all its case variants share.
  package var canonicalCase: UInt32 {
    if self < 0x80 { return (0x41...0x5A).contains(self) ? self + 0x20 : self }
    let upper = upperCase
    return Self.single(Unicode.Scalar(upper)?.properties.lowercaseMapping) ?? upper
  }

  fileprivate var upperCase: UInt32 {
    if self < 0x80 { return (0x61...0x7A).contains(self) ? self - 0x20 : self }
    return Self.single(Unicode.Scalar(self)?.properties.uppercaseMapping) ?? self
  }

  private static func single(_ text: String?) -> UInt32? {
    guard let scalars = text?.unicodeScalars, scalars.count == 1 else { return nil }
    return scalars.first?.value
  }
}

extension ScalarSet {
  package static let all = ScalarSet(ranges: [0...0x10FFFF])
  /// `\d`: only ASCII digits (ECMA-262 §22.2.2.9).
  package static let digits = ScalarSet(ranges: [0x30...0x39])
  /// `\w`, and the words of `\b`: ASCII letters, digits and the underscore (ECMA-262 §22.2.2.9.4).
  package static let word = ScalarSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  /// `\s`: white space and line terminators (ECMA-262 §12.2, §12.3).
  package static let space = ScalarSet(ranges: [
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])
  /// `.`: everything but line terminators.
  package static let dot = ScalarSet(ranges: [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).inverted
}
