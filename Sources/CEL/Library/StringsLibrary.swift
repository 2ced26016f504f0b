extension Library {
  /// The string functions of the common extensions: `charAt`, `format`, `indexOf`, `join`,
  /// `lowerAscii`, `replace`, `reverse`, `split`, `strings.quote`, `substring`, `trim` and so on.
  ///
  /// Indexes are in code points.
  public static let strings = Library(
    name: "strings", functions: searches + pieces + forms)

  /// The result type and the code of a function on a string and more arguments.
  static func method(
    _ parameters: [ValueType], _ result: ValueType, _ body: @escaping Overload.Body
  ) -> Overload {
    Overload([.string] + parameters, result, isMethod: true, cost: .proportional, body: body)
  }

  private static let searches: [Function] = [
    Function(
      "charAt",
      method([.int], .string) { (arguments, _) throws(EvaluationError) in
        let scalars = try scalars(arguments[0])
        let index = try position(arguments[1], in: scalars)
        return .string(index < scalars.count ? String(scalars[index]) : "")
      }),
    Function(
      "indexOf",
      method([.string], .int) { (arguments, _) throws(EvaluationError) in
        .int(try first(arguments[1], in: arguments[0], from: 0))
      },
      method([.string, .int], .int) { (arguments, _) throws(EvaluationError) in
        .int(try first(arguments[1], in: arguments[0], from: arguments[2]))
      }),
    Function(
      "lastIndexOf",
      method([.string], .int) { (arguments, _) throws(EvaluationError) in
        .int(try last(arguments[1], in: arguments[0], upTo: nil))
      },
      method([.string, .int], .int) { (arguments, _) throws(EvaluationError) in
        .int(try last(arguments[1], in: arguments[0], upTo: arguments[2]))
      }),
  ]

  static func scalars(_ value: Value) throws(EvaluationError) -> [Unicode.Scalar] {
    guard case .string(let text) = value else { throw .noOverload("function", value) }
    return Array(text.unicodeScalars)
  }

  /// An index from 0 to the length of the text.
  static func position(
    _ value: Value, in scalars: [Unicode.Scalar]
  ) throws(EvaluationError) -> Int {
    guard case .int(let index) = value else { throw .noOverload("function", value) }
    guard index >= 0, index <= scalars.count else {
      throw EvaluationError(
        .indexOutOfRange, "index \(index) is out of range of a string of \(scalars.count)")
    }
    return Int(index)
  }

  private static func first(
    _ part: Value, in text: Value, from start: Value
  ) throws(EvaluationError) -> Int64 {
    let (text, part) = (try scalars(text), try scalars(part))
    let start = try position(start, in: text)
    return firstOffset(of: part, in: text, from: start).map(Int64.init) ?? -1
  }

  /// The last position not after `limit`: the first one, read backwards.
  private static func last(
    _ part: Value, in text: Value, upTo limit: Value?
  ) throws(EvaluationError) -> Int64 {
    let (text, part) = (try scalars(text), try scalars(part))
    var end = text.count
    if let limit { end = min(try position(limit, in: text) + part.count, text.count) }
    let offset = firstOffset(
      of: part.reversed(), in: text[..<end].reversed(), from: 0)
    return offset.map { Int64(end - $0 - part.count) } ?? -1
  }
}
