import CEL

extension Library {
  /// `ranges(size, part)`: the parts of a file, each with `index`, `offset` and `length`.
  static let rangeFunctions: [Function] = [
    Function(
      "ranges",
      .function(.int, .int, returns: .list(.object(part))) {
        (arguments, meter) throws(EvaluationError) in
        guard let size = arguments[0].intValue, let part = arguments[1].intValue else {
          throw EvaluationError(.noSuchOverload, "'ranges' takes two integers")
        }
        return .list(try ranges(size: size, part: part, &meter))
      }),
    Function(
      "partSize",
      .function(.int, .int, .int, returns: .int) { (arguments, _) throws(EvaluationError) in
        let numbers = arguments.compactMap(\.intValue)
        guard numbers.count == 3 else {
          throw EvaluationError(.noSuchOverload, "'partSize' takes three integers")
        }
        return .int(try partSize(size: numbers[0], minimum: numbers[1], parts: numbers[2]))
      }),
  ]

  /// A part of a file.
  private static let part = ObjectType(
    name: "part", fields: ["index": .int, "offset": .int, "length": .int])

  /// Parts of `part` bytes, the last one shorter; an empty file has one empty part, because it must be
  /// sent too.
  private static func ranges(
    size: Int64, part: Int64, _ meter: inout Meter
  ) throws(EvaluationError) -> [Value] {
    guard size >= 0, part > 0 else {
      throw EvaluationError(
        .invalidArgument, "'ranges' takes a size of at least 0 and a part size above 0")
    }
    let count = max(1, size / part + (size % part == 0 ? 0 : 1))
    guard count <= Int64(Int.max / 8) else {
      throw EvaluationError(.invalidArgument, "'ranges' returns too many parts")
    }
    try meter.charge(Int(count) * 8)
    return (0..<count).map { index in
      let offset = index * part
      return [
        "index": .int(index), "offset": .int(offset), "length": .int(min(part, size - offset)),
      ]
    }
  }

  /// The smallest part size in whole MiB, at least `minimum` bytes, that splits `size` bytes into at
  /// most `parts` parts.
  private static func partSize(
    size: Int64, minimum: Int64, parts: Int64
  ) throws(EvaluationError) -> Int64 {
    guard size >= 0, minimum > 0, parts > 0 else {
      throw EvaluationError(
        .invalidArgument, "'partSize' takes a size of at least 0 and two numbers above 0")
    }
    let needed = size / parts + (size % parts == 0 ? 0 : 1)
    guard needed > minimum else { return minimum }
    let unit: Int64 = 1 << 20
    let rounded = (needed / unit + (needed % unit == 0 ? 0 : 1)).multipliedReportingOverflow(
      by: unit)
    return rounded.overflow ? needed : rounded.partialValue
  }
}
