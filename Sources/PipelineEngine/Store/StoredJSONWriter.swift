import PipelineCore

/// Appends JSON text to bytes; the caller balances objects and arrays.
struct StoredJSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  init() { bytes.reserveCapacity(256) }

  mutating func object(_ key: String? = nil, _ body: (inout StoredJSONWriter) -> Void) {
    begin(key, UInt8(ascii: "{"))
    body(&self)
    end(UInt8(ascii: "}"))
  }

  mutating func array(_ key: String? = nil, _ body: (inout StoredJSONWriter) -> Void) {
    begin(key, UInt8(ascii: "["))
    body(&self)
    end(UInt8(ascii: "]"))
  }

  mutating func string(_ key: String? = nil, _ text: String) {
    prefix(key)
    quote(text)
  }

  mutating func int(_ key: String? = nil, _ number: some BinaryInteger) {
    prefix(key)
    bytes.append(contentsOf: String(number).utf8)
  }

  mutating func double(_ key: String? = nil, _ number: Double) {
    prefix(key)
    bytes.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
  }

  mutating func bool(_ key: String? = nil, _ flag: Bool) {
    prefix(key)
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  mutating func null(_ key: String? = nil) {
    prefix(key)
    bytes.append(contentsOf: "null".utf8)
  }

  private mutating func begin(_ key: String?, _ bracket: UInt8) {
    prefix(key)
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func prefix(_ key: String?) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    guard let key else { return }
    quote(key)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(Self.digits[Int(byte >> 4)])
        bytes.append(Self.digits[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
