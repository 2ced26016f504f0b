/// A challenge is answered with a new `Authorization`, which only a run-level step can provide (TX12).
enum ChallengeWithoutCredentialRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    let pipeline = document.pipeline
    for (index, step) in pipeline.steps.enumerated() {
      guard let transfer = step.transfer, transfer.renewals.contains(.challenge),
        let range = document.renewRange(index)
      else { continue }
      let credentials = step.uses.filter(\.isCredential)
      guard !credentials.contains(where: { pipeline.steps[$0.step].loop == nil }) else { continue }
      let why: String
      if let own = credentials.first {
        why =
          "'\(document.name(own))' belongs to the item, and cannot be renewed during its transfer"
      } else if step.kind.isTransfer, step.action.request?.authorization != nil {
        why = "no step creates its credential"
      } else {
        why = "it has neither 'bearer' nor 'basic'"
      }
      let maker = pipeline.runSteps.first { pipeline.steps[$0].outputs.contains(where: \.isSecret) }
      let name = maker.map { step -> String in
        let output = pipeline.steps[step].outputs.first(where: \.isSecret)?.name ?? ""
        return "steps.\(pipeline.steps[step].id).\(output)"
      }
      collector.report(
        .challengeWithoutCredential,
        "a challenge to this transfer cannot be answered with a new 'Authorization': \(why)",
        at: range,
        help: name.map { "write 'bearer: ${{ \($0) }}'" }
          ?? "read the credential from a step outside loops: 'bearer: ${{ steps.sign_in.token }}'")
    }
  }
}
