import CELFunctions

package struct PropertyReader {
  let reader: DocumentReader
  let length: Duration

  private static func environment(_ variables: [(name: String, type: ValueType)]) -> Environment {
    var environment = Environment(libraries: Library.all + [.uploads])
    for (name, type) in variables { environment.declare(name, as: type) }
    return environment
  }

  /// The names for the state of the simulated world.
  package static let world = environment(ScenarioProperty.worldVariables)
  package static let answers = environment(ScenarioProperty.requestVariables)

  package func properties(_ node: YAMLNode) -> [ScenarioProperty] {
    guard let elements = reader.list(node, of: "properties") else { return [] }
    let properties = elements.compactMap(property)
    reader.reportDuplicates("property name", properties.map { ($0.name, $0.range) })
    return properties
  }

  private func property(_ node: YAMLNode) -> ScenarioProperty? {
    guard let fields = reader.fields(node, .property) else { return nil }
    let name = fields["name"].flatMap { reader.name($0, of: "a property name", allowsHyphen: true) }
    let within = fields["within"].flatMap(within)
    if let range = fields.keyRange("within"), !fields.has("eventually") {
      reader.collector.report(.uselessKey, "'within' requires 'eventually'", at: range)
    }
    if let range = fields.keyRange("per"), !fields.has("at_most_once") {
      reader.collector.report(.uselessKey, "'per' requires 'at_most_once'", at: range)
    }
    let scope = fields["per"].flatMap {
      reader.choice($0, of: ScenarioProperty.Scope.self, what: "scope")
    }
    let kinds: [(String, ScenarioProperty.Kind)] = [
      ("always", .always), ("never", .never), ("eventually", .eventually(within: within)),
      ("at_most_once", .atMostOnce(per: scope?.value ?? .item)),
    ]
    for (key, kind) in kinds {
      guard let node = fields[key] else { continue }
      let environment = key == "at_most_once" ? Self.answers : Self.world
      guard let draft = reader.expression(node, expected: "a condition"),
        let expression = reader.compile(draft, .bool, environment), let name
      else { return nil }
      return ScenarioProperty(
        name: name.value, kind: kind, expression: expression, range: name.range)
    }
    return nil
  }

  private func within(_ node: YAMLNode) -> Duration? {
    guard let within = reader.duration(node) else { return nil }
    if within > length {
      reader.collector.report(
        .outOfRange,
        "'within' is longer than the \(length.milliseconds / 86_400_000) days of the scenario",
        at: reader.range(node))
    }
    return within
  }
}
