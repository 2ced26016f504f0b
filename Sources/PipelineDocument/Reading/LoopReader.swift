import PipelineCore
package import YAMLSyntax

extension DocumentReader {
  /// A `for_each` loop; `index` counts the steps of the file.
  package func loop(_ node: YAMLNode, index: inout Int) -> DraftLoop? {
    guard let fields = fields(node, .loop) else { return nil }
    let inside = reader(defaults: fields["defaults"])
    let variable = fields["for_each"].flatMap { name($0, of: "the name of the loop variable") }
    if let variable { check(variable: variable) }
    let firstStep = index
    var steps: [DraftStep] = []
    let elements = fields["steps"].flatMap { filledList($0, "steps", of: "steps", "step") }
    for element in elements ?? [] {
      steps +=
        Self.isInnerLoop(element)
        ? inside.innerLoop(element, index: &index) : inside.steps(element, index: &index)
    }
    let id = fields["id"].flatMap { name($0, of: "a loop ID") }
    if let id { checkReserved(id, of: "a loop") }
    if let description = fields["description"] { _ = text(description) }
    return DraftLoop(
      id: id, variable: variable,
      condition: fields["if"].flatMap { expression($0, expected: "a condition") },
      items: fields["in"].flatMap { expression($0, expected: "a list") },
      concurrency: fields.integer("concurrency") ?? 8,
      firstStep: firstStep, steps: steps,
      failures: fields.choice("failures", of: Loop.Failures.self, what: "failure mode") ?? .stop,
      compensations: fields["on_abandon"].flatMap { list($0, of: "requests") }?
        .compactMap(inside.abandonment) ?? [],
      range: variable?.range ?? fields.headRange, node: node)
  }

  private func abandonment(_ node: YAMLNode) -> DraftAbandonment? {
    guard let fields = fields(node, .abandonment),
      let request = fields["request"].flatMap(request)
    else { return nil }
    return DraftAbandonment(request: request, undoes: stepIDs(fields["undoes"]))
  }

  func check(variable: Located<String>) {
    checkReserved(variable, of: "the loop variable")
    guard Self.rootNames.contains(variable.value) else { return }
    collector.report(
      .reservedName,
      "'\(variable.value)' cannot name the loop variable: it already has a meaning in expressions",
      at: variable.range)
  }

  /// The names that expressions begin with, besides the loop's variable.
  package static let rootNames: Set<String> = [
    "inputs", "steps", "run", "item", "now", "response", "history", "batch",
    "idempotency", "previous", "clock",
  ]
}
