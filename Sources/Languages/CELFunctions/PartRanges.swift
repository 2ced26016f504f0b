extension Library {
  /// `parts(size, options)` and `ranges(size, part)`: the parts of a file.
  static let rangeFunctions: [Function] = [
    function("parts", .int, .map(.string, .dyn), returns: .list(.object(part))) {
      (arguments, meter) throws(EvaluationError) in
      let options = try PartOptions(arguments[1].mapValue ?? [:])
      return .list(try options.parts(of: arguments[0].intValue ?? 0, &meter))
    },
    function("ranges", .int, .int, returns: .list(.object(part))) {
      (arguments, meter) throws(EvaluationError) in
      .list(try ranges(size: arguments[0].intValue ?? 0, part: arguments[1].intValue ?? 0, &meter))
    },
    function("partSize", .int, .int, .int, returns: .int) {
      (arguments, _) throws(EvaluationError) in
      let numbers = arguments.compactMap(\.intValue)
      return .int(try partSize(size: numbers[0], minimum: numbers[1], parts: numbers[2]))
    },
    coveringFunction,
  ]

  private static let part = ObjectType(
    name: "part", fields: ["number": .int, "index": .int, "offset": .int, "length": .int])

  /// The part at `index`; its number starts at 1, as in the protocols that number parts.
  fileprivate static func part(_ index: Int64, offset: Int64, length: Int64) -> Value {
    [
      "number": .int(index + 1), "index": .int(index), "offset": .int(offset),
      "length": .int(length),
    ]
  }

  /// Parts of `part` bytes, the last one shorter; an empty file has one empty part to be sent.
  private static func ranges(
    size: Int64, part: Int64, _ meter: inout Meter
  ) throws(EvaluationError) -> [Value] {
    guard size >= 0, part > 0
    else { throw .argument("'ranges' expects a size of at least 0 and a part size above 0") }
    let count = max(1, quotient(size, part))
    guard count <= Int64(Int.max / 8) else { throw .argument("'ranges' returns too many parts") }
    try meter.charge(Int(count) * 8)
    return (0..<count).map { index in
      let offset = index * part
      return Self.part(index, offset: offset, length: min(part, size - offset))
    }
  }

  /// The smallest part size in whole MiB, at least `minimum`, that makes at most `parts` parts.
  private static func partSize(
    size: Int64, minimum: Int64, parts: Int64
  ) throws(EvaluationError) -> Int64 {
    guard size >= 0, minimum > 0, parts > 0
    else { throw .argument("'partSize' expects a size of at least 0 and two numbers above 0") }
    let needed = quotient(size, parts)
    guard needed > minimum else { return minimum }
    let unit: Int64 = 1 << 20
    let rounded = quotient(needed, unit).multipliedReportingOverflow(by: unit)
    return rounded.overflow ? needed : rounded.partialValue
  }

  /// `covering(list, size)`: the list, if its parts are the whole file.
  ///
  /// A server that names the parts of a file may name them wrongly; the bytes sent would then be another file.
  static let coveringFunction = Function(
    "covering",
    .function(.list(.parameter("P")), .int, returns: .list(.parameter("P"))) {
      (arguments, meter) throws(EvaluationError) in
      let list = arguments[0].listValue ?? []
      try meter.charge(list.count)
      try checkCovering(list, arguments[1].intValue ?? 0)
      return arguments[0]
    })

  /// Throws unless the parts, in any order, cover `size` bytes without a gap and without an overlap.
  private static func checkCovering(
    _ list: some Collection<Value>, _ size: Int64
  ) throws(EvaluationError) {
    var parts: [(place: Int, offset: Int64, length: Int64)] = []
    for (index, part) in list.enumerated() {
      guard let fields = part.mapValue, let offset = fields["offset"]?.intValue,
        let length = fields["length"]?.intValue, offset >= 0, length >= 0
      else { throw failure("part \(index + 1) of the list has no 'offset' and 'length' in bytes") }
      parts.append((index + 1, offset, length))
    }
    parts.sort { ($0.offset, $0.length) < ($1.offset, $1.length) }
    var end: Int64 = 0
    for part in parts {
      if part.offset < end {
        throw failure(
          "part \(part.place) of the list starts at \(part.offset), but the bytes before it end at \(end)"
        )
      }
      if part.offset > end { throw failure("no part has the bytes from \(end) to \(part.offset)") }
      let (next, isOver) = part.offset.addingReportingOverflow(part.length)
      guard !isOver else { throw failure("part \(part.place) of the list is too long") }
      end = next
    }
    guard end == size
    else { throw failure("the parts end at \(end), but the file has \(size) bytes") }
  }

  private static func failure(_ text: String) -> EvaluationError {
    EvaluationError(.invalidArgument, "'covering': \(text)")
  }
}

private struct PartOptions {
  private static let names = ["size", "min", "multiple", "max_count", "last"]
  private var size: Int64 = 8 << 20
  private var minimum: Int64 = 1
  /// The sizes of all parts but the last are multiples of this.
  private var multiple: Int64 = 1
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
    var count = max(1, quotient(total, length))
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
    let least = max(size, minimum, quotient(total, maximumCount))
    let (rounded, isOver) = quotient(least, multiple).multipliedReportingOverflow(by: multiple)
    guard !isOver else { throw Self.error("no part is that large") }
    return rounded
  }

  private static func error(_ text: String) -> EvaluationError {
    EvaluationError(.invalidArgument, "'parts': \(text)")
  }
}

/// `number / divisor`, rounded up.
private func quotient(_ number: Int64, _ divisor: Int64) -> Int64 {
  number / divisor + (number % divisor == 0 ? 0 : 1)
}
