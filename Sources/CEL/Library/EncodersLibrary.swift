import Basics

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
          return .string(Base64.encode(bytes))
        }),
      Function(
        "base64.decode",
        .function(.string, returns: .bytes) { (arguments, meter) throws(EvaluationError) in
          guard case .string(let text) = arguments[0] else {
            throw .noOverload("'base64.decode'", arguments[0])
          }
          guard let bytes = Base64.decode(text) else { throw .argument("string is not base64") }
          return .bytes(bytes)
        }),
    ])
}
