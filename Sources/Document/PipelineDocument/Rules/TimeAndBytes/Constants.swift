struct Constant<Value> {
  package let value: Value
  /// Inputs whose defaults it depends on; empty if no run can change it.
  package let inputs: [String]
}

struct Constants {
  private let defaults: [String: Value]
  /// Enough for any handwritten constant, and still fast for a file with thousands of them.
  private static let cost = 10_000
  private let collector: DiagnosticCollector

  init(_ inputs: [InputDeclaration], _ collector: DiagnosticCollector) {
    self.collector = collector
    var defaults: [String: Value] = [:]
    for input in inputs where input.defaultText != nil {
      switch input.kind {
      case .file, .files, .folder, .secret: continue
      case .string, .int, .bool, .url, .duration, .size:
        defaults["inputs.\(input.name)"] = try? InputValues.fallback(input)
      }
    }
    self.defaults = defaults
  }

  package func value(_ expression: Expression) -> Constant<Value>? {
    let references = expression.compiled.references
    guard references.allSatisfy({ defaults[$0.variable] != nil }),
      let value = evaluate(expression, defaults)
    else { return nil }
    let names = Set(references.map(\.variable))
    return Constant(value: value, inputs: names.map { String($0.dropFirst(7)) }.sorted())
  }

  private func evaluate(_ expression: Expression, _ names: [String: Value]) -> Value? {
    collector.value(expression.compiled, names, cost: Self.cost)
  }

  package func duration(_ expression: Expression) -> Constant<Duration>? {
    guard let constant = value(expression), case .duration(let duration) = constant.value,
      duration >= .zero
    else { return nil }
    return Constant(value: duration, inputs: constant.inputs)
  }

  /// The time from now to a timestamp, if it does not depend on when it is evaluated.
  func timeLeft(to moment: Expression) -> Constant<Duration>? {
    let names = Set(moment.compiled.references.map(\.variable))
    guard names.contains("now"), names.allSatisfy({ $0 == "now" || defaults[$0] != nil })
    else { return nil }
    let lives = [Int64(1_000_000_007), 1_777_777_777].compactMap { seconds -> Duration? in
      let now = Instant(milliseconds: seconds * 1000)
      var values = defaults
      values["now"] = .timestamp(now.timestamp)
      guard
        case .timestamp(let end)? = evaluate(moment, values)
      else { return nil }
      return Instant(end) - now
    }
    guard lives.count == 2, lives[0] == lives[1], lives[0] >= .zero else { return nil }
    let inputs = names.filter { $0 != "now" }.map { String($0.dropFirst(7)) }.sorted()
    return Constant(value: lives[0], inputs: inputs)
  }

  package func bytes(_ expression: Expression) -> Constant<Int64>? {
    guard let constant = value(expression), case .int(let bytes) = constant.value, bytes >= 0
    else { return nil }
    return Constant(value: bytes, inputs: constant.inputs)
  }

  /// The value of a condition for a response of which only the status is known.
  ///
  /// - Returns: `nil` if it depends on more.
  package func holds(_ condition: Expression, onStatus status: Int64) -> Bool? {
    var names = defaults
    names["response.status"] = .int(status)
    names["response.error"] = .string("")
    names["history.statuses"] = .list([.int(status)])
    guard case .bool(let holds)? = evaluate(condition, names) else { return nil }
    return holds
  }

  /// A phrase that names the inputs on whose defaults a statement depends; empty if there are none.
  static func proviso(_ inputs: [String]) -> String {
    switch inputs.count {
    case 0: ""
    case 1: " with the default of the input '\(inputs[0])'"
    default: " with the defaults of the inputs \(quotedList(inputs))"
    }
  }
}
