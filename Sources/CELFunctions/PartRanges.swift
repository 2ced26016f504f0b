import CEL

extension Library {
  /// `parts(size, options)` and `ranges(size, part)`: the parts of a file, each with `number`, `index`, `offset` and
  /// `length`.
  static let rangeFunctions: [Function] = [
    Function(
      "parts",
      .function(.int, .map(.string, .dyn), returns: .list(.object(part))) {
        (arguments, meter) throws(EvaluationError) in
        guard let size = arguments[0].intValue, let options = arguments[1].mapValue else {
          throw EvaluationError(.noSuchOverload, "'parts' takes a size and a map of options")
        }
        return .list(try PartOptions(options).parts(of: size, &meter))
      }),
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
    coveringFunction,
  ]

  /// A part of a file.
  private static let part = ObjectType(
    name: "part", fields: ["number": .int, "index": .int, "offset": .int, "length": .int])

  /// The part at `index`; its number begins with 1, as in the protocols that number parts.
  fileprivate static func part(_ index: Int64, offset: Int64, length: Int64) -> Value {
    [
      "number": .int(index + 1), "index": .int(index), "offset": .int(offset),
      "length": .int(length),
    ]
  }

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
      return Self.part(index, offset: offset, length: min(part, size - offset))
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

/// How `parts` divides a file.
private struct PartOptions {
  private static let names = ["size", "min", "multiple", "max_count", "last"]

  /// Wished size of a part in bytes.
  private var size: Int64 = 8 << 20
  /// Smallest size of a part, except for the last one.
  private var minimum: Int64 = 1
  /// The sizes of all parts but the last are multiples of this.
  private var multiple: Int64 = 1
  /// Most parts.
  private var maximumCount: Int64 = .max
  /// Whether a last part that is shorter is joined to the one before it.
  private var mergesLast = false

  init(_ options: MapValue) throws(EvaluationError) {
    for (key, value) in options {
      switch (key.stringValue, value) {
      case ("size", .int(let number)) where number > 0: size = number
      case ("min", .int(let number)) where number > 0: minimum = number
      case ("multiple", .int(let number)) where number > 0: multiple = number
      case ("max_count", .int(let number)) where number > 0: maximumCount = number
      case ("last", .string("short")): mergesLast = false
      case ("last", .string("merge")): mergesLast = true
      case ("last", _): throw Self.error("'last' is \"short\" or \"merge\"")
      case (let name?, _) where Self.names.contains(name):
        throw Self.error("'\(name)' is a whole number above 0")
      default:
        throw Self.error("its options are \(Self.names.map { "'\($0)'" }.joined(separator: ", "))")
      }
    }
  }

  /// The parts of a file of `total` bytes; an empty file has one empty part, because it must be sent too.
  func parts(of total: Int64, _ meter: inout Meter) throws(EvaluationError) -> [Value] {
    guard total >= 0 else { throw Self.error("the size of a file is at least 0") }
    let length = try partSize(for: total)
    var count = max(1, Self.quotient(total, length))
    if mergesLast, count > 1, total % length != 0 { count -= 1 }
    guard count <= Int64(Int.max / 8) else { throw Self.error("there are too many parts") }
    try meter.charge(Int(count) * 8)
    return (0..<count).map { index in
      let offset = index * length
      return Library.part(
        index, offset: offset, length: index == count - 1 ? total - offset : length)
    }
  }

  /// The smallest size that all options allow, at least the wished one.
  private func partSize(for total: Int64) throws(EvaluationError) -> Int64 {
    let least = max(size, minimum, Self.quotient(total, maximumCount))
    let (rounded, isOver) = Self.quotient(least, multiple).multipliedReportingOverflow(by: multiple)
    guard !isOver else { throw Self.error("no part is that large") }
    return rounded
  }

  /// `number / divisor`, rounded up.
  private static func quotient(_ number: Int64, _ divisor: Int64) -> Int64 {
    number / divisor + (number % divisor == 0 ? 0 : 1)
  }

  private static func error(_ text: String) -> EvaluationError {
    EvaluationError(.invalidArgument, "'parts': \(text)")
  }
}
