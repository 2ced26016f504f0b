/// Reads single scalars out of UTF-8 bytes (RFC 3629 §4: no overlong forms, no surrogates).
enum UTF8Decoder {
  /// The scalar at `offset` and its length in bytes, or nil if the bytes are not UTF-8.
  static func scalar(
    in bytes: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> (scalar: Unicode.Scalar, length: Int)? {
    let lead = bytes[offset]
    let length: Int
    var value: UInt32
    switch lead {
    case 0x00...0x7F: return (Unicode.Scalar(lead), 1)
    case 0xC2...0xDF: (length, value) = (2, UInt32(lead & 0x1F))
    case 0xE0...0xEF: (length, value) = (3, UInt32(lead & 0x0F))
    case 0xF0...0xF4: (length, value) = (4, UInt32(lead & 0x07))
    default: return nil
    }
    guard offset + length <= bytes.count else { return nil }
    for index in (offset + 1)..<(offset + length) {
      guard bytes[index] & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(bytes[index] & 0x3F)
    }
    let smallest: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
    guard value >= smallest, let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, length)
  }

  /// The number of bytes of the character that begins with `lead`, in text known to be UTF-8.
  static func length(ofLead lead: UInt8) -> Int {
    switch lead {
    case 0x00...0xBF: 1
    case 0xC0...0xDF: 2
    case 0xE0...0xEF: 3
    default: 4
    }
  }
}
