/// The form of a key's value; read by the JSON Schema generator.
package indirect enum ValueShape: Sendable {
  case text
  case pattern(String)
  /// Text that may contain expressions.
  case template
  /// Text that may contain expressions, or `null` for nothing at all.
  case optionalTemplate
  case expression
  case duration
  /// A duration, or an expression of that type.
  case durationOrExpression
  /// A number of bytes.
  case size
  /// A number of bytes per second.
  case rate
  /// A number of requests in a time.
  case requestRate
  case integer(minimum: Int)
  case number(minimum: Double)
  /// A number from 0 to 1.
  case fraction
  case flag
  case choice([String])
  case scalar
  /// Any JSON value, with expressions in its strings.
  case json
  /// A mapping from names, which match a pattern, to values of one shape.
  case map(ValueShape, names: String?)
  case list(ValueShape)
  /// A list with at least one element, all of one shape.
  case filledList(ValueShape)
  case construct(@autoclosure @Sendable () -> Construct)
  case either([ValueShape])

  /// One of the raw values of a type.
  package static func words<Words: CaseIterable & RawRepresentable<String>>(_: Words.Type) -> Self {
    .choice(Words.allCases.map(\.rawValue))
  }

  /// The construct of a mapping; constructs hold each other, so it is looked up when it is needed.
  package var construct: Construct? {
    if case .construct(let construct) = self { construct() } else { nil }
  }
}
