/// The form of a key's value; read by the JSON Schema generator.
package indirect enum ValueShape: Sendable {
  case text
  case pattern(String)
  case template
  /// Text that may contain expressions, or `null` for nothing at all.
  case optionalTemplate
  case expression, duration, durationOrExpression, size, rate, requestRate
  case integer(minimum: Int)
  case number(minimum: Double)
  case fraction, flag
  case choice([String])
  case scalar
  /// Any JSON value, with expressions in its strings.
  case json
  /// A mapping from names, which match a pattern, to values of one shape.
  case map(ValueShape, names: String?)
  case list(ValueShape)
  /// A list with at least one element, all of one shape.
  case filledList(ValueShape)
  case construct(Construct.Name)
  case either([ValueShape])
}
