import Basics

extension Library {
  /// `base64.encode(bytes)` and `base64.decode(string)`, the latter with or without padding.
  public static let encoders = Library(
    name: "encoders",
    functions: [
      Function(
        "base64.encode",
        .function(.bytes, returns: .string) { (arguments, _) throws(EvaluationError) in
          .string(Base64.encode(arguments[0].bytesValue ?? []))
        }),
      Function(
        "base64.decode",
        .function(.string, returns: .bytes) { (arguments, _) throws(EvaluationError) in
          guard let bytes = Base64.decode(arguments.text(0)) else {
            throw .argument("string is not base64")
          }
          return .bytes(bytes)
        }),
    ])
}
