/// The names that expressions of a test see, of the pipeline that it tests.
extension Pipeline {
  /// The names visible everywhere in a test: the inputs, and if `hasRequest`, a request.
  package func testNames(hasRequest: Bool) -> Environment {
    var environment = Variables.base
    for input in inputs {
      environment.declare("inputs.\(input.name)", as: Variables.type(of: input.kind))
    }
    if hasRequest {
      for (name, type) in Variables.ofRequest { environment.declare(name, as: type) }
    }
    return environment
  }

  /// The names visible in a response to the step, including its item and the steps of its frames.
  package func testNames(answering index: Int) -> Environment {
    var environment = testNames(hasRequest: true)
    let loop = steps[index].loop
    if steps[index].batch != nil {
      environment.declare(Variables.batchEntries, as: .list(.dyn))
      return environment
    }
    let parts = steps[index].partOf
    for step in steps
    where (step.loop == nil || step.loop == loop) && (step.partOf == nil || step.partOf == parts) {
      for output in step.outputs {
        let type = Self.type(of: output.value)
        environment.declare(
          "steps.\(step.id).\(output.name)", as: step.kind == .forEach ? .list(type) : type)
      }
      if step.makesFile {
        environment.declare("steps.\(step.id).file", as: .object(Variables.file))
      }
    }
    if let loop {
      var element = ValueType.dyn
      if case .list(let type) = loops[loop].items.compiled.type { element = type }
      environment.declare(loops[loop].variable, as: element)
      for (name, type) in Variables.item { environment.declare(name, as: type) }
    }
    if let parts, case .forEach(let template) = steps[parts].action {
      var element = ValueType.dyn
      if case .list(let type) = template.items.compiled.type { element = type }
      environment.declare(template.variable, as: element)
    }
    return environment
  }

  private static func type(of template: Template) -> ValueType {
    guard template.parts.count == 1, case .expression(let only) = template.parts[0]
    else { return .string }
    return only.compiled.type
  }
}
