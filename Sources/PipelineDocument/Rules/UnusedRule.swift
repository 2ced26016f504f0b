/// An unused name is probably misspelt somewhere, or left over.
struct UnusedRule: Rule {
  static let pages = [
    Check(
      .unusedInput, .warning, .names, summary: "an input is never used",
      explanation: """
        An input that is never used is left over, or its name is misspelt where it should be read. Use it, or remove \
        it.
        """,
      example: """
         pipeline: example
         inputs:
           server: { type: url }
           album: { type: string }
         steps:
           - id: ping
        -    request: { url: "${{ inputs.server }}/ping" }
        +    request: { url: "${{ inputs.server }}/ping", query: { album: "${{ inputs.album }}" } }
        """),
    Check(
      .unusedOutput, .warning, .names, summary: "an output is never used",
      explanation: """
        Outputs are stored in the checkpoint of each item. One that no later step reads is left over, or its name is \
        misspelt where it should be read.
        """,
      example: """
         pipeline: example
         steps:
           - id: allocate
             request: { url: "https://example.com/new" }
             outputs:
               id: ${{ response.json.id }}
        -      region: ${{ response.json.region }}
           - id: ping
             request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """),
  ]

  let usedInputs: Set<String>
  let usedOutputs: Set<String>

  /// Reports what is unused; only for a draft whose expressions were all compiled.
  package func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for input in pipeline.inputs where !usedInputs.contains(input.name.value) {
      collector.report(
        .unusedInput, "the input '\(input.name.value)' is never used", at: input.name.range)
    }
    for step in pipeline.steps {
      // The outputs of a used file are not the responsibility of the file that uses it.
      guard let id = step.id, step.use == nil else { continue }
      for output in step.outputs {
        guard !usedOutputs.contains("steps.\(id.value).\(output.name.value)"),
          !output.isSealed || !usedOutputs.contains("previous.\(output.name.value)")
        else { continue }
        collector.report(
          .unusedOutput,
          "the output '\(output.name.value)' of the step '\(id.value)' is never used",
          at: output.name.range)
      }
    }
  }
}
