/// A secret is not stored (invariant 8), so a probe that reads one cannot be sent after the process has ended.
enum ProbeReadsSecretRule: Rule {
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
            "write 'secret: sealed', which keeps it encrypted, use an identifier that is not secret, or add an 'idempotency' key to the step"
        )
        break
      }
    }
  }
}
