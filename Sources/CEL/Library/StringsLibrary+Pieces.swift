extension Library {
  static let pieces: [Function] = [
    Function(
      "join",
      .method(.list(.string), returns: .string) { (arguments, meter) throws(EvaluationError) in
        try join(arguments[0], "", &meter)
      },
      .method(.list(.string), .string, returns: .string) {
        (arguments, meter) throws(EvaluationError) in
        try join(arguments[0], arguments[1], &meter)
      }),
    Function(
      "replace",
      method([.string, .string], .string) { (arguments, meter) throws(EvaluationError) in
        try replace(arguments, limit: -1, &meter)
      },
      method([.string, .string, .int], .string) { (arguments, meter) throws(EvaluationError) in
        try replace(arguments, limit: arguments[3].intValue ?? -1, &meter)
      }),
    Function(
      "split",
      method([.string], .list(.string)) { (arguments, meter) throws(EvaluationError) in
        try split(arguments, limit: -1, &meter)
      },
      method([.string, .int], .list(.string)) { (arguments, meter) throws(EvaluationError) in
        try split(arguments, limit: arguments[2].intValue ?? -1, &meter)
      }),
    Function(
      "substring",
      method([.int], .string) { (arguments, _) throws(EvaluationError) in
        let text = try scalars(arguments[0])
        return string(text[(try position(arguments[1], in: text))...])
      },
      method([.int, .int], .string) { (arguments, _) throws(EvaluationError) in
        let text = try scalars(arguments[0])
        let (start, end) = (
          try position(arguments[1], in: text), try position(arguments[2], in: text)
        )
        guard start <= end else {
          throw .argument("substring ends at \(end), before it starts at \(start)")
        }
        return string(text[start..<end])
      }),
  ]

  static func string(_ scalars: some Sequence<Unicode.Scalar>) -> Value {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return .string(String(view))
  }

  private static func join(
    _ list: Value, _ separator: Value, _ meter: inout Meter
  ) throws(EvaluationError) -> Value {
    guard case (.list(let elements), .string(let separator)) = (list, separator) else {
      throw .noOverload("'join'", list, separator)
    }
    try meter.charge(octets: max(0, elements.count - 1) * separator.utf8.count)
    var result = ""
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element else { throw .noOverload("'join'", element) }
      if index > 0 { result += separator }
      result += text
    }
    return .string(result)
  }

  /// The offsets of `part` in `text`, none of which overlap, at most `limit` of them.
  ///
  /// An empty part is before each code point and at the end.
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

  private static func replace(
    _ arguments: [Value], limit: Int64, _ meter: inout Meter
  ) throws(EvaluationError) -> Value {
    guard
      case (.string(let text), .string(let part), .string(let replacement)) =
        (arguments[0], arguments[1], arguments[2])
    else { throw .noOverload("'replace'", arguments[0], arguments[1], arguments[2]) }
    let bytes = Array(text.utf8)
    let places = occurrences(
      of: Array(part.utf8), in: bytes, limit: limit < 0 ? .max : Int(limit))
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

  private static func split(
    _ arguments: [Value], limit: Int64, _ meter: inout Meter
  ) throws(EvaluationError) -> Value {
    guard case (.string(let text), .string(let part)) = (arguments[0], arguments[1]) else {
      throw .noOverload("'split'", arguments[0], arguments[1])
    }
    if limit == 0 { return .list([]) }
    let (bytes, separator) = (Array(text.utf8), Array(part.utf8))
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
}
