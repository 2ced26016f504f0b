extension Library {
  static let addressFunctions: [Function] = [
    function("resolve", .string, .string, returns: .string) {
      (arguments, meter) throws(EvaluationError) in
      let (base, reference) = (arguments.text(0), arguments.text(1))
      try meter.charge((base.utf8.count + reference.utf8.count) / 8)
      let origin = URIReference(base)
      guard origin.scheme != nil
      else { throw .argument("the base of 'resolve' is not an absolute URL") }
      return .string(origin.resolving(URIReference(reference)).text)
    },
    unary("urlQuery", [.string], returns: .map(.string, .string)) {
      (value) throws(EvaluationError) in .map(MapValue(try members(of: value.stringValue ?? "")))
    },
    Function(
      "httpDate",
      .function(.string, returns: .timestamp) { (arguments, _) throws(EvaluationError) in
        guard let seconds = HTTPDate.seconds(of: arguments[0].stringValue ?? "", at: centuryFrom),
          let time = Timestamp(seconds: seconds)
        else { throw .argument("expected an HTTP date, such as 'Sun, 06 Nov 1994 08:49:37 GMT'") }
        return .timestamp(time)
      },
      .function(.timestamp, returns: .string) { (arguments, _) throws(EvaluationError) in
        guard case .timestamp(let time) = arguments[0] else { throw .argument("expected a time") }
        return .string(HTTPDate.text(secondsSince1970: time.seconds))
      }),
    Function(
      "seconds",
      .function(.int, returns: .duration) { (arguments, _) throws(EvaluationError) in
        try duration(arguments[0].intValue ?? 0)
      },
      .function(.string, returns: .duration) { (arguments, _) throws(EvaluationError) in
        guard let text = arguments[0].stringValue, let number = Int64(text)
        else { throw .argument("expected a whole number of seconds") }
        return try duration(number)
      },
      .function(.double, returns: .duration) { (arguments, _) throws(EvaluationError) in
        guard let number = arguments[0].doubleValue, abs(number) <= 315_576_000_000
        else { throw EvaluationError(.overflow, "the duration is out of range") }
        // Whole milliseconds, because a lifetime is counted in them.
        return .duration(.milliseconds(Int64(number * 1000)))
      }),
  ]

  /// 2020: years of two digits (RFC 9110 §5.6.7) are within fifty years of it, independent of the clock.
  private static let centuryFrom: Int64 = 1_577_836_800

  private static func duration(_ seconds: Int64) throws(EvaluationError) -> Value {
    // The range of a CEL duration.
    guard abs(seconds) <= 315_576_000_000
    else { throw EvaluationError(.overflow, "the duration is out of range") }
    return .duration(.seconds(seconds))
  }

  /// The members of a URL's query, decoded; of a name that is repeated, the first.
  private static func members(of url: String) throws(EvaluationError) -> [(String, Value)] {
    var members: [(String, Value)] = []
    for pair in (URIReference(url).query ?? "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try decoded(parts[0])
      guard !members.contains(where: { $0.0 == name }) else { continue }
      members.append((name, .string(try decoded(parts.count > 1 ? parts[1] : ""))))
    }
    return members
  }

  private static func decoded(_ text: Substring) throws(EvaluationError) -> String {
    let spaced = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    guard let octets = PercentEncoding.decode(spaced),
      let text = String(validating: octets, as: UTF8.self)
    else { throw .argument("the query is not percent-encoded UTF-8") }
    return text
  }
}
