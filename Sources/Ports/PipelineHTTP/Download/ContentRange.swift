/// The bytes that a partial response carries (RFC 9110 §14.4).
enum ContentRange: Equatable {
  /// From the first to the last byte, inclusive, of a representation with `total` bytes, or of an unknown number.
  case bytes(ClosedRange<Int64>, total: Int64?)
  /// None: the representation has `total` bytes, and the request asked for others.
  case unsatisfied(total: Int64)

  /// Reads a `Content-Range` field; `nil` if it is not one, or has numbers that cannot be.
  init?(_ text: String?) {
    guard let text, text.prefix(6).lowercased() == "bytes " else { return nil }
    let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let total = Self.number(parts[1])
    guard total != nil || parts[1] == "*" else { return nil }
    if parts[0] == "*" {
      guard let total else { return nil }
      self = .unsatisfied(total: total)
      return
    }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, last < total ?? .max
    else { return nil }
    self = .bytes(first...last, total: total)
  }

  /// Only digits: `Int64` would accept a sign.
  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy(\.isDigit) ? Int64(text) : nil
  }
}
