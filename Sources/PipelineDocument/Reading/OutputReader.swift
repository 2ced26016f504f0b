import PipelineCore
package import YAMLSyntax

extension DocumentReader {
  package func outputs(_ node: YAMLNode) -> [DraftOutput] {
    (map(node, of: "outputs by name") ?? []).map { name, value in
      if check(name: name, of: "an output name") {
        checkReserved(name, of: "an output")
        if name.value == "file" {
          collector.report(
            .reservedName,
            "'file' cannot name an output: it is reserved for the file of a materialize step",
            at: name.range)
        }
      }
      return output(name, value)
    }
  }

  private func output(_ name: Located<String>, _ node: YAMLNode) -> DraftOutput {
    guard node.mapping != nil else {
      let value = template(node, expected: "an output value")
      return DraftOutput(name: name, value: value, isSecret: false, lifetime: nil)
    }
    let fields = fields(node, .output)
    let secret = fields?["secret"]
    let isSealed = secret?.string == "sealed"
    return DraftOutput(
      name: name, value: fields?["value"].flatMap { template($0, expected: "an output value") },
      isSecret: isSealed || secret.flatMap(secrecy) == true, isSealed: isSealed,
      lifetime: fields?["expires"].flatMap(lifetime))
  }

  /// `true` or `false`; the word `sealed` was read before.
  private func secrecy(_ node: YAMLNode) -> Bool? {
    if let text = node.string, let nearest = nearestName(to: text, among: ["sealed"]) {
      return collector.refuse(
        .invalidChoice, "invalid secrecy '\(text)', expected 'true', 'false' or 'sealed'",
        at: range(node), nearest: nearest)
    }
    return flag(node)?.value
  }

  private func lifetime(_ node: YAMLNode) -> (
    end: DraftOutput.End, skew: Duration?, slides: Bool
  )? {
    guard let fields = fields(node, .lifetime) else { return nil }
    let skew = fields["skew"].flatMap(duration)
    let sliding = fields["sliding"].flatMap(flag)
    let slides = sliding?.value ?? false
    if let node = fields["in"] { return (.after(durationExpression(node)), skew, slides) }
    if let node = fields["at"] {
      return (.at(expression(node, expected: "a timestamp")), skew, slides)
    }
    if let node = fields["url"] {
      if slides, let sliding {
        collector.report(
          .uselessKey, "a signed URL does not become valid for longer when it is used",
          at: sliding.range, help: "remove 'sliding'")
      }
      return (.url(expression(node, expected: "a URL")), skew, false)
    }
    return nil
  }

  /// A duration, as an expression: a constant becomes `duration("…s")`.
  func durationExpression(_ node: YAMLNode) -> DraftExpression? {
    if node.scalar?.text.holds("${{") == true { return expression(node, expected: "a duration") }
    return duration(node).map { duration in
      DraftExpression(
        source: "duration(\"\(DurationLiteral.celText(duration))\")", origin: .constant,
        range: range(node))
    }
  }
}
