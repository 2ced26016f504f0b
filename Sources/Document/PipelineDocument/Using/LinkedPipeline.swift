/// A pipeline with the steps of the files that it uses, and where each of them is in the using file.
struct LinkedPipeline {
  let simulated: SimulatedPipeline
  /// The steps as the file has them, in the order of ``Pipeline/steps``: of a used file's step, the one that uses it.
  let steps: [DraftStep]
  /// The loops in the order of ``Pipeline/loops``; those of used files are `nil`.
  let loops: [DraftLoop?]

  init(_ pipeline: Pipeline, _ examples: ServerExamples, _ draft: DraftPipeline) {
    simulated = SimulatedPipeline(pipeline, examples: examples)
    steps = draft.steps
    loops = draft.loops
  }

  init(_ simulated: SimulatedPipeline, steps: [DraftStep], loops: [DraftLoop?]) {
    (self.simulated, self.steps, self.loops) = (simulated, steps, loops)
  }
}

/// Copies of ranges, for transfer services that only send whole files (TX1).
extension DraftStep {
  /// The steps for such a service: an upload of a range becomes a file of those bytes, within the disk budget as any other, and
  /// an upload of that file.
  ///
  /// The ID of the step that makes the file has a dot, so that no author's can be the same.
  var withRangeCopied: [DraftStep] {
    guard let id, case .upload(let upload)? = action, let range = upload.range
    else { return [self] }
    let name = Located("\(id.value).copy", at: id.range)
    let copy = DraftStep(
      index: index, turnOf: turnOf, partOf: partOf, id: name, condition: condition, values: values,
      action: .materialize(Materialize(source: .file(upload.file, range: range))), retry: retry,
      dependsOn: dependsOn, range: self.range, node: node)
    let file = DraftExpression(
      source: "steps.\(name.value).file", origin: .constant, range: self.range)
    return [
      copy,
      with(
        action: .upload(
          Upload(
            request: upload.request, file: file, trailers: upload.trailers,
            transfer: upload.transfer))),
    ]
  }
}
