extension Library {
  /// Optional values: `optional.of`, `a.?b`, `a[?b]`, `orValue` and so on.
  public static let optionals = Library(
    name: "optionals", functions: optionalFunctions,
    constants: [("optional_type", .type(.optional))], macros: [.optMap, .optFlatMap])

  private static let optionalFunctions: [Function] = {
    let value = ValueType.parameter("V")
    let optional = ValueType.optional(value)
    func constant(
      _ name: String, _ parameters: [ValueType], _ result: ValueType, isMethod: Bool = true,
      _ body: @escaping Overload.Body
    ) -> Function {
      Function(name, Overload(parameters, result, isMethod: isMethod, cost: .constant, body: body))
    }
    return [
      constant("optional.of", [value], optional, isMethod: false) { (arguments, _) in
        .optional(arguments[0])
      },
      constant("optional.ofNonZeroValue", [value], optional, isMethod: false) { (arguments, _) in
        .optional(arguments[0].isZero ? nil : arguments[0])
      },
      constant("optional.none", [], optional, isMethod: false) { (_, _) in .optional(nil) },
      constant("hasValue", [optional], .bool) { (arguments, _) in
        if case .optional(nil) = arguments[0] { false } else { true }
      },
      constant("value", [optional], value) { (arguments, _) throws(EvaluationError) in
        guard case .optional(let wrapped?) = arguments[0]
        else { throw EvaluationError(.absentValue, "optional value is absent") }
        return wrapped
      },
      constant("or", [optional, optional], optional) { (arguments, _) in
        if case .optional(nil) = arguments[0] { arguments[1] } else { arguments[0] }
      },
      constant("orValue", [optional, value], value) { (arguments, _) in
        if case .optional(let wrapped?) = arguments[0] { wrapped } else { arguments[1] }
      },
      Function("optional.unwrap", .function(.list(optional), returns: .list(value), body: unwrap)),
      Function("unwrapOpt", .method(.list(optional), returns: .list(value), body: unwrap)),
      constant("first", [.list(value)], optional) { (arguments, _) in
        .optional(arguments[0].listValue?.first)
      },
      constant("last", [.list(value)], optional) { (arguments, _) in
        .optional(arguments[0].listValue?.last)
      },
    ]
  }()

  private static let unwrap: Overload.Body = { (arguments, _) throws(EvaluationError) in
    var values: [Value] = []
    for element in arguments[0].listValue ?? [] {
      guard case .optional(let wrapped) = element else { throw .noOverload("'unwrap'", element) }
      if let wrapped { values.append(wrapped) }
    }
    return .list(values)
  }
}

extension Value {
  /// Whether this is the default value of its kind: `0`, `""`, `[]` and so on.
  fileprivate var isZero: Bool {
    switch self {
    case .null: true
    case .bool(let value): !value
    case .int(let value): value == 0
    case .uint(let value): value == 0
    case .double(let value): value == 0
    case .string(let value): value.isEmpty
    case .bytes(let value): value.isEmpty
    case .list(let value): value.isEmpty
    case .map(let value): value.isEmpty
    case .timestamp(let value): value.seconds == 0 && value.nanoseconds == 0
    case .duration(let value): value == .zero
    case .type: false
    case .optional(let value): value == nil
    }
  }
}
