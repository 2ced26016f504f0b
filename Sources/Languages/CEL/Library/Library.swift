/// A set of functions and constants for an environment.
public struct Library: Sendable {
  /// A function: a name, possibly qualified as `math.abs` is, and its signatures.
  public struct Function: Sendable {
    public let name: String
    /// The signatures; a call must match one of them.
    public let overloads: [Overload]

    /// A function.
    public init(_ name: String, _ overloads: Overload...) {
      (self.name, self.overloads) = (name, overloads)
    }

    /// A function.
    public init(_ name: String, overloads: [Overload]) {
      (self.name, self.overloads) = (name, overloads)
    }
  }

  /// The name of the library.
  public let name: String
  public let functions: [Function]
  /// Its constants by name.
  public let constants: [(name: String, value: Value)]
  let macros: Set<Macro>

  /// A library of functions and constants.
  public init(name: String, functions: [Function], constants: [(String, Value)] = []) {
    self.init(name: name, functions: functions, constants: constants, macros: [])
  }

  init(name: String, functions: [Function], constants: [(String, Value)] = [], macros: Set<Macro>) {
    (self.name, self.functions) = (name, functions)
    self.constants = constants.map { (name: $0.0, value: $0.1) }
    self.macros = macros
  }

  /// Every library of this module: the standard one and the extensions.
  public static let all: [Library] = [
    .standard, .strings, .patterns, .encoders, .math, .optionals, .bindings,
  ]

  /// `cel.bind(name, value, expression)`: a name for a value within an expression.
  public static let bindings = Library(name: "bindings", functions: [], macros: [.bind])

  /// `base64.encode(bytes)` and `base64.decode(string)`, the latter with or without padding.
  public static let encoders = Library(
    name: "encoders",
    functions: [
      function("base64.encode", .bytes, returns: .string) {
        (arguments, _) throws(EvaluationError) in
        .string(Base64.encode(arguments[0].bytesValue ?? []))
      },
      function("base64.decode", .string, returns: .bytes) {
        (arguments, _) throws(EvaluationError) in
        guard let bytes = Base64.decode(arguments.text(0))
        else { throw .argument("string is not base64") }
        return .bytes(bytes)
      },
    ])
}
