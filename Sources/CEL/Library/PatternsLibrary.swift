extension Library {
  /// `capture(text, pattern)`: the part of a text that a regular expression finds.
  public static let patterns = Library(
    name: "patterns",
    functions: [
      Function(
        "capture",
        .function(.string, .string, returns: .optional(.string), body: capture),
        .method(.string, .string, returns: .optional(.string), body: capture))
    ])

  private static let capture: Overload.Body = { (arguments, meter) throws(EvaluationError) in
    let (text, expression) = try pattern(arguments, &meter)
    return .optional(try expression.capture(in: text, &meter).map(Value.string))
  }

  /// The text and the regular expression that a function was called with.
  static func pattern(
    _ arguments: [Value], _ meter: inout Meter
  ) throws(EvaluationError) -> (text: String, expression: RegularExpression) {
    let pattern = arguments.text(1)
    // Parsing a pattern takes far longer than most operations that cost 1.
    try meter.charge(50 + 2 * pattern.utf8.count)
    let expression: RegularExpression
    do throws(RegularExpression.PatternError) {
      expression = try RegularExpression(pattern)
    } catch { throw .argument(error.message) }
    try meter.charge(expression.size / 2)
    return (arguments.text(0), expression)
  }
}
