#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Library {
  /// `base64.encode(bytes)` and `base64.decode(string)`, the latter with or without padding.
  public static let encoders = Library(
    name: "encoders",
    functions: [
      Function(
        "base64.encode",
        .function(.bytes, returns: .string) { (arguments, meter) throws(EvaluationError) in
          guard case .bytes(let bytes) = arguments[0] else {
            throw .noOverload("'base64.encode'", arguments[0])
          }
          return .string(base64Text(bytes))
        }),
      Function(
        "base64.decode",
        .function(.string, returns: .bytes) { (arguments, meter) throws(EvaluationError) in
          guard case .string(let text) = arguments[0] else {
            throw .noOverload("'base64.decode'", arguments[0])
          }
          guard let bytes = decodeBase64(text) else { throw .argument("string is not base64") }
          return .bytes(bytes)
        }),
    ])
}

/// The bytes of standard base64 (RFC 4648 section 4), with optional padding.
func decodeBase64(_ text: String) -> [UInt8]? {
  let missing = (4 - text.utf8.count % 4) % 4
  guard missing < 3 else { return nil }
  let padded = text + String(repeating: "=", count: missing)
  return Data(base64Encoded: padded).map(Array.init)
}

/// Standard base64 with padding, RFC 4648 section 4.
func base64Text(_ bytes: [UInt8]) -> String {
  Data(bytes).base64EncodedString()
}
