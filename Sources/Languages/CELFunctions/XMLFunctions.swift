extension Library {
  static let markupFunctions: [Function] = [
    Function(
      "xml",
      .function(.string, returns: .dyn) { (arguments, meter) throws(EvaluationError) in
        try xml(arguments[0], namespaces: nil, &meter)
      },
      .function(.string, .map(.string, .string), returns: .dyn) {
        (arguments, meter) throws(EvaluationError) in
        var namespaces: [String: String] = [:]
        for (prefix, namespace) in arguments[1].mapValue ?? [:] {
          guard let prefix = prefix.stringValue, let namespace = namespace.stringValue
          else { throw .argument("'xml' expects namespaces as a map from prefixes to names") }
          namespaces[prefix] = namespace
        }
        return try xml(arguments[0], namespaces: namespaces, &meter)
      }),
    function("elements", .dyn, .string, returns: .list(.dyn)) {
      (arguments, meter) throws(EvaluationError) in
      let found = elements(arguments[0], path: arguments[1].stringValue ?? "")
      try meter.charge(found.count)
      return .list(found)
    },
    unary("xmlText", [.dyn], returns: .string) { (value) throws(EvaluationError) in
      switch value {
      case .string: return value
      case .map(let members): return members["#text"] ?? .string("")
      default: throw .argument("'xmlText' expects an XML element, not \(value.typeName)")
      }
    },
    function("fields", .string, returns: .map(.string, .dyn)) {
      (arguments, meter) throws(EvaluationError) in
      try structured(arguments[0], &meter) { text throws(StructuredField.SyntaxError) in
        .map(fields(of: try StructuredField.dictionary(text)))
      }
    },
    function("fieldList", .string, returns: .list(.object(item))) {
      (arguments, meter) throws(EvaluationError) in
      try structured(arguments[0], &meter) { text throws(StructuredField.SyntaxError) in
        .list(try StructuredField.list(text).map(value(of:)))
      }
    },
    function("fieldItem", .string, returns: .object(item)) {
      (arguments, meter) throws(EvaluationError) in
      try structured(arguments[0], &meter) { text throws(StructuredField.SyntaxError) in
        value(of: try StructuredField.item(text))
      }
    },
  ]

  private static let item = ObjectType(
    name: "item", fields: ["value": .dyn, "parameters": .map(.string, .dyn)])

  private static func xml(
    _ text: Value, namespaces: [String: String]?, _ meter: inout Meter
  ) throws(EvaluationError) -> Value {
    let bytes = octets(text)
    // Four bytes of a document can make one element.
    try meter.charge(bytes.count / 2)
    do throws(XMLSyntaxError) {
      return try Value(xml: bytes, namespaces: namespaces)
    } catch { throw .argument("string is not XML: \(error)") }
  }

  /// The elements at a path of names below an element: none, one or many, always as a list.
  private static func elements(_ root: Value, path: String) -> [Value] {
    var found = [root]
    for name in steps(of: path) {
      found = found.flatMap { element in
        guard let next = element.mapValue?[name] else { return [Value]() }
        return next.listValue ?? [next]
      }
    }
    return found
  }

  /// The names of a path; a slash inside of braces belongs to the name of a namespace.
  private static func steps(of path: String) -> [String] {
    var steps = [""]
    var depth = 0
    for character in path {
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      if character == "/", depth == 0 {
        steps.append("")
      } else {
        steps[steps.count - 1].append(character)
      }
    }
    return steps
  }

  private static func structured(
    _ text: Value, _ meter: inout Meter,
    _ read: (String) throws(StructuredField.SyntaxError) -> Value
  ) throws(EvaluationError) -> Value {
    let text = text.stringValue ?? ""
    try meter.charge(text.utf8.count / 2)
    do throws(StructuredField.SyntaxError) {
      return try read(text)
    } catch { throw .argument("not a structured field: \(error.message) at byte \(error.offset)") }
  }

  /// The members of a dictionary by name, and their parameters as `name;parameter`, which no name can be.
  private static func fields(of members: [(name: String, item: StructuredField.Item)]) -> MapValue {
    var map = MapValue()
    for member in members {
      map[member.name] = value(of: member.item.value)
      for parameter in member.item.parameters {
        map["\(member.name);\(parameter.name)"] = value(of: parameter.value)
      }
    }
    return map
  }

  private static func value(of item: StructuredField.Item) -> Value {
    let parameters = item.parameters.map { ($0.name, value(of: $0.value)) }
    return ["value": value(of: item.value), "parameters": .map(MapValue(parameters))]
  }

  private static func value(of content: StructuredField.Content) -> Value {
    switch content {
    case .bare(let bare): value(of: bare)
    // Parameters of the members of an inner list are left out: only a list of plain values is read.
    case .list(let items): .list(items.map { value(of: $0.value) })
    }
  }

  private static func value(of bare: StructuredField.Bare) -> Value {
    switch bare {
    case .integer(let number): .int(number)
    case .decimal(let number): .double(number)
    case .string(let text): .string(text)
    case .bytes(let bytes): .bytes(bytes)
    case .boolean(let flag): .bool(flag)
    case .date(let seconds): Timestamp(seconds: seconds).map(Value.timestamp) ?? .null
    }
  }
}
