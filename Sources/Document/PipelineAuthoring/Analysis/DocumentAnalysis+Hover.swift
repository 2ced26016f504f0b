extension DocumentAnalysis {
  /// Information about the text at a position; `nil` if there is none.
  public func hover(at position: SourcePosition) -> Hover? {
    let position = lines.clamped(position)
    if let expression = index.expressions.first(where: { $0.range.touches(position) }) {
      return hover(in: expression, at: position)
    }
    if let found = occurrence(at: position), let text = text(of: found.symbol) {
      return Hover(markdown: text, range: found.range)
    }
    for use in index.keys where use.range.touches(position) {
      return Hover(markdown: text(of: use), range: use.range)
    }
    for use in index.keys {
      if let value = use.value, value.touches(position) {
        return Hover(markdown: text(of: use), range: value)
      }
    }
    return nil
  }

  private func text(of use: DocumentIndex.KeyUse) -> String {
    guard let key = use.construct.key(use.key) else { return "" }
    return """
      **\(use.key)** · \(key.detail(isNeeded: key.isRequired)) · of \(use.construct.phrase)

      \(key.documentation)
      """
  }

  private func text(of symbol: Symbol) -> String? {
    let index = index
    switch symbol {
    case .input(let name): return index.input(name).map(text)
    case .policy(let name): return text(of: name, among: index.policies, "retry policy")
    case .credential(let name): return text(of: name, among: index.credentials, "credentials")
    case .rate(let name): return text(of: name, among: index.rates, "rate")
    case .step(let id): return index.step(id).map(text)
    case .output(let id, let name): return text(ofOutput: name, of: id)
    case .value(let step, let name):
      let own = index.steps[step]
      let scope = DocumentIndex.Scope(
        step: step, loop: own.loop, parts: own.partOf, hasResponse: own.hasResponse)
      return text(of: name, in: scope, "value of the step `\(own.id?.value ?? "")`")
    case .variable(let loop):
      guard index.loops.indices.contains(loop), let variable = index.loops[loop].variable
      else { return nil }
      let scope = DocumentIndex.Scope(step: index.loops[loop].firstStep, loop: loop)
      return text(of: variable.value, in: scope, "loop variable")
    case .part(let step):
      let own = index.steps[step]
      guard let variable = own.parts?.variable else { return nil }
      let scope = DocumentIndex.Scope(step: step + 1, loop: own.loop, parts: step)
      return text(of: variable.value, in: scope, "part")
    }
  }

  private func text(of name: String, in scope: DocumentIndex.Scope, _ role: String) -> String {
    "**\(name)** · `\(TypeInference(index, in: scope).type(of: name) ?? .dyn)` · \(role)"
  }

  private func text(
    of name: String, among all: [DocumentIndex.Definition], _ role: String
  ) -> String? { all.contains { $0.name.value == name } ? "**\(name)** · \(role)" : nil }

  private func text(of input: DocumentIndex.Input) -> String {
    var parts = ["**\(input.name.value)** · input · `\(input.kind?.rawValue ?? "unknown type")`"]
    if let description = input.description { parts.append(description) }
    if let text = input.defaultText { parts.append("Default: `\(text)`") }
    if input.isOptional { parts.append("Optional.") }
    if input.kind == .secret { parts.append("Never stored, logged or reported.") }
    return parts.joined(separator: "\n\n")
  }

  private func text(of step: DocumentIndex.Step) -> String {
    var parts = ["**\(step.id?.value ?? "")** · step · `\(step.action?.value ?? "unknown")`"]
    if let description = step.description { parts.append(description) }
    var outputs = (step.outputs.map(\.name.value) + step.used.outputs).map { "`\($0)`" }
    if step.makesFile { outputs.append("`file`") }
    if !outputs.isEmpty { parts.append("Outputs: \(outputs.joined(separator: ", "))") }
    return parts.joined(separator: "\n\n")
  }

  private func text(ofOutput name: String, of id: String) -> String? {
    let index = index
    guard let number = index.steps.firstIndex(where: { $0.id?.value == id }) else { return nil }
    let step = index.steps[number]
    if name == "file", step.makesFile { return "**file** · `File` · the file of the step `\(id)`" }
    guard let output = step.outputs.first(where: { $0.name.value == name }) else { return nil }
    let scope = DocumentIndex.Scope(step: number, loop: step.loop, hasResponse: step.hasResponse)
    let type = TypeInference.type(of: output, TypeInference(index, in: scope).environment)
    var parts = ["**\(name)** · `\(type)` · output of the step `\(id)`"]
    if let lifetime = output.lifetime { parts.append("Valid \(lifetime).") }
    switch output.secrecy {
    case .lost: parts.append("Secret: not stored, logged or reported.")
    case .sealed: parts.append("Secret: stored encrypted, not logged or reported.")
    case nil: break
    }
    return parts.joined(separator: "\n\n")
  }

  private func hover(
    in expression: DocumentIndex.ExpressionUse, at position: SourcePosition
  ) -> Hover? {
    if let found = occurrence(at: position), let text = text(of: found.symbol) {
      return Hover(markdown: text, range: found.range)
    }
    let types = TypeInference(index, in: expression.scope)
    let names = ExpressionNames(Array(expression.source.unicodeScalars))
    let ranges = self.ranges(of: names.paths.flatMap { $0.names.map(\.range) }, in: expression)
    var place = ranges.startIndex
    for path in names.paths {
      for number in path.names.indices where place < ranges.endIndex {
        let range = ranges[place]
        place += 1
        guard range.touches(position), let text = text(of: path, through: number, types)
        else { continue }
        return Hover(markdown: text, range: range)
      }
    }
    return types.type(of: expression.source).map {
      Hover(markdown: "expression · `\($0)`", range: expression.range)
    }
  }

  private func ranges(
    of parts: [Range<Int>], in expression: DocumentIndex.ExpressionUse
  ) -> [TextRange] {
    let offsets = parts.map {
      ($0.lowerBound + expression.offset)..<($0.upperBound + expression.offset)
    }
    let ranges = index.document?.ranges(ofScalarOffsets: offsets, in: expression.node) ?? []
    return ranges.map { TextRange(file: file, start: $0.start, end: $0.end) }
  }

  private func text(
    of path: ExpressionNames.Path, through number: Int, _ types: TypeInference
  ) -> String? {
    let name = path.names[number].name
    let isLast = number == path.names.count - 1
    if path.isCalled, isLast {
      let qualified = path.text(through: number)
      if !path.isMember, let text = text(ofFunction: qualified, types) { return text }
      return text(ofFunction: name, types)
    }
    if path.isMember || path.isLocal { return nil }
    let text = path.text(through: number)
    if let type = types.type(of: text) { return "`\(text)` · `\(type)`" }
    return nil
  }

  private func text(ofFunction name: String, _ types: TypeInference) -> String? {
    if let macro = FunctionReference.macro(name) {
      return "```cel\n\(macro.signature)\n```\n\n\(macro.summary)"
    }
    let overloads = types.environment.overloads(of: name)
    guard !overloads.isEmpty else { return nil }
    let signatures = overloads.map { $0.text(name: name) }.joined(separator: "\n")
    let summary = FunctionReference.summaries[name].map { "\n\n\($0)" } ?? ""
    return "```cel\n\(signatures)\n```\(summary)"
  }
}
