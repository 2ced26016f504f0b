extension Library {
  /// The string functions of the common extensions, such as `split`; indexes are in code points.
  public static let strings = Library(
    name: "strings",
    functions: [
      method("charAt", [.string, .int], .string) { (arguments, _) throws(EvaluationError) in
        let scalars = scalars(arguments[0])
        let index = try position(arguments[1], in: scalars)
        return .string(index < scalars.count ? String(scalars[index]) : "")
      },
      method("indexOf", [.string, .string], optional: .int, .int) {
        (arguments, _) throws(EvaluationError) in
        let (text, part) = (scalars(arguments[0]), scalars(arguments[1]))
        let start = arguments.count > 2 ? try position(arguments[2], in: text) : 0
        return .int(firstOffset(of: part, in: text, from: start).map(Int64.init) ?? -1)
      },
      method("lastIndexOf", [.string, .string], optional: .int, .int) {
        (arguments, _) throws(EvaluationError) in
        let (text, part) = (scalars(arguments[0]), scalars(arguments[1]))
        var end = text.count
        if arguments.count > 2 {
          end = min(try position(arguments[2], in: text) + part.count, text.count)
        }
        // The last position is the first one, read backwards.
        let offset = firstOffset(of: part.reversed(), in: text[..<end].reversed(), from: 0)
        return .int(offset.map { Int64(end - $0 - part.count) } ?? -1)
      },
      method("join", [.list(.string)], optional: .string, .string, join),
      method("replace", [.string, .string, .string], optional: .int, .string, replace),
      method("split", [.string, .string], optional: .int, .list(.string), split),
      method("substring", [.string, .int], optional: .int, .string) {
        (arguments, _) throws(EvaluationError) in
        let text = scalars(arguments[0])
        let start = try position(arguments[1], in: text)
        let end = arguments.count > 2 ? try position(arguments[2], in: text) : text.count
        guard start <= end
        else { throw .argument("substring ends at \(end), before it starts at \(start)") }
        return string(text[start..<end])
      },
      form("lowerAscii") { $0.map { shift($0, from: "A"..."Z", by: 0x20) } },
      form("upperAscii") { $0.map { shift($0, from: "a"..."z", by: 0xFFFF_FFE0) } },
      form("reverse") { $0.reversed() },
      form("trim") { text in
        guard let first = text.firstIndex(where: { !$0.properties.isWhitespace }),
          let last = text.lastIndex(where: { !$0.properties.isWhitespace })
        else { return [] }
        return Array(text[first...last])
      },
      function("strings.quote", .string, returns: .string) {
        (arguments, _) throws(EvaluationError) in .string(quoted(arguments.text(0)))
      },
      method("format", [.string, .list(.dyn)], .string) {
        (arguments, meter) throws(EvaluationError) in
        var formatter = TextFormatter(values: arguments[1].listValue ?? [])
        return .string(try formatter.format(arguments.text(0), &meter))
      },
    ])

  /// A method, also with one more parameter.
  private static func method(
    _ name: String, _ parameters: [ValueType], optional: ValueType? = nil, _ result: ValueType,
    _ body: @escaping Overload.Body
  ) -> Function {
    let all = [parameters] + (optional.map { [parameters + [$0]] } ?? [])
    return Function(
      name,
      overloads: all.map { Overload($0, result, isMethod: true, cost: .proportional, body: body) })
  }

  private static func form(
    _ name: String, _ change: @escaping @Sendable ([Unicode.Scalar]) -> [Unicode.Scalar]
  ) -> Function {
    method(name, [.string], .string) { (arguments, _) throws(EvaluationError) in
      string(change(scalars(arguments[0])))
    }
  }

  private static func shift(
    _ scalar: Unicode.Scalar, from range: ClosedRange<Unicode.Scalar>, by distance: UInt32
  ) -> Unicode.Scalar {
    guard range.contains(scalar) else { return scalar }
    return Unicode.Scalar(scalar.value &+ distance) ?? scalar
  }

  private static func scalars(_ value: Value) -> [Unicode.Scalar] {
    Array((value.stringValue ?? "").unicodeScalars)
  }

  private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> Value {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return .string(String(view))
  }

  private static func position(
    _ value: Value, in scalars: [Unicode.Scalar]
  ) throws(EvaluationError) -> Int {
    let index = value.intValue ?? -1
    guard index >= 0, index <= scalars.count else {
      throw EvaluationError(
        .indexOutOfRange, "index \(index) is out of range of a string of \(scalars.count)")
    }
    return Int(index)
  }

  private static let join: Overload.Body = { (arguments, meter) throws(EvaluationError) in
    let elements = arguments[0].listValue ?? []
    let separator = arguments.count > 1 ? arguments.text(1) : ""
    try meter.charge(octets: max(0, elements.count - 1) * separator.utf8.count)
    var result = ""
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element else { throw .noOverload("'join'", element) }
      if index > 0 { result += separator }
      result += text
    }
    return .string(result)
  }

  /// The offsets of `part` in `text` without overlaps; an empty part is before each code point and at the end.
  private static func occurrences(of part: [UInt8], in text: [UInt8], limit: Int) -> [Int] {
    var result: [Int] = []
    if part.isEmpty {
      for (offset, byte) in text.enumerated() where byte & 0xC0 != 0x80 {
        if result.count >= limit { return result }
        result.append(offset)
      }
      if result.count < limit { result.append(text.count) }
      return result
    }
    var start = 0
    // The search table is rebuilt for each find; parts are short, and finds are charged.
    while result.count < limit, let offset = firstOffset(of: part, in: text, from: start) {
      result.append(offset)
      start = offset + part.count
    }
    return result
  }

  private static let replace: Overload.Body = { (arguments, meter) throws(EvaluationError) in
    let (text, part, replacement) = (arguments.text(0), arguments.text(1), arguments.text(2))
    let limit = arguments.count > 3 ? arguments[3].intValue ?? -1 : -1
    let bytes = Array(text.utf8)
    let places = occurrences(of: Array(part.utf8), in: bytes, limit: limit < 0 ? .max : Int(limit))
    try meter.charge(places.count)
    try meter.charge(octets: places.count * max(part.utf8.count, replacement.utf8.count))
    var result: [UInt8] = []
    var start = 0
    for place in places {
      result += bytes[start..<place]
      result += replacement.utf8
      start = place + part.utf8.count
    }
    result += bytes[start...]
    return .string(String(decoding: result, as: UTF8.self))
  }

  private static let split: Overload.Body = { (arguments, meter) throws(EvaluationError) in
    let limit = arguments.count > 2 ? arguments[2].intValue ?? -1 : -1
    if limit == 0 { return .list([]) }
    let (bytes, separator) = (Array(arguments.text(0).utf8), Array(arguments.text(1).utf8))
    let most = limit < 0 ? Int.max : Int(limit) - 1
    var places: [Int]
    if separator.isEmpty {
      // Between code points only: neither before the first nor after the last.
      places = bytes.indices.dropFirst().filter { bytes[$0] & 0xC0 != 0x80 }
      places = Array(places.prefix(most))
    } else {
      places = occurrences(of: separator, in: bytes, limit: most)
    }
    try meter.charge(places.count)
    if separator.isEmpty, bytes.isEmpty { return .list([]) }
    var result: [Value] = []
    var start = 0
    for place in places + [bytes.count] {
      result.append(.string(String(decoding: bytes[start..<place], as: UTF8.self)))
      start = place + separator.count
    }
    return .list(result)
  }

  /// `capture(text, pattern)`: the part of a text that a regular expression finds.
  public static let patterns = Library(
    name: "patterns",
    functions: [
      Function(
        "capture", .function(.string, .string, returns: .optional(.string), body: capture),
        .method(.string, .string, returns: .optional(.string), body: capture))
    ])

  private static let capture: Overload.Body = { (arguments, meter) throws(EvaluationError) in
    let (text, expression) = try pattern(arguments, &meter)
    return .optional(try expression.capture(in: text, &meter).map(Value.string))
  }

  static func pattern(
    _ arguments: [Value], _ meter: inout Meter
  ) throws(EvaluationError) -> (text: String, expression: RegularExpression) {
    let pattern = arguments.text(1)
    // Parsing a pattern is far slower than most operations that cost 1.
    try meter.charge(50 + 2 * pattern.utf8.count)
    let expression: RegularExpression
    do throws(RegularExpression.PatternError) {
      expression = try RegularExpression(pattern)
    } catch { throw .argument(error.message) }
    try meter.charge(expression.size / 2)
    return (arguments.text(0), expression)
  }
}
