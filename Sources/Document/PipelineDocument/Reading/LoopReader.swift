extension DocumentReader {
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
      concurrency: fields.integer("concurrency") ?? 8, waiting: fields.integer("waiting"),
      firstStep: firstStep, steps: steps,
      failures: fields.choice("failures", of: Loop.Failures.self, what: "failure mode") ?? .stop,
      compensations: fields["on_abandon"].flatMap { list($0, of: "requests") }?
        .compactMap(inside.abandonment) ?? [],
      range: variable?.range ?? fields.headRange, node: node)
  }

  private func abandonment(_ node: YAMLNode) -> DraftAbandonment? {
    guard let fields = fields(node, .abandonment), let request = fields["request"].flatMap(request)
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

  /// The names that expressions start with, in addition to the loop's variable.
  package static let rootNames: Set<String> = [
    "inputs", "steps", "run", "item", "now", "response", "history", "batch",
    "idempotency", "previous", "clock",
  ]

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
      outputs: collect.map { DraftOutput(name: $0.name, value: $0.value) },
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

  func `repeat`(_ node: YAMLNode) -> Repeat<Draft>? {
    guard let fields = fields(node, .repeat) else { return nil }
    let resync = fields["resync"].flatMap { self.fields($0, .resync) }
    let from = (fields["from"].flatMap { map($0, of: "values by name") } ?? []).map { name, value in
      _ = check(name: name, of: "a value")
      return DraftField(name: name, value: constant(value) ?? template(value, expected: "a value"))
    }
    if let node = fields["from"], node.mapping?.isEmpty == true {
      collector.report(
        .emptyCollection, "'from' is empty, expected at least one value", at: range(node),
        help: "name what changes from turn to turn, for example { offset: 0 }")
    }
    return Repeat(
      from: from, until: fields["until"].flatMap { expression($0, expected: "a condition") },
      next: values(fields["next"], among: from), resync: resync?["request"].flatMap(request),
      found: values(resync?["next"], among: from))
  }

  private func values(_ node: YAMLNode?, among from: [DraftField]) -> [DraftField] {
    guard let node else { return [] }
    let known = from.map(\.name.value)
    return (map(node, of: "values by name") ?? []).compactMap { name, value in
      guard known.contains(name.value) else {
        return collector.refuse(
          .unknownOutput, "'from' has no value '\(name.value)'", at: name.range,
          help: "its values are \(quotedList(known))",
          nearest: nearestName(to: name.value, among: known))
      }
      return DraftField(name: name, value: template(value, expected: "a value"))
    }
  }

  private func constant(_ node: YAMLNode) -> DraftTemplate? {
    let source: String
    switch node.scalarValue {
    case .int(let number)?: source = "\(number)"
    case .double(let number)? where number.isFinite: source = "\(number)"
    case .bool(let flag)?: source = "\(flag)"
    default: return nil
    }
    noteReading(of: node)
    return DraftTemplate(source: source, at: range(node))
  }

  /// The values that a `repeat` step carries from turn to turn, as its outputs; `nil` for other steps.
  func carried(_ action: StepAction<Draft>?, _ fields: FieldReader) -> [DraftOutput]? {
    guard case .repeat(let template)? = action else { return nil }
    return template.from.map { DraftOutput(name: $0.name, value: $0.value) }
  }

  func checkKeys(ofRepeat fields: FieldReader) {
    fields.reportUseless(
      [
        "let", "success_if", "outputs", "effect", "target", "shared_target", "idempotency", "probe",
        "batch", "results",
      ]
    ) {
      "'\($0)' has no effect together with 'repeat'"
    } help: {
      $0 == "outputs" ? "the values in 'from' are its outputs" : "write it in the steps of 'repeat'"
    }
    if let range = fields.keyRange("on"), fields["repeat"]?["resync"] == nil {
      collector.report(
        .uselessKey,
        "'on' has no effect together with 'repeat' without 'resync', which has no response",
        at: range, help: "write it in the steps of 'repeat'")
    }
  }
}
