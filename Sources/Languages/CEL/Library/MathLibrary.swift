extension Library {
  /// Numeric functions under `math.`: extremes, rounding, bits, signs and floating-point tests.
  public static let math = Library(
    name: "math", functions: extremes + rounding + signs + bits, macros: [.greatest, .least])

  private static let numbers: [ValueType] = [.int, .uint, .double]

  private static let extremes: [Function] = [
    extreme("math.@max") { $0 == .after }, extreme("math.@min") { $0 == .before },
  ]

  private static func extreme(
    _ name: String, replaces: @escaping @Sendable (Order) -> Bool
  ) -> Function {
    let body: Overload.Body = { (arguments, meter) throws(EvaluationError) in
      var candidates = arguments
      if arguments.count == 1, case .list(let elements) = arguments[0] { candidates = elements }
      guard var best = candidates.first else { throw .argument("list is empty") }
      for candidate in candidates {
        guard candidate.doubleValue != nil, let order = try compare(candidate, best, &meter) else {
          throw .noOverload(name == "math.@max" ? "'math.greatest'" : "'math.least'", candidate)
        }
        if replaces(order) { best = candidate }
      }
      return best
    }
    var overloads: [Overload] = []
    for type in numbers {
      overloads.append(.function(type, returns: type, body: body))
      overloads.append(.function(.list(type), returns: type, body: body))
      for other in numbers {
        overloads.append(.function(type, other, returns: type == other ? type : .dyn, body: body))
      }
    }
    return Function(name, overloads: overloads)
  }

  private static func double(
    _ name: String, returns result: ValueType = .double,
    _ body: @escaping @Sendable (Double) -> Value
  ) -> Function {
    unary(name, [.double], returns: result) { body($0.doubleValue ?? .nan) }
  }

  private static let rounding: [Function] = [
    double("math.ceil") { .double($0.rounded(.up)) },
    double("math.floor") { .double($0.rounded(.down)) },
    double("math.round") { .double($0.rounded(.toNearestOrAwayFromZero)) },
    double("math.trunc") { .double($0.rounded(.towardZero)) },
    double("math.isNaN", returns: .bool) { .bool($0.isNaN) },
    double("math.isInf", returns: .bool) { .bool($0.isInfinite) },
    double("math.isFinite", returns: .bool) { .bool($0.isFinite) },
    unary("math.sqrt", numbers, returns: .double) {
      .double(($0.doubleValue ?? .nan).squareRoot())
    },
  ]

  private static let signs: [Function] = [
    unary("math.abs", numbers) { (value) throws(EvaluationError) in
      switch value {
      case .int(let number):
        if number == .min { throw EvaluationError(.overflow, "int overflows") }
        return .int(abs(number))
      case .double(let number): return .double(number.magnitude)
      default: return value
      }
    },
    unary("math.sign", numbers) { (value) throws(EvaluationError) in
      switch value {
      case .int(let number): .int(number.signum())
      case .uint(let number): .uint(number == 0 ? 0 : 1)
      case .double(let number): number.isNaN || number == 0 ? value : .double(number < 0 ? -1 : 1)
      default: value
      }
    },
  ]

  private static func bitwise(
    _ name: String, _ int: @escaping @Sendable (Int64, Int64) -> Int64,
    _ uint: @escaping @Sendable (UInt64, UInt64) -> UInt64
  ) -> Function {
    let body: Overload.Body = { (arguments, _) throws(EvaluationError) in
      switch (arguments[0], arguments[1]) {
      case (.int(let a), .int(let b)): return .int(int(a, b))
      case (.uint(let a), .uint(let b)): return .uint(uint(a, b))
      default: throw .noOverload("'\(name)'", arguments[0], arguments[1])
      }
    }
    return Function(
      name, .function(.int, .int, returns: .int, body: body),
      .function(.uint, .uint, returns: .uint, body: body))
  }

  /// Shifts are logical: the sign is not extended, and a shift by 64 or more results in 0.
  private static func shift(
    _ name: String, _ shift: @escaping @Sendable (UInt64, Int64) -> UInt64
  ) -> Function {
    let body: Overload.Body = { (arguments, _) throws(EvaluationError) in
      guard case .int(let places) = arguments[1]
      else { throw .noOverload("'\(name)'", arguments[0], arguments[1]) }
      guard places >= 0 else { throw .argument("shift offset is negative") }
      switch arguments[0] {
      case .int(let number):
        return .int(Int64(bitPattern: shift(UInt64(bitPattern: number), places)))
      case .uint(let number): return .uint(shift(number, places))
      default: throw .noOverload("'\(name)'", arguments[0], arguments[1])
      }
    }
    return Function(
      name, .function(.int, .int, returns: .int, body: body),
      .function(.uint, .int, returns: .uint, body: body))
  }

  private static let bits: [Function] = [
    bitwise("math.bitAnd", { $0 & $1 }, { $0 & $1 }),
    bitwise("math.bitOr", { $0 | $1 }, { $0 | $1 }),
    bitwise("math.bitXor", { $0 ^ $1 }, { $0 ^ $1 }),
    unary("math.bitNot", [.int, .uint]) { (value) throws(EvaluationError) in
      switch value {
      case .int(let number): .int(~number)
      case .uint(let number): .uint(~number)
      default: value
      }
    },
    shift("math.bitShiftLeft") { $0 << $1 },
    shift("math.bitShiftRight") { $0 >> $1 },
  ]
}
