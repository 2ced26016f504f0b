extension Library {
  static let conversions: [Function] = [
    convert("bool", [.bool, .string], .bool, toBool),
    convert("bytes", [.bytes, .string], .bytes, toBytes),
    convert("double", [.double, .int, .uint, .string], .double, toDouble),
    convert("duration", [.duration, .string, .int], .duration, toDuration),
    convert("dyn", [.parameter("A")], .dyn) { (value) throws(EvaluationError) in value },
    convert("int", [.int, .uint, .double, .string, .timestamp, .duration], .int, toInt),
    convert(
      "string", [.string, .bool, .int, .uint, .double, .bytes, .timestamp, .duration], .string,
      toString),
    convert("timestamp", [.timestamp, .string, .int], .timestamp, toTimestamp),
    convert("type", [.parameter("A")], .type(.parameter("A"))) {
      (value) throws(EvaluationError) in .type(value.typeName)
    },
    convert("uint", [.uint, .int, .double, .string], .uint, toUint),
  ]

  private static func convert(
    _ name: String, _ types: [ValueType], _ result: ValueType,
    _ body: @escaping @Sendable (Value) throws(EvaluationError) -> Value
  ) -> Function {
    unary(
      name, types, returns: result,
      cost: { $0 == .string || $0 == .bytes ? .proportional : .constant }, body)
  }

  private static func toBool(_ value: Value) throws(EvaluationError) -> Value {
    guard case .string(let text) = value else { return value }
    switch text {
    case "1", "t", "true", "TRUE", "True": return true
    case "0", "f", "false", "FALSE", "False": return false
    default: throw .argument("string is not a bool")
    }
  }

  private static func toBytes(_ value: Value) throws(EvaluationError) -> Value {
    if case .string(let text) = value { .bytes(Array(text.utf8)) } else { value }
  }

  private static func toDouble(_ value: Value) throws(EvaluationError) -> Value {
    if let number = value.doubleValue { return .double(number) }
    guard case .string(let text) = value, let number = parseDouble(text)
    else { throw .argument("string is not a number") }
    return .double(number)
  }

  private static func parseDouble(_ text: String) -> Double? {
    switch text {
    case "NaN": return .nan
    case "Infinity", "+Infinity", "Inf", "+Inf", "inf", "+inf": return .infinity
    case "-Infinity", "-Inf", "-inf": return -.infinity
    default:
      // Swift also parses hexadecimal floats and words, which the language does not have.
      let isDecimal = text.utf8.allSatisfy { $0.isDigit || "+-.Ee".utf8.contains($0) }
      return isDecimal ? Double(text) : nil
    }
  }

  private static func toInt(_ value: Value) throws(EvaluationError) -> Value {
    switch value {
    case .uint(let number):
      guard let result = Int64(exactly: number) else { throw outOfRange("int") }
      return .int(result)
    case .double(let number):
      // The bounds themselves are refused: at ±2^63 doubles no longer distinguish integers.
      guard number > -0x1p63, number < 0x1p63 else { throw outOfRange("int") }
      return .int(Int64(number))
    case .string(let text):
      guard let result = Int64(text), !text.hasPrefix("+")
      else { throw .argument("string is not an int") }
      return .int(result)
    case .timestamp(let time): return .int(time.seconds)
    case .duration(let span): return .int(span.components.seconds)
    default: return value
    }
  }

  private static func toUint(_ value: Value) throws(EvaluationError) -> Value {
    switch value {
    case .int(let number):
      guard let result = UInt64(exactly: number) else { throw outOfRange("uint") }
      return .uint(result)
    case .double(let number):
      guard number >= 0, number < 0x1p64 else { throw outOfRange("uint") }
      return .uint(UInt64(number))
    case .string(let text):
      guard let result = UInt64(text), !text.hasPrefix("+")
      else { throw .argument("string is not a uint") }
      return .uint(result)
    default: return value
    }
  }

  static func toString(_ value: Value) throws(EvaluationError) -> Value {
    switch value {
    case .bool(let truth): return .string(truth ? "true" : "false")
    case .int(let number): return .string(String(number))
    case .uint(let number): return .string(String(number))
    case .double(let number): return .string(doubleText(number))
    case .bytes(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self)
      else { throw .argument("bytes are not UTF-8") }
      return .string(text)
    case .timestamp(let time): return .string(time.rfc3339)
    case .duration(let span): return .string(durationText(span))
    default: return value
    }
  }

  private static func toTimestamp(_ value: Value) throws(EvaluationError) -> Value {
    switch value {
    case .int(let seconds):
      guard let time = Timestamp(seconds: seconds) else { throw outOfRange("timestamp") }
      return .timestamp(time)
    case .string(let text):
      guard let time = Timestamp(rfc3339: text)
      else { throw .argument("string is not an RFC 3339 timestamp between the years 1 and 9999") }
      return .timestamp(time)
    default: return value
    }
  }

  private static func toDuration(_ value: Value) throws(EvaluationError) -> Value {
    switch value {
    case .int(let seconds):
      let span = Nanoseconds(count: Int128(seconds) * 1_000_000_000)
      guard let result = span.duration else { throw outOfRange("duration") }
      return .duration(result)
    case .string(let text):
      guard let span = parseDuration(text)
      else { throw .argument("string is not a duration such as '1h30m' or '1.5s'") }
      guard let result = span.duration else { throw outOfRange("duration") }
      return .duration(result)
    default: return value
    }
  }
}

