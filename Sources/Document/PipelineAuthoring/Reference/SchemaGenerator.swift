/// Writes the JSON Schema of pipelines from the same key tables that the readers use.
public enum SchemaGenerator {
  /// The JSON Schema (2020-12), the content of `Schemas/pipeline.schema.json`.
  public static func pipelineSchemaText() -> String {
    text(title: "Pipeline", root: .pipeline, Construct.ofPipelines)
  }

  /// The JSON Schema of `*.test.yaml` files, the content of `Schemas/pipeline-test.schema.json`.
  public static func testSchemaText() -> String {
    text(title: "Pipeline test", root: .test, Construct.ofTests)
  }

  /// The JSON Schema of scenarios, the content of `Schemas/scenario.schema.json`.
  public static func scenarioSchemaText() -> String {
    text(title: "Scenario", root: .scenario, Construct.ofScenarios)
  }

  private static func text(title: String, root: Construct, _ names: [Construct]) -> String {
    let definitions = names.filter { $0 != root }.map { ($0.name, schema(of: $0)) }
    var pairs: [(String, Value)] = [
      ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", .string(title)),
    ]
    pairs += Array(members(of: root))
    // Only scenarios have rates of bytes.
    let scalars = scalars.filter { $0.key != "rate" || root == .scenario }
      .map { ($0.key.stringValue ?? "", $0.value) }
    pairs.append(("$defs", .map(MapValue(definitions + scalars))))
    return JSONText.render(.map(MapValue(pairs))) + "\n"
  }

  private static func schema(of construct: Construct) -> Value {
    .map(MapValue([("title", .string(construct.name))] + members(of: construct)))
  }

  private static func members(of construct: Construct) -> [(String, Value)] {
    var pairs: [(String, Value)] = [
      ("description", .string(construct.summary)), ("type", "object"),
      ("properties", .map(MapValue(construct.keys.map { ($0.name, schema(of: $0)) }))),
    ]
    let required = construct.keys.filter(\.isRequired).map { Value.string($0.name) }
    if !required.isEmpty { pairs.append(("required", .list(required))) }
    let rules = construct.alternatives.map(schema)
    if !rules.isEmpty { pairs.append(("allOf", .list(rules))) }
    pairs.append(("additionalProperties", false))
    return pairs
  }

  private static func schema(of key: Key) -> Value {
    var pairs = Array(schema(of: key.shape))
    // Siblings of `$ref` count in 2020-12, and editors show the ones nearest to the key.
    pairs.insert(("description", .string(key.summary)), at: 0)
    pairs.insert(("title", .string(key.name)), at: 0)
    if let value = key.defaultValue { pairs.append(("default", value)) }
    if !key.examples.isEmpty { pairs.append(("examples", .list(key.examples))) }
    return .map(MapValue(pairs))
  }

  private static func schema(_ alternatives: Construct.Alternatives) -> Value {
    let single = alternatives.keys.map { key -> Value in ["required": [.string(key)]] }
    guard !alternatives.isRequired else { return ["oneOf": .list(single)] }
    let none: Value = ["not": ["anyOf": .list(single)]]
    return ["oneOf": .list(single + [none])]
  }

  private static func schema(of shape: ValueShape) -> [(String, Value)] {
    switch shape {
    case .text: return [("type", "string")]
    case .pattern(let pattern): return [("type", "string"), ("pattern", .string(pattern))]
    case .template: return reference("template")
    case .optionalTemplate: return [("anyOf", [object(reference("template")), ["type": "null"]])]
    case .expression: return reference("expression")
    case .duration: return reference("duration")
    case .durationOrExpression:
      return [("anyOf", [object(reference("duration")), object(reference("expression"))])]
    case .size: return reference("size")
    case .rate: return reference("rate")
    case .requestRate: return reference("request_rate")
    case .integer(let minimum): return [("type", "integer"), ("minimum", .int(Int64(minimum)))]
    case .number(let minimum): return [("type", "number"), ("minimum", .double(minimum))]
    case .fraction: return [("type", "number"), ("minimum", 0), ("maximum", 1)]
    case .flag: return [("type", "boolean")]
    case .choice(let words): return [("enum", .list(words.map(Value.string)))]
    case .scalar: return [("type", ["string", "number", "boolean"])]
    case .json: return []
    case .map(let value, let names):
      var pairs: [(String, Value)] = [("type", "object")]
      if let names { pairs.append(("propertyNames", ["pattern": .string(names)])) }
      pairs.append(("additionalProperties", object(schema(of: value))))
      return pairs
    case .list(let element): return [("type", "array"), ("items", object(schema(of: element)))]
    case .filledList(let element): return schema(of: .list(element)) + [("minItems", 1)]
    case .construct(let construct): return reference(construct().name)
    case .either(let shapes): return either(shapes)
    }
  }

  /// Editors report errors inside the intended branch once one key identifies that branch.
  private static func either(_ shapes: [ValueShape]) -> [(String, Value)] {
    if shapes.first?.construct == .step, let loop = shapes.last?.construct {
      return [
        ("type", "object"), ("if", ["required": ["for_each"]]),
        ("then", object(reference(loop.name))), ("else", object(reference("step"))),
      ]
    }
    return [("anyOf", .list(shapes.map { object(schema(of: $0)) }))]
  }

  private static func reference(_ name: String) -> [(String, Value)] {
    [("$ref", .string("#/$defs/\(name)"))]
  }

  private static func object(_ pairs: [(String, Value)]) -> Value { .map(MapValue(pairs)) }

  private static let scalars: MapValue = {
    let patterns = [
      "duration": DurationLiteral.pattern, "size": SizeLiteral.pattern,
      "request_rate": RequestRateLiteral.pattern,
      "rate": String(SizeLiteral.pattern.dropLast() + #"(/s)?$"#),
    ]
    let text = patterns.reduce(EmbeddedTexts.scalars.map(\.text).joined()) {
      $0.replacing("{{\($1.key)}}", with: Value.string($1.value).jsonText())
    }
    return (try? Value(json: text))?.mapValue ?? [:]
  }()
}
