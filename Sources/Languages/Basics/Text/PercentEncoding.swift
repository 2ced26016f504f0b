/// Percent-encoding (RFC 3986 §2.1).
package enum PercentEncoding {
  /// Whether an octet means itself anywhere in a URL (RFC 3986 §2.3).
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || "-._~".utf8.contains(byte)
  }

  /// Encodes all octets but those that are kept.
  package static func encode(
    _ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool = isUnreserved
  ) -> [UInt8] {
    let digits = Hexadecimal.capitalDigits
    var result: [UInt8] = []
    result.reserveCapacity(bytes.underestimatedCount)
    for byte in bytes {
      if isKept(byte) {
        result.append(byte)
      } else {
        result.append(UInt8(ascii: "%"))
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
      }
    }
    return result
  }

  /// Encodes a text in UTF-8: all but the unreserved characters and those of `kept`.
  package static func encode(_ text: String, keeping kept: String = "") -> String {
    String(
      decoding: encode(text.utf8) { isUnreserved($0) || kept.utf8.contains($0) }, as: UTF8.self)
  }

  /// Undoes the encoding; `nil` where a percent sign does not start an escape, unless it is to be kept.
  package static func decode(
    _ bytes: some Sequence<UInt8>, keepingMalformed: Bool = false
  ) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        result.append(byte)
        continue
      }
      if rest.count >= 2, let octet = Hexadecimal.bytes(Array(rest.prefix(2))) {
        result += octet
        rest = rest.dropFirst(2)
      } else {
        guard keepingMalformed else { return nil }
        result.append(byte)
      }
    }
    return result
  }
}
