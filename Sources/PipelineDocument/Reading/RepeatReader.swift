import PipelineCore
import YAMLSyntax

extension DocumentReader {
  /// What a step repeats, without the steps themselves.
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

  /// The values that a turn or the server leaves, in the order of `from`.
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

  /// A number or a truth value, which stays one.
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
    return template.from.map {
      DraftOutput(name: $0.name, value: $0.value, isSecret: false, lifetime: nil)
    }
  }

  func checkKeys(ofRepeat fields: FieldReader) {
    for key in [
      "let", "success_if", "outputs", "effect", "idempotency", "probe", "batch", "results",
    ] {
      guard let range = fields.keyRange(key) else { continue }
      collector.report(
        .uselessKey, "'\(key)' has no effect beside 'repeat'", at: range,
        help: key == "outputs"
          ? "the values in 'from' are its outputs" : "write it in the steps of 'repeat'")
    }
    if let range = fields.keyRange("on"), fields["repeat"]?["resync"] == nil {
      collector.report(
        .uselessKey, "'on' has no effect beside 'repeat' without 'resync', which has no response",
        at: range, help: "write it in the steps of 'repeat'")
    }
  }
}
