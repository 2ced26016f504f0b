import NIOCore

/// Writes one flat JSON object, which is all that the server's responses and its journal need.
struct JSONObject {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  init() {
    bytes.reserveCapacity(256)
  }

  /// Adds a member unless `value` is nil.
  mutating func add(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    begin(name)
    append(value)
  }

  /// Adds a member unless `value` is nil.
  mutating func add(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    begin(name)
    bytes.append(contentsOf: String(value).utf8)
  }

  /// The object's text.
  consuming func finished() -> [UInt8] {
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private mutating func begin(_ name: StaticString) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func append(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes.append(contentsOf: "\\u00\(byte < 0x10 ? "0" : "")\(digits)".utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
