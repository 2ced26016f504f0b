/// A set of response statuses: 100 to 599 (RFC 9110 §15), and 0 for no response.
package struct StatusSet: Hashable {
  private var words: SIMD16<UInt64>

  private init(_ words: SIMD16<UInt64>) { self.words = words }

  init(where holds: (Int64) -> Bool) {
    words = SIMD16(repeating: 0)
    if holds(0) { insert(0) }
    for status in Self.answered where holds(Int64(status)) { insert(status) }
  }

  init(_ range: ClosedRange<Int64>) {
    words = SIMD16(repeating: 0)
    let range = range.clamped(to: 0...599)
    for word in Int(range.lowerBound) / 64...Int(range.upperBound) / 64 {
      let lower = max(0, Int(range.lowerBound) - word * 64)
      let upper = min(63, Int(range.upperBound) - word * 64)
      words[word] = (UInt64.max >> UInt64(63 - upper)) & (UInt64.max << UInt64(lower))
    }
    words &= Self.all.words
  }

  init(_ numbers: [Int64]) {
    words = SIMD16(repeating: 0)
    for number in numbers where number == 0 || Self.answered.contains(Int(clamping: number)) {
      insert(Int(number))
    }
  }

  /// The statuses of actual responses, without 0.
  package static let answered = 100...599
  package static let none = StatusSet(SIMD16(repeating: 0))
  package static let all = StatusSet { _ in true }
  package static let success = StatusSet { (200...299).contains($0) }

  private mutating func insert(_ status: Int) { words[status / 64] |= 1 << UInt64(status % 64) }
  package var isEmpty: Bool { self == .none }
  var complement: Self { Self(Self.all.words & ~words) }
  func union(_ other: Self) -> Self { Self(words | other.words) }
  func intersection(_ other: Self) -> Self { Self(words & other.words) }
  package func subtracting(_ other: Self) -> Self { Self(words & ~other.words) }
}
