import CEL
import PipelineCore
import PipelineDocument

/// What a pipeline reads of the responses to a step.
extension Inference {
  /// Everything that is read of a step's responses, by itself and by later steps.
  func reads(of index: Int) -> ResponseReads {
    let step = pipeline.steps[index]
    var reads = ResponseReads()
    let request: ServerExamples.Request = step.kind == .repeat ? .resync(step.id) : .step(step.id)
    if let schema = examples.schema(of: request) { reads.declare(schema, at: [.member("json")]) }
    for matcher in step.matchers { reads.read(matcher) }
    if let condition = step.successIf { reads.read(condition.compiled) }
    if let batch = step.batch { reads.read(batch) }
    for output in step.outputs {
      for part in output.value.expressions {
        reads.read(part.compiled, for: output.value.parts.count > 1 ? .text : nil)
      }
      switch output.lifetime?.end {
      case .after(let expression)?, .at(let expression)?: reads.read(expression.compiled)
      case .url(let expression)?: reads.read(expression.compiled, for: .signedLink)
      case nil: break
      }
      if let only = output.value.expressions.first, output.value.parts.count == 1 {
        reads.name("steps.\(step.id).\(output.name)", only.compiled)
      }
    }
    // Other batches have results of their own.
    reads.aliases["batch.result"] = nil
    readDownstream(of: index, &reads)
    return reads
  }

  /// What steps after `index` do with its outputs, and with the elements of lists in them.
  private func readDownstream(of index: Int, _ reads: inout ResponseReads) {
    guard !reads.aliases.isEmpty else { return }
    for loop in pipeline.loops {
      if let condition = loop.condition { reads.read(condition.compiled, for: .bool) }
      reads.read(loop.items.compiled, for: .list)
      reads.name(loop.variable, elementsOf: loop.items.compiled)
    }
    for step in pipeline.steps {
      guard case .forEach(let template) = step.action else { continue }
      reads.read(template.items.compiled, for: .list)
      reads.name(template.variable, elementsOf: template.items.compiled)
    }
    // What is collected reads the steps of the part.
    if let outer = pipeline.steps[index].partOf {
      for expression in pipeline.steps[outer].expressions { reads.read(expression.compiled) }
    }
    // The `repeat` step reads what its turns leave.
    if let turns = pipeline.steps[index].turnOf {
      for expression in pipeline.steps[turns].expressions { reads.read(expression.compiled) }
    }
    for later in pipeline.steps.dropFirst(index + 1) {
      if let url = later.action.request?.url { readURL(url, &reads) }
      if let url = later.probe?.request.url { readURL(url, &reads) }
      if let condition = later.condition { reads.read(condition.compiled, for: .bool) }
      for expression in later.expressions { reads.read(expression.compiled) }
    }
  }

  private func readURL(_ url: Template, _ reads: inout ResponseReads) {
    guard case .expression(let first)? = url.parts.first else { return }
    reads.read(first.compiled, for: .link)
  }
}
