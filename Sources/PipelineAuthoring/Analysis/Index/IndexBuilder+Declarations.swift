import PipelineDocument
import PipelineScenarios
import PipelineCore
import YAMLSyntax

extension IndexBuilder {
  mutating func declare(_ entry: YAMLEntry, of construct: Construct.Name, _ key: String) {
    guard let name = text(entry.key) else { return }
    switch (construct, key) {
    case (.pipeline, "inputs"):
      let value = entry.value
      index.inputs.append(
        DocumentIndex.Input(
          name: name, kind: value["type"]?.string.flatMap(InputDeclaration.Kind.init),
          description: value["description"]?.string, defaultText: value["default"]?.scalar?.text,
          isOptional: value["required"]?.scalarValue == .bool(false), range: range(entry.range)))
      note(.input(name.value), name.range, isDefinition: true)
    case (.pipeline, "credentials"), (.definitions, "credentials"):
      index.credentials.append(DocumentIndex.Definition(name: name, range: range(entry.range)))
      note(.credential(name.value), name.range, isDefinition: true)
    case (.pipeline, "retry"), (.definitions, "retry"):
      index.policies.append(DocumentIndex.Definition(name: name, range: range(entry.range)))
      note(.policy(name.value), name.range, isDefinition: true)
    case (.budgets, "rates"):
      index.rates.append(DocumentIndex.Definition(name: name, range: range(entry.range)))
      note(.rate(name.value), name.range, isDefinition: true)
    case (.step, "let"):
      guard let own = owners.last else { return }
      index.steps[own].values.append(
        DocumentIndex.StepValue(name: name, value: entry.value, range: range(entry.range)))
      note(.value(step: own, name: name.value), name.range, isDefinition: true)
    case (.step, "outputs"):
      guard let id = owners.last.flatMap({ index.steps[$0].id }) else { return }
      note(.output(step: id.value, name: name.value), name.range, isDefinition: true)
    case (.repeat, "next"), (.resync, "next"):
      guard let id = owners.last.flatMap({ index.steps[$0].id }) else { return }
      note(.output(step: id.value, name: name.value), name.range)
    default: mention(name, entry, construct, key)
    }
  }

  /// A name of the tested pipeline, in a test.
  private mutating func mention(
    _ name: Located<String>, _ entry: YAMLEntry, _ construct: Construct.Name, _ key: String
  ) {
    switch (construct, key) {
    case (.test, "inputs"), (.testCase, "inputs"): note(.input(name.value), name.range)
    case (.test, "answers"), (.testCase, "answers"), (.test, "probes"), (.testCase, "probes"),
      (.expectation, "attempts"), (.expectation, "probes"), (.expectation, "reissues"):
      note(.step(name.value), name.range)
    case (.expectation, "outputs"), (.itemExpectation, "outputs"):
      note(.step(name.value), name.range)
      for output in entry.value.mapping ?? [] {
        guard let text = text(output.key) else { continue }
        note(.output(step: name.value, name: text.value), text.range)
      }
    default: break
    }
  }

  mutating func reference(_ node: YAMLNode, of construct: Construct.Name, _ key: String) {
    guard let name = text(node) else { return }
    switch (construct, key) {
    case (.matcher, "expired"), (.step, "depends_on"), (.innerLoop, "depends_on"),
      (.requestExpectation, "step"):
      note(.step(name.value), name.range)
    case (.step, "retry"): note(.policy(name.value), name.range)
    case (_, "credentials"): note(.credential(name.value), name.range)
    case (_, "rate"): note(.rate(name.value), name.range)
    default: break
    }
  }
}
