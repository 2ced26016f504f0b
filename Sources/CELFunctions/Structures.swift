import Basics
import CEL

extension Library {
  /// Header fields and JSON.
  static let structureFunctions: [Function] = [
    Function(
      "header",
      .function(.map(.string, .dyn), .string, returns: .optional(.string)) {
        (arguments, _) throws(EvaluationError) in
        guard case (.map(let headers), .string(let name)) = (arguments[0], arguments[1]) else {
          throw EvaluationError(.noSuchOverload, "'header' takes a map and a name")
        }
        return .optional(try field(name, in: headers))
      }),
    unary("json", [.dyn], returns: .string) { (value) throws(EvaluationError) in
      .string(value.jsonText())
    },
    unary("jsonHeader", [.dyn], returns: .string) { (value) throws(EvaluationError) in
      .string(value.jsonText(escapingNonASCII: true))
    },
    Function(
      "parseJson",
      .function(.string, returns: .dyn) { (arguments, meter) throws(EvaluationError) in
        try parse(octets(arguments[0]), &meter)
      },
      .function(.bytes, returns: .dyn) { (arguments, meter) throws(EvaluationError) in
        try parse(octets(arguments[0]), &meter)
      }),
  ]

  /// The value of a header field; names are case-insensitive (RFC 9110 section 5.1).
  ///
  /// A list of values, from several lines of one field, is joined with commas
  /// (section 5.3).
  private static func field(
    _ name: String, in headers: MapValue
  ) throws(EvaluationError) -> Value? {
    let wanted = lowercase(name)
    for (key, value) in headers {
      guard case .string(let key) = key, lowercase(key) == wanted else { continue }
      switch value {
      case .string, .null: return value.isNull ? nil : value
      case .list(let lines):
        let texts = lines.compactMap(\.stringValue)
        guard texts.count == lines.count else { break }
        return texts.isEmpty ? nil : .string(texts.joined(separator: ", "))
      default: break
      }
      throw EvaluationError(
        .invalidArgument, "header field must be a string or a list of strings")
    }
    return nil
  }

  private static func lowercase(_ text: String) -> [UInt8] {
    text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
  }

  private static func parse(
    _ bytes: [UInt8], _ meter: inout Meter
  ) throws(EvaluationError) -> Value {
    // Two bytes of a document can make one element.
    try meter.charge(bytes.count / 2)
    do throws(JSONSyntaxError) {
      return try Value(json: bytes)
    } catch {
      throw EvaluationError(
        .invalidArgument, "string is not JSON: \(error.message) at byte \(error.offset)")
    }
  }
}
