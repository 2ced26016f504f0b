import PipelineCore
import YAMLSyntax

extension DocumentReader {
  /// An inner loop, followed by the steps of its parts; `index` counts the steps of the file.
  func innerLoop(_ node: YAMLNode, index: inout Int) -> [DraftStep] {
    guard let fields = fields(node, .innerLoop) else { return [] }
    let own = index
    index += 1
    let id = fields["id"].flatMap { name($0, of: "a step ID") }
    if let id { checkReserved(id, of: "a step") }
    if let description = fields["description"] { _ = text(description) }
    let variable = fields["for_each"].flatMap { name($0, of: "the name of the part") }
    if let variable { check(variable: variable) }
    let collect = (fields["collect"].flatMap { map($0, of: "values by name") } ?? []).map {
      name, value in
      _ = check(name: name, of: "a value")
      return DraftField(name: name, value: template(value, expected: "a value"))
    }
    let items = fields["in"].flatMap { expression($0, expected: "a list") }
    let step = DraftStep(
      index: own, id: id,
      condition: fields["if"].flatMap { expression($0, expected: "a condition") },
      action: items.flatMap { items in
        variable.map {
          .forEach(
            Parts(
              variable: $0, items: items, concurrency: max(fields.integer("concurrency") ?? 4, 1),
              collect: collect))
        }
      },
      use: nil, matchers: [],
      outputs: collect.map {
        DraftOutput(name: $0.name, value: $0.value, isSecret: false, lifetime: nil)
      },
      retry: nil, effect: .repeatable, effectRange: nil,
      idempotencyKey: nil, probe: nil, batch: nil, results: nil, responseKeys: [],
      dependsOn: stepIDs(fields["depends_on"]),
      reissueLimit: fields.integer("max_reissues"), range: id?.range ?? fields.headRange,
      node: node)
    return [step] + innerSteps(fields["steps"], partOf: own, index: &index)
  }

  /// The steps of a turn or of a part, which can have no steps inside them.
  func innerSteps(
    _ node: YAMLNode?, turnOf: Int? = nil, partOf: Int? = nil, index: inout Int
  ) -> [DraftStep] {
    var steps: [DraftStep] = []
    for element in node.flatMap({ filledList($0, "steps", of: "steps", "step") }) ?? [] {
      let nested = ["for_each", "repeat", "use", "batch"].lazy.compactMap { element.entry($0)?.key }
      if let key = nested.first {
        collector.report(
          .unsupportedKey,
          "'\(key.string ?? "")' inside \(partOf == nil ? "'repeat'" : "an inner loop") is not supported yet",
          at: range(key))
        continue
      }
      if let step = step(element, turnOf: turnOf, partOf: partOf, index: &index) {
        steps.append(step)
      }
    }
    return steps
  }

  /// A mapping with any key that only inner loops have is read as one.
  static func isInnerLoop(_ element: YAMLNode) -> Bool {
    ["for_each", "steps", "collect"].contains { element[$0] != nil }
  }
}
