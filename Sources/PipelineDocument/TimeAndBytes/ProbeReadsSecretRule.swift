import PipelineCore

/// A secret is not stored (DESIGN law 8), so a probe that reads one cannot be sent after the process has ended.
enum ProbeReadsSecretRule: Rule {
  static let pages = [
    Check(
      .probeReadsSecret, .warning, .safety,
      summary: "a probe reads a secret that is lost when the process ends",
      explanation: """
        A secret output stays in the process that obtained it. If the process ends while the step is in progress, a \
        probe that reads the secret cannot be sent any more: the step's outcome stays unknown, and the item pauses for \
        a person to check. A credential (`bearer`, `basic`) is not affected, because it can be obtained again.

        Use an identifier in the probe that is not secret, such as the name of the object to create. Or give the step \
        an `idempotency` key: its repeat is then safe without a probe, provided that the step itself reads no such \
        secret. Or declare `secret: sealed`, which stores the value encrypted, or remove `secret` if it may be stored.
        """,
      example: """
         pipeline: example
         inputs: { photos: { type: files } }
         steps:
           - for_each: photo
             in: ${{ inputs.photos }}
             steps:
               - id: begin
                 request: { method: POST, url: "https://example.com/uploads" }
                 effect: repeatable
                 outputs:
                   session: { value: "${{ response.headers.location }}", secret: true }
        +          id: ${{ response.json.id }}
               - id: put
                 upload: { url: "${{ steps.begin.session }}", file: "${{ photo }}" }
                 effect: create
                 probe:
        -          request: { url: "${{ steps.begin.session }}" }
        +          request: { url: "https://example.com/uploads/${{ steps.begin.id }}", bearer: "${{ steps.begin.session }}" }
                   took_effect: ${{ response.json.complete }}
        """)
  ]

  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for (index, step) in document.pipeline.steps.enumerated() {
      guard step.effect == .create, let probe = step.probe,
        let key = document.steps[index].responseKeys.first(where: { $0.key == "probe" })
      else { continue }
      func isLost(_ use: OutputUse) -> Bool {
        guard let output = use.output, !use.isCredential else { return false }
        let declaration = document.pipeline.steps[use.step].outputs[output]
        return declaration.isSecret && !declaration.isSealed
      }
      // With a key the step is repeated without a probe, if the same request can be built again.
      if step.keyPlace != nil, !step.uses.contains(where: isLost) { continue }
      for use in probe.uses where isLost(use) {
        guard let output = use.output else { continue }
        let source = document.pipeline.steps[use.step]
        let declared = document.range(
          of: "outputs", source.outputs[output].name, in: document.steps[use.step].node)
        collector.report(
          .probeReadsSecret,
          """
          after a kill the step's outcome stays unknown: its probe reads the secret \
          '\(document.name(use))', which is lost with the process
          """, at: key.range,
          note: ("it is declared as a secret here", declared),
          help:
            "write 'secret: sealed', which keeps it encrypted, use an identifier that is not secret, or give the step an 'idempotency' key"
        )
        break
      }
    }
  }
}
