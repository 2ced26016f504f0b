import PipelineCore

/// A challenge is answered with a new `Authorization`, which only a run-level step can provide (TX12).
enum ChallengeWithoutCredentialRule: Rule {
  static let pages = [
    Check(
      .challengeWithoutCredential, .warning, .transfers,
      summary:
        "a transfer renews its request on a challenge, but nothing can renew its authorization",
      explanation: """
        A 401 with `WWW-Authenticate` can be answered with a new `Authorization` value (device rule TX12). That needs \
        `bearer`, `basic` or `credentials` with an output of a step outside loops, which is reissued when its result \
        has expired. Without one, each challenge goes to the matchers, as it does without `renew`.
        """,
      example: """
         pipeline: example
        -inputs:
        -  token: { type: secret }
        -  photo: { type: file }
        +inputs: { photo: { type: file } }
         steps:
        +  - id: sign_in
        +    request: { method: POST, url: "https://example.com/login" }
        +    effect: repeatable
        +    outputs:
        +      token: { value: "${{ response.json.token }}", secret: true }
           - id: send
             upload:
               url: https://example.com/photo
        -      bearer: ${{ inputs.token }}
        +      bearer: ${{ steps.sign_in.token }}
               file: ${{ inputs.photo }}
               renew: [challenge]
        """)
  ]

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
      } else if step.hasAuthorization {
        why = "no step makes its credential"
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
          ?? "read the credential from a step outside loops: 'bearer: ${{ steps.sign_in.token }}'"
      )
    }
  }
}

extension Step {
  fileprivate var hasAuthorization: Bool { kind.isTransfer && action.request?.authorization != nil }
}
