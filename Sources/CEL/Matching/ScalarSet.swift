/// A class of code points, such as `[a-z\d]` or `\p{Lu}`.
struct ScalarSet: Sendable {
  /// A part defined by a Unicode property.
  struct Property: Sendable {
    let name: String
    let isNegated: Bool
    let contains: @Sendable (Unicode.Scalar) -> Bool
  }

  var ranges: [ClosedRange<UInt32>] = []
  var properties: [Property] = []
  var isNegated = false
  var ignoresCase = false

  func contains(_ scalar: UInt32) -> Bool {
    var isMember = holds(scalar)
    if !isMember, ignoresCase {
      isMember = holds(canonicalCase(scalar)) || holds(upperCase(scalar))
    }
    return isMember != isNegated
  }

  private func holds(_ scalar: UInt32) -> Bool {
    for range in ranges where range.contains(scalar) { return true }
    guard !properties.isEmpty, let scalar = Unicode.Scalar(scalar) else { return false }
    for property in properties where property.contains(scalar) != property.isNegated {
      return true
    }
    return false
  }

  /// Overlapping ranges become one, and small ones get the canonical case of their members.
  mutating func normalize() {
    if ignoresCase {
      for range in ranges where range.count <= 512 {
        for scalar in range {
          let canonical = canonicalCase(scalar)
          if canonical != scalar { ranges.append(canonical...canonical) }
        }
      }
    }
    ranges.sort { $0.lowerBound < $1.lowerBound }
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    ranges = merged
  }

  /// The complement of the ranges.
  static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
      next = max(next, range.upperBound + 1)
    }
    if next <= 0x10FFFF { result.append(next...0x10FFFF) }
    return result
  }

  static let digit: [ClosedRange<UInt32>] = [0x30...0x39]
  static let space: [ClosedRange<UInt32>] = [0x09...0x0A, 0x0C...0x0D, 0x20...0x20]
  static let word: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]

  /// The POSIX classes of ASCII, as in `[[:alpha:]]`.
  static let named: [String: [ClosedRange<UInt32>]] = [
    "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A],
    "alpha": [0x41...0x5A, 0x61...0x7A],
    "ascii": [0...0x7F],
    "blank": [0x09...0x09, 0x20...0x20],
    "cntrl": [0...0x1F, 0x7F...0x7F],
    "digit": digit,
    "graph": [0x21...0x7E],
    "lower": [0x61...0x7A],
    "print": [0x20...0x7E],
    "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E],
    "space": [0x09...0x0D, 0x20...0x20],
    "upper": [0x41...0x5A],
    "word": word,
    "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66],
  ]
}

/// The form of a scalar that all its case variants share.
func canonicalCase(_ scalar: UInt32) -> UInt32 {
  if scalar < 0x80 { return (0x41...0x5A).contains(scalar) ? scalar + 0x20 : scalar }
  return lowerCase(upperCase(scalar))
}

private func lowerCase(_ scalar: UInt32) -> UInt32 {
  single(Unicode.Scalar(scalar)?.properties.lowercaseMapping) ?? scalar
}

func upperCase(_ scalar: UInt32) -> UInt32 {
  if scalar < 0x80 { return (0x61...0x7A).contains(scalar) ? scalar - 0x20 : scalar }
  return single(Unicode.Scalar(scalar)?.properties.uppercaseMapping) ?? scalar
}

private func single(_ text: String?) -> UInt32? {
  guard let scalars = text?.unicodeScalars, scalars.count == 1 else { return nil }
  return scalars.first?.value
}
