import PipelineCore

/// A secret is not stored (DESIGN law 8): what only a secret names, nobody can ask about after the process has ended.
enum ProbeReadsSecretRule: TimeAndBytesRule {
  static let pages = [
    Check(
      .probeReadsSecret, .warning, .safety,
      summary: "a probe names what it asks about by a secret, which is gone when the process ends",
      explanation: """
        A secret output stays in the process that got it. When the process ends while the step is under way, a probe that reads \
        the secret cannot be sent any more: nobody learns whether the step took effect, and the item is paused for a person to \
        look. A credential (`bearer`, `basic`) is no such thing: it is made anew.

        Let the probe ask by a name that is no secret, such as that of the object that was to be made; or give the step an \
        `idempotency` key, which makes its repeat safe without asking where the step itself reads no such secret; or leave `secret` out where the value may be stored.
        """,
      wrong: """
        pipeline: example
        inputs: { photos: { type: files } }
        steps:
          - for_each: photo
            in: ${{ inputs.photos }}
            steps:
              - id: begin
                request: { method: POST, url: "https://example.com/uploads" }
                outputs:
                  session: { value: "${{ response.headers.location }}", secret: true }
              - id: put
                upload: { url: "${{ steps.begin.session }}", file: "${{ photo }}" }
                effect: create
                probe:
                  request: { url: "${{ steps.begin.session }}" }
                  done: ${{ response.json.complete }}
        """,
      right: """
        pipeline: example
        inputs: { photos: { type: files } }
        steps:
          - for_each: photo
            in: ${{ inputs.photos }}
            steps:
              - id: begin
                request: { method: POST, url: "https://example.com/uploads" }
                outputs:
                  session: { value: "${{ response.headers.location }}", secret: true }
                  id: ${{ response.json.id }}
              - id: put
                upload: { url: "${{ steps.begin.session }}", file: "${{ photo }}" }
                effect: create
                probe:
                  request: { url: "https://example.com/uploads/${{ steps.begin.id }}", bearer: "${{ steps.begin.session }}" }
                  done: ${{ response.json.complete }}
        """)
  ]

  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for (index, step) in document.pipeline.steps.enumerated() {
      guard step.effect == .create, let probe = step.probe,
        let key = document.steps[index].responseKeys.first(where: { $0.key == "probe" })
      else { continue }
      func isLost(_ use: OutputUse) -> Bool {
        guard let output = use.output, !use.isCredential else { return false }
        return document.pipeline.steps[use.step].outputs[output].isSecret
      }
      // With a key the step is repeated without asking, if the same request can be made again.
      if step.idempotencyHeader != nil, !step.uses.contains(where: isLost) { continue }
      for use in probe.uses where isLost(use) {
        guard let output = use.output else { continue }
        let source = document.pipeline.steps[use.step]
        let declared = document.range(
          of: "outputs", source.outputs[output].name, in: document.steps[use.step].node)
        collector.warning(
          .probeReadsSecret,
          """
          after a kill nobody can ask what became of the step: its probe reads the secret \
          '\(document.name(use))', which ends with the process
          """, at: key.range,
          notes: declared.map {
            [Diagnostic.Note(message: "it is declared as a secret here", range: $0)]
          } ?? [],
          help: "ask by a name that is no secret, or give the step an 'idempotency' key")
        break
      }
    }
  }
}