func doubleText(_ number: Double) -> String {
  if number.isNaN { return "NaN" }
  if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
  let text = number.description
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

extension Library {
  static let timestamps: [Function] = [
    part("getDate") { $0.date.day },
    part("getDayOfMonth") { $0.date.day - 1 },
    part("getDayOfWeek") { $0.weekday },
    part("getDayOfYear") { $0.dayOfYear },
    part("getFullYear") { $0.date.year },
    part("getHours", ofDuration: { $0.count / 3_600_000_000_000 }) { $0.hour },
    // For a duration, the specification defines the milliseconds within its last second.
    part("getMilliseconds", ofDuration: { $0.count / 1_000_000 % 1000 }) { $0.millisecond },
    part("getMinutes", ofDuration: { $0.count / 60_000_000_000 }) { $0.minute },
    part("getMonth") { $0.date.month - 1 },
    part("getSeconds", ofDuration: { $0.count / 1_000_000_000 }) { $0.second },
  ]

  /// A timestamp as a calendar and a clock show it `offset` seconds east of UTC.
  private static func parts(of time: Timestamp, offset: Int64) -> CivilTime {
    CivilTime(
      secondsSince1970: time.seconds + offset, millisecond: Int(time.nanoseconds) / 1_000_000)
  }

  private static func part(
    _ name: String, ofDuration: (@Sendable (Nanoseconds) -> Int128)? = nil,
    _ part: @escaping @Sendable (CivilTime) -> Int
  ) -> Function {
    var overloads: [Overload] = [
      .method(.timestamp, returns: .int) { (arguments, _) throws(EvaluationError) in
        guard let time = arguments[0].timestampValue else { throw .noOverload(name, arguments[0]) }
        return .int(Int64(part(parts(of: time, offset: 0))))
      },
      .method(.timestamp, .string, returns: .int) { (arguments, meter) throws(EvaluationError) in
        guard let time = arguments[0].timestampValue else { throw .noOverload(name, arguments[0]) }
        let zone = arguments.text(1)
        try meter.charge(100)
        guard zone.utf8.count <= 64, let offset = timeZoneOffset(zone, at: time)
        else { throw .argument("string is not a time zone such as 'Europe/Berlin' or '+02:00'") }
        return .int(Int64(part(parts(of: time, offset: offset))))
      },
    ]
    if let ofDuration {
      overloads.append(
        .method(.duration, returns: .int) { (arguments, _) throws(EvaluationError) in
          guard case .duration(let span) = arguments[0], let count = Nanoseconds(span)
          else { throw .noOverload("'\(name)'", arguments[0]) }
          return .int(Int64(ofDuration(count)))
        })
    }
    return Function(name, overloads: overloads)
  }
}
