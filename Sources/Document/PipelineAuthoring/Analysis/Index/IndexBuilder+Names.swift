extension IndexBuilder {
  mutating func names(
    _ scalars: [Unicode.Scalar], _ pieces: [Range<Int>], _ node: YAMLNode, _ scope: Scope
  ) {
    var found: [(symbol: DocumentIndex.Symbol, range: Range<Int>)] = []
    let variable = scope.loop.flatMap { index.loops[$0].variable?.value }
    for piece in pieces {
      for path in ExpressionNames(Array(scalars[piece])).paths where !path.isMember && !path.isLocal
      {
        let names = path.names.map { name in
          (
            name.name,
            (name.range.lowerBound + piece.lowerBound)..<(name.range.upperBound + piece.lowerBound)
          )
        }
        if names[0].0 == "inputs", names.count > 1 {
          found.append((.input(names[1].0), names[1].1))
        } else if names[0].0 == "steps", names.count > 1 {
          found.append((.step(names[1].0), names[1].1))
          if names.count > 2 {
            found.append((.output(step: names[1].0, name: names[2].0), names[2].1))
          }
        } else if names[0].0 == "previous", names.count > 1, let own = owners.last,
          let id = index.steps[own].id
        {
          found.append((.output(step: id.value, name: names[1].0), names[1].1))
        } else if let loop = scope.loop, names[0].0 == variable {
          found.append((.variable(loop: loop), names[0].1))
        } else if index.steps.indices.contains(scope.step),
          index.steps[scope.step].values.contains(where: { $0.name.value == names[0].0 })
        {
          found.append((.value(step: scope.step, name: names[0].0), names[0].1))
        } else if let parts = scope.parts, names[0].0 == index.steps[parts].parts?.variable?.value {
          found.append((.part(step: parts), names[0].1))
        }
      }
    }
    let ranges = document.ranges(ofScalarOffsets: found.map(\.range), in: node)
    for (name, place) in zip(found, ranges) { note(name.symbol, range(place)) }
  }

  mutating func declare(_ entry: YAMLEntry, of construct: Construct, _ key: String) {
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

  private mutating func mention(
    _ name: Located<String>, _ entry: YAMLEntry, _ construct: Construct, _ key: String
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

  mutating func reference(_ node: YAMLNode, of construct: Construct, _ key: String) {
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

  func outputs(of step: YAMLNode, _ id: String?) -> [DocumentIndex.Output] {
    if let taken = step["digest"]?["take"]?.sequence {
      return taken.compactMap { node in
        guard let name = text(node) else { return nil }
        return DocumentIndex.Output(
          name: name, value: nil, secrecy: nil, lifetime: nil, range: name.range,
          type: .object(Variables.digest))
      }
    }
    return ((step["repeat"]?["from"] ?? step["collect"] ?? step["outputs"])?.mapping ?? [])
      .compactMap { entry in
        guard let name = text(entry.key) else { return nil }
        let isMapping = entry.value.mapping != nil
        let expires = isMapping ? entry.value["expires"] : nil
        let lifetime = expires.flatMap { $0["in"] ?? $0["at"] ?? $0["url"] }?.scalar?.text
        return DocumentIndex.Output(
          name: name, value: isMapping ? entry.value["value"] : entry.value,
          secrecy: isMapping ? secrecy(entry.value["secret"]) : nil,
          lifetime: lifetime.map { Self.word(beforeEnd: expires) + "`\($0)`" },
          range: range(entry.range))
      }
  }

  private func secrecy(_ node: YAMLNode?) -> DocumentIndex.Secrecy? {
    node?.string == "sealed" ? .sealed : node?.scalarValue == .bool(true) ? .lost : nil
  }

  private static func word(beforeEnd expires: YAMLNode?) -> String {
    if expires?["in"] != nil { return "for " }
    return expires?["at"] == nil ? "for the time that the URL specifies: " : "until "
  }
}

extension [ValueShape] {
  /// The shape that a node can have in addition to that of a construct.
  func shape(of node: YAMLNode) -> ValueShape? {
    let isExpression = node.scalar?.text.contains("${{") ?? false
    if isExpression, let shape = first(where: \.takesExpressions) { return shape }
    return first { shape in
      switch shape {
      case .construct: false
      case .map: node.mapping != nil
      case .list, .filledList: node.sequence != nil
      default: node.scalar != nil
      }
    }
  }
}

extension ValueShape {
  fileprivate var takesExpressions: Bool {
    switch self {
    case .template, .optionalTemplate, .expression, .durationOrExpression, .json: true
    default: false
    }
  }
}
