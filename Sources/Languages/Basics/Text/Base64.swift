/// Base64 (RFC 4648).
package enum Base64 {
  private static let standard = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let forURLs = standard.dropLast(2) + Array("-_".utf8)
  private static let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, character) in standard.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// The standard alphabet with padding (§4).
  package static func encode(_ bytes: [UInt8]) -> String { encode(bytes, standard, isPadded: true) }

  /// The alphabet for URLs without padding (§5).
  package static func encodeForURL(_ bytes: [UInt8]) -> String {
    encode(bytes, Array(forURLs), isPadded: false)
  }

  private static func encode(_ bytes: [UInt8], _ alphabet: [UInt8], isPadded: Bool) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(bytes.count - start, 3)
      var bits = Int(bytes[start]) << 16
      if count > 1 { bits |= Int(bytes[start + 1]) << 8 }
      if count > 2 { bits |= Int(bytes[start + 2]) }
      for place in 0...count { text.append(alphabet[bits >> (18 - 6 * place) & 63]) }
      if isPadded { for _ in count..<3 { text.append(UInt8(ascii: "=")) } }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The octets of the standard alphabet, whose padding may be missing; `nil` for anything else.
  package static func decode(_ text: String) -> [UInt8]? {
    var digits = Array(text.utf8)[...]
    let missing = (4 - digits.count % 4) % 4
    guard missing < 3 else { return nil }
    for _ in missing..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    guard digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var (bits, width) = (0, 0)
    for digit in digits {
      guard let value = values[Int(digit)] else { return nil }
      bits = (bits << 6 | Int(value)) & 0xFFFF
      width += 6
      if width >= 8 {
        width -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> width))
      }
    }
    return bytes
  }
}
