import CEL

/// The secrets of a pipeline: declared secrets, and everything derived from them.
struct Secrecy {
  private(set) var names: Set<String>
  /// Indices of the materializations whose files contain one.
  private(set) var bodies: Set<Int> = []
  /// Indices of the loops whose elements are derived from one.
  private(set) var loops: Set<Int> = []
  /// Indices of the steps whose batch entries are derived from one.
  private(set) var batches: Set<Int> = []
  /// Names that have a sealed value, or one made of such a value.
  private var sealed: Set<String> = []
  private let loopVariables: [String]

  /// Follows secrets from step to step until nothing more is found.
  init(inputs: [InputDeclaration], steps: [Step], loops: [Loop]) {
    loopVariables = loops.map(\.variable)
    names = Set(inputs.filter { $0.kind == .secret }.map { "inputs.\($0.name)" })
    for step in steps {
      for output in step.outputs where output.isSecret {
        add(output, of: step, isSealed: output.isSealed)
      }
    }
    guard !names.isEmpty else { return }
    var known = -1
    while known != count {
      known = count
      for (index, loop) in loops.enumerated() where loop.items.reads(names) {
        self.loops.insert(index)
      }
      for (index, step) in steps.enumerated() { follow(step, at: index, steps) }
    }
  }

  private mutating func add(_ output: OutputDeclaration, of step: Step, isSealed: Bool) {
    names.insert(step.name(of: output))
    // The values that a step reads of its own last success.
    if step.signIn?.output != nil || step.outputs.contains(where: \.isSealed) {
      names.insert("previous.\(output.name)")
    }
    if isSealed { sealed.insert(step.name(of: output)) }
  }

  private var count: Int { names.count + bodies.count + loops.count + batches.count }

  func marked(_ step: Step) -> Step {
    let outputs = step.outputs.map { output in
      output.isSecret || !names.contains(step.name(of: output))
        ? output
        : OutputDeclaration(
          name: output.name, value: output.value, isSecret: true,
          isSealed: sealed.contains(step.name(of: output)), lifetime: output.lifetime)
    }
    return outputs == step.outputs ? step : step.with(outputs: outputs)
  }

  private mutating func follow(_ step: Step, at index: Int, _ steps: [Step]) {
    var secrets = names
    if let loop = step.loop, loops.contains(loop) { secrets.insert(loopVariables[loop]) }
    if let batch = step.batch, batch.entry.expressions.contains(where: { $0.reads(secrets) }) {
      batches.insert(index)
      secrets.formUnion(["batch.entry", "batch.entries"])
    }
    // A response's URL reveals the content of its request.
    if let request = step.action.request,
      (request.url.expressions + request.query.flatMap(\.value.expressions))
        .contains(where: { $0.reads(secrets) })
    {
      secrets.insert("response.url")
    }
    for (index, output) in step.outputs.enumerated() {
      let values = step.values(ofOutput: index)
      if values.contains(where: { $0.reads(secrets) }) || revealsBody(step, secrets, steps) {
        add(output, of: step, isSealed: values.contains { $0.reads(sealed) })
      }
    }
    guard case .materialize(let template) = step.action else { return }
    if template.files.contains(where: { readsBody($0, steps) })
      || template.expressions.contains(where: { $0.reads(secrets) })
    {
      bodies.insert(index)
    }
  }

  private func readsBody(_ file: Expression, _ steps: [Step]) -> Bool {
    file.compiled.references.contains { reference in
      bodies.contains { "steps.\(steps[$0].id).file" == reference.variable }
    }
  }

  /// Whether the step computes digests of a secret: anyone who guesses the secret could compare them.
  private func revealsBody(_ step: Step, _ secrets: Set<String>, _ steps: [Step]) -> Bool {
    guard case .digest(let template) = step.action else { return false }
    return readsBody(template.file, steps) || template.expressions.contains { $0.reads(secrets) }
  }
}

extension Expression {
  /// Whether it reads nothing but inputs, so that its value is known before the run starts.
  package var readsOnlyInputs: Bool {
    compiled.references.allSatisfy { $0.variable.hasPrefix("inputs.") }
  }

  fileprivate func reads(_ variables: Set<String>) -> Bool {
    compiled.references.contains { variables.contains($0.variable) }
  }
}

extension Step {
  var readsPrevious: Bool {
    // Only a step that seals an output can name it.
    signIn?.output != nil
      || outputs.contains(where: \.isSealed)
        && expressions.contains { expression in
          expression.compiled.references.contains { $0.variable.hasPrefix("previous.") }
        }
  }

  func name(of output: OutputDeclaration) -> String { "steps.\(id).\(output.name)" }
}

extension MaterializeTemplate {
  fileprivate var files: [Expression] {
    switch source {
    case .file(let file, _): [file]
    case .json, .text, .xml: []
    case .concat(let pieces):
      pieces.compactMap { piece in if case .file(let file, _) = piece { file } else { nil } }
    case .multipart(let parts):
      parts.compactMap { part in
        if case .file(let file, _, _) = part.content { file } else { nil }
      }
    }
  }
}
