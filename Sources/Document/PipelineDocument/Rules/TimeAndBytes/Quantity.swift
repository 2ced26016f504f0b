/// Times and sizes in messages: exact, because readers check the sums.
enum Quantity {
  /// For example `59 min`, `7 d`, `90 s`, `1 h 30 min`; in seconds below two minutes.
  package static func text(_ duration: Duration) -> String {
    let milliseconds = duration.milliseconds
    guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
    if milliseconds < 120_000 {
      let fraction = milliseconds % 1000
      guard fraction > 0 else { return "\(milliseconds / 1000) s" }
      var digits = String(String(fraction + 1000).dropFirst())
      while digits.hasSuffix("0") { digits.removeLast() }
      return "\(milliseconds / 1000).\(digits) s"
    }
    return parts(milliseconds).map { "\($0.count) \($0.unit == "m" ? "min" : $0.unit)" }
      .joined(separator: " ")
  }

  package static func literal(_ duration: Duration) -> String {
    let parts = parts(duration.milliseconds)
    return parts.isEmpty ? "0s" : parts.map { "\($0.count)\($0.unit)" }.joined()
  }

  /// A size in the unit, binary or decimal, that results in the smallest integer.
  package static func text(bytes: Int64) -> String {
    let whole = sizes.filter { bytes > 0 && bytes % $0.bytes == 0 }
    guard let best = whole.max(by: { $0.bytes < $1.bytes }) else { return "\(bytes) B" }
    return "\(bytes / best.bytes) \(best.unit)"
  }

  private static let sizes: [(unit: String, bytes: Int64)] = [
    ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10),
    ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000),
  ]

  private static func parts(_ milliseconds: Int64) -> [(count: Int64, unit: String)] {
    var rest = milliseconds
    var parts: [(Int64, String)] = []
    let units: [(String, Int64)] = [
      ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]
    for (unit, length) in units where rest >= length {
      parts.append((rest / length, unit))
      rest %= length
    }
    return parts
  }
}

extension Int64 {
  func adding(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// The product of two non-negative numbers, clamped to the range.
  package func times(_ other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}
