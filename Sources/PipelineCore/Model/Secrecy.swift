import CEL

/// What is secret in a pipeline: what is declared so, and whatever is made of it.
struct Secrecy {
  /// Names of expressions with a secret value.
  private(set) var names: Set<String>
  /// Indices of the materializations whose files hold one.
  private(set) var bodies: Set<Int> = []

  /// Follows the secrets from step to step, until nothing more is found.
  init(inputs: [InputDeclaration], steps: [Step]) {
    names = Set(inputs.filter { $0.kind == .secret }.map { "inputs.\($0.name)" })
    for step in steps {
      for output in step.outputs where output.isSecret { names.insert(step.name(of: output)) }
    }
    guard !names.isEmpty else { return }
    var known = -1
    while known != names.count + bodies.count {
      known = names.count + bodies.count
      for (index, step) in steps.enumerated() { follow(step, at: index, steps) }
    }
  }

  /// The step with its secret outputs declared as such.
  func marked(_ step: Step) -> Step {
    let outputs = step.outputs.map { output in
      output.isSecret || !names.contains(step.name(of: output))
        ? output
        : OutputDeclaration(
          name: output.name, value: output.value, isSecret: true, lifetime: output.lifetime)
    }
    return outputs == step.outputs ? step : step.with(outputs: outputs)
  }

  private mutating func follow(_ step: Step, at index: Int, _ steps: [Step]) {
    let isEntrySecret = step.batch.map { reads($0.entry.expressions) } ?? false
    for output in step.outputs {
      let isOfEntry = output.value.expressions.contains { expression in
        expression.compiled.references.contains {
          $0.variable == "batch.entry" || $0.variable == "batch.entries"
        }
      }
      if reads(output.value.expressions) || (isEntrySecret && isOfEntry) {
        names.insert(step.name(of: output))
      }
    }
    guard case .materialize(let template) = step.action else { return }
    let holdsBody = template.files.contains { file in
      file.compiled.references.contains { reference in
        bodies.contains { "steps.\(steps[$0].id).file" == reference.variable }
      }
    }
    if holdsBody || reads(template.expressions) { bodies.insert(index) }
  }

  private func reads(_ expressions: [Expression]) -> Bool {
    expressions.contains { $0.compiled.references.contains { names.contains($0.variable) } }
  }
}

extension Step {
  /// How expressions name the output.
  fileprivate func name(of output: OutputDeclaration) -> String { "steps.\(id).\(output.name)" }

  /// The same step with other declarations of its outputs.
  fileprivate func with(outputs: [OutputDeclaration]) -> Step {
    Step(
      id: id, loop: loop, position: position, action: action, condition: condition,
      matchers: matchers, outputs: outputs, retry: retry, effect: effect,
      idempotencyHeader: idempotencyHeader, probe: probe, uses: uses, reissueLimit: reissueLimit,
      batch: batch, location: location)
  }
}

extension MaterializeTemplate {
  /// The expressions that name the files in it.
  fileprivate var files: [Expression] {
    switch source {
    case .file(let file, _): [file]
    case .json, .text: []
    case .multipart(let parts):
      parts.compactMap { part in
        if case .file(let file, _) = part.content { file } else { nil }
      }
    }
  }
}
