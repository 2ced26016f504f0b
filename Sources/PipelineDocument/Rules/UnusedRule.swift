/// What nothing reads is probably misspelt somewhere, or left over.
struct UnusedRule {
  static let pages = [
    Check(
      .unusedInput, .warning, .names, summary: "nothing reads an input",
      explanation: """
        An input that is asked for and not used is left over, or its name is misspelt where it should be read. Use it, or remove it.
        """,
      wrong: """
        pipeline: example
        inputs:
          server: { type: url }
          album: { type: string }
        steps:
          - id: ping
            request: { url: "${{ inputs.server }}/ping" }
        """,
      right: """
        pipeline: example
        inputs:
          server: { type: url }
          album: { type: string }
        steps:
          - id: ping
            request: { url: "${{ inputs.server }}/ping", query: { album: "${{ inputs.album }}" } }
        """),
    Check(
      .unusedOutput, .warning, .names, summary: "nothing reads an output",
      explanation: """
        Outputs are kept in the checkpoint of each item. One that no later step reads is left over, or its name is misspelt where it \
        should be read.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: allocate
            request: { url: "https://example.com/new" }
            outputs:
              id: ${{ response.json.id }}
              region: ${{ response.json.region }}
          - id: ping
            request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """,
      right: """
        pipeline: example
        steps:
          - id: allocate
            request: { url: "https://example.com/new" }
            outputs:
              id: ${{ response.json.id }}
          - id: ping
            request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """),
  ]

  let usedInputs: Set<String>
  /// As `steps.ID.NAME`.
  let usedOutputs: Set<String>

  /// Reports what is unused; only for a draft whose expressions were all compiled.
  package func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for input in pipeline.inputs where !usedInputs.contains(input.name.value) {
      collector.warning(
        .unusedInput, "nothing reads the input '\(input.name.value)'", at: input.name.range)
    }
    for step in pipeline.steps {
      // What a used file gives is not up to the file that uses it.
      guard let id = step.id, step.use == nil else { continue }
      for output in step.outputs {
        guard !usedOutputs.contains("steps.\(id.value).\(output.name.value)") else { continue }
        collector.warning(
          .unusedOutput,
          "nothing reads the output '\(output.name.value)' of the step '\(id.value)'",
          at: output.name.range)
      }
    }
  }
}
