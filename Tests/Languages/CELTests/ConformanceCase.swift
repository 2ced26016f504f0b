import CEL
import TestSupport

/// A case of the specification's suite.
struct ConformanceCase: CustomStringConvertible, Sendable {
  /// The expected result of the expression.
  enum Expectation: Sendable {
    case value(Value)
    case error
    /// Only the type is asked for.
    case type
  }

  let file: String
  let section: String
  let name: String
  let expression: String
  /// The namespace in which names are looked up first.
  let container: String
  let bindings: [String: Value]
  let declarations: [(name: String, type: ValueType)]
  let expectation: Expectation
  let deducedType: ValueType?
  let isChecked: Bool
  let isCheckedOnly: Bool

  /// The name under which an omission would be listed.
  var id: String { "\(file)/\(section)/\(name)" }
  var description: String { id }

  /// Every case of a file, by its path under `Conformance`.
  static func all(in path: String) throws -> [ConformanceCase] {
    let json = try Value(json: Conformance.data(path))
    let file = path.split(separator: "/").last.map { String($0.dropLast(5)) } ?? path
    return try (json.listValue ?? []).map { try ConformanceCase($0, file: file) }
  }

  struct UnknownForm: Error {
    let text: String
  }

  private init(_ json: Value, file: String) throws {
    guard let map = json.mapValue, let expression = map["expr"]?.stringValue else {
      throw UnknownForm(text: json.description)
    }
    self.file = file
    self.expression = expression
    container = map["container"]?.stringValue ?? ""
    section = map["section"]?.stringValue ?? ""
    name = map["name"]?.stringValue ?? ""
    isChecked = map["disable_check"]?.boolValue != true
    isCheckedOnly = map["check_only"]?.boolValue == true
    var bindings: [String: Value] = [:]
    for (key, value) in map["bindings"]?.mapValue ?? [:] {
      bindings[key.stringValue ?? ""] = try Self.value(value)
    }
    self.bindings = bindings
    declarations = try (map["declarations"]?.listValue ?? []).map { declaration in
      guard let name = declaration.mapValue?["name"]?.stringValue,
        let type = declaration.mapValue?["type"]
      else { throw UnknownForm(text: declaration.description) }
      return (name, try Self.type(type))
    }
    deducedType = try map["deduced_type"].map(Self.type)
    if let value = map["expect"] {
      expectation = .value(try Self.value(value))
    } else {
      expectation = map["error"] == nil ? .type : .error
    }
  }

  /// A value as the suite writes it, tagged with its type.
  private static func value(_ json: Value) throws -> Value {
    guard let map = json.mapValue, let type = map["type"]?.stringValue else {
      throw UnknownForm(text: json.description)
    }
    let text = map["value"]?.stringValue ?? ""
    switch type {
    case "null": return .null
    case "bool": return map["value"] ?? .null
    case "int": return .int(Int64(text) ?? 0)
    case "uint": return .uint(UInt64(text) ?? 0)
    case "double": return .double(Double(text) ?? 0)
    case "string": return .string(text)
    case "bytes": return try constant("base64.decode('\(map["base64"]?.stringValue ?? "")')")
    case "timestamp": return try constant("timestamp('\(text)')")
    case "duration": return try constant("duration('\(text)')")
    case "type": return .type(TypeName(text))
    case "list": return .list(try (map["value"]?.listValue ?? []).map(value))
    case "map":
      var result = MapValue()
      for pair in map["value"]?.listValue ?? [] {
        guard let pair = pair.listValue, pair.count == 2 else {
          throw UnknownForm(text: json.description)
        }
        result.insert(try value(pair[1]), for: try value(pair[0]))
      }
      return .map(result)
    default: throw UnknownForm(text: json.description)
    }
  }

  private static func constant(_ expression: String) throws -> Value {
    guard let compiled = Environment.standard.compile(expression).expression else {
      throw UnknownForm(text: expression)
    }
    return try compiled.evaluate()
  }

  /// A type as the specification's `Type` message in JSON.
  private static func type(_ json: Value) throws -> ValueType {
    guard let map = json.mapValue, let (key, content) = map.first(where: { _ in true }) else {
      throw UnknownForm(text: json.description)
    }
    let parts = content.mapValue
    switch key.stringValue {
    case "dyn": return .dyn
    case "null": return .null
    case "primitive", "wellKnown": return try named(content)
    case "wrapper": return .nullable(try named(content))
    case "listType": return .list(try type(parts?["elemType"] ?? ["dyn": [:]]))
    case "mapType":
      return .map(
        try type(parts?["keyType"] ?? ["dyn": [:]]), try type(parts?["valueType"] ?? ["dyn": [:]]))
    case "type": return .type((try? type(content)) ?? .dyn)
    case "typeParam": return .parameter(content.stringValue ?? "")
    case "abstractType":
      let parameters = try (parts?["parameterTypes"]?.listValue ?? []).map(type)
      let name = parts?["name"]?.stringValue ?? ""
      return name == "optional_type" && parameters.count == 1
        ? .optional(parameters[0]) : .opaque(name, parameters)
    default: throw UnknownForm(text: json.description)
    }
  }

  private static func named(_ name: Value) throws -> ValueType {
    let types: [String: ValueType] = [
      "BOOL": .bool, "INT64": .int, "UINT64": .uint, "DOUBLE": .double, "STRING": .string,
      "BYTES": .bytes, "TIMESTAMP": .timestamp, "DURATION": .duration,
      "ANY": .dyn,
    ]
    guard let type = types[name.stringValue ?? ""] else {
      throw UnknownForm(text: name.description)
    }
    return type
  }
}
