extension Library {
  static let forms: [Function] = [
    Function(
      "lowerAscii",
      method([], .string) { (arguments, _) throws(EvaluationError) in
        string(try scalars(arguments[0]).map { shift($0, from: "A"..."Z", by: 0x20) })
      }),
    Function(
      "upperAscii",
      method([], .string) { (arguments, _) throws(EvaluationError) in
        string(try scalars(arguments[0]).map { shift($0, from: "a"..."z", by: 0xFFFF_FFE0) })
      }),
    Function(
      "reverse",
      method([], .string) { (arguments, _) throws(EvaluationError) in
        string(try scalars(arguments[0]).reversed())
      }),
    Function(
      "trim",
      method([], .string) { (arguments, _) throws(EvaluationError) in
        let text = try scalars(arguments[0])
        guard let first = text.firstIndex(where: { !$0.properties.isWhitespace }),
          let last = text.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return string(text[first...last])
      }),
    Function(
      "strings.quote",
      .function(.string, returns: .string) { (arguments, _) throws(EvaluationError) in
        guard case .string(let text) = arguments[0] else {
          throw .noOverload("'strings.quote'", arguments[0])
        }
        return .string(quoted(text))
      }),
    Function(
      "format",
      method([.list(.dyn)], .string) { (arguments, meter) throws(EvaluationError) in
        guard case (.string(let template), .list(let values)) = (arguments[0], arguments[1]) else {
          throw .noOverload("'format'", arguments[0], arguments[1])
        }
        var formatter = TextFormatter(values: values)
        return .string(try formatter.format(template, &meter))
      }),
  ]

  private static func shift(
    _ scalar: Unicode.Scalar, from range: ClosedRange<Unicode.Scalar>, by distance: UInt32
  ) -> Unicode.Scalar {
    guard range.contains(scalar) else { return scalar }
    return Unicode.Scalar(scalar.value &+ distance) ?? scalar
  }
}
