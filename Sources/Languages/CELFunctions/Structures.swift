extension Library {
  static let structureFunctions: [Function] = [
    function("header", .map(.string, .dyn), .string, returns: .optional(.string)) {
      (arguments, _) throws(EvaluationError) in
      .optional(try field(arguments.text(1), in: arguments[0].mapValue ?? [:]))
    },
    unary("json", [.dyn], returns: .string) { (value) throws(EvaluationError) in
      .string(value.jsonText())
    },
    unary("jsonHeader", [.dyn], returns: .string) { (value) throws(EvaluationError) in
      .string(value.jsonText(escapingNonASCII: true))
    },
    Function(
      "parseJson",
      overloads: [.string, .bytes].map { type in
        .function(type, returns: .dyn) { (arguments, meter) throws(EvaluationError) in
          try parse(octets(arguments[0]), &meter)
        }
      }),
  ]

  /// The value of a header field; names are case-insensitive (RFC 9110 section 5.1), and values of
  /// several lines are joined with commas (section 5.3).
  private static func field(
    _ name: String, in headers: MapValue
  ) throws(EvaluationError) -> Value? {
    let wanted = lowercase(name)
    for (key, value) in headers {
      guard case .string(let key) = key, lowercase(key) == wanted else { continue }
      switch value {
      case .string, .null: return value.isNull ? nil : value
      case .list(let lines):
        let texts = lines.compactMap(\.stringValue)
        guard texts.count == lines.count else { break }
        return texts.isEmpty ? nil : .string(texts.joined(separator: ", "))
      default: break
      }
      throw .argument("header field must be a string or a list of strings")
    }
    return nil
  }

  private static func lowercase(_ text: String) -> [UInt8] {
    text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
  }

  private static func parse(
    _ bytes: [UInt8], _ meter: inout Meter
  ) throws(EvaluationError) -> Value {
    // Two bytes of a document can make one element.
    try meter.charge(bytes.count / 2)
    do throws(JSONSyntaxError) {
      return try Value(json: bytes)
    } catch { throw .argument("string is not JSON: \(error.message) at byte \(error.offset)") }
  }

  /// `groups(keys, items)`: the items that have one key, under it.
  static let groupFunctions: [Function] = [
    function("groups", .list(.dyn), .list(.dyn), returns: .list(.object(group))) {
      (arguments, meter) throws(EvaluationError) in
      let (keys, items) = (arguments[0].listValue ?? [], arguments[1].listValue ?? [])
      guard keys.count == items.count else {
        throw .argument(
          "'groups' expects a key for each item, but there are \(keys.count) keys and \(items.count) items"
        )
      }
      try meter.charge(keys.count)
      var order: [Value] = []
      var members: [Value: [Value]] = [:]
      for (key, item) in zip(keys, items) {
        if members[key] == nil { order.append(key) }
        members[key, default: []].append(item)
      }
      return .list(
        order.map { key in .map(MapValue([("key", key), ("items", .list(members[key] ?? []))])) })
    }
  ]

  private static let group = ObjectType(name: "group", fields: ["key": .dyn, "items": .list(.dyn)])

  static let challengeFunctions: [Function] = [
    function("authParameter", .string, .string, returns: .string) {
      (arguments, meter) throws(EvaluationError) in
      let text = arguments.text(0)
      try meter.charge(text.utf8.count / 8)
      return .string(ChallengeParameters(text).value(of: arguments.text(1)) ?? "")
    }
  ]
}

/// The parameters of the challenges in a `WWW-Authenticate` header (RFC 9110 §11.6.1).
struct ChallengeParameters {
  private var parameters: [(name: String, value: String)] = []

  /// Reads names with a token or a quoted string after `=`; anything else, such as the schemes, is skipped.
  init(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    while !rest.isEmpty {
      let name = Self.token(&rest)
      guard !name.isEmpty else {
        rest.removeFirst()
        continue
      }
      guard rest.first == "=" else { continue }
      rest.removeFirst()
      parameters.append(
        (name.lowercased(), rest.first == "\"" ? Self.quoted(&rest) : Self.token(&rest)))
    }
  }

  func value(of name: String) -> String? {
    parameters.first { $0.name == name.lowercased() }?.value
  }

  private static func token(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = rest.first, !" \t,=\"".unicodeScalars.contains(scalar) {
      text.append(scalar)
      rest.removeFirst()
    }
    return String(text)
  }

  private static func quoted(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    rest.removeFirst()
    while let scalar = rest.popFirst(), scalar != "\"" {
      // A backslash quotes the character after it (§5.6.4).
      text.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
    }
    return String(text)
  }
}
