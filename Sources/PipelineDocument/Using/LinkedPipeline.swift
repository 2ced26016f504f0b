import PipelineCore

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
    self.simulated = simulated
    self.steps = steps
    self.loops = loops
  }
}
