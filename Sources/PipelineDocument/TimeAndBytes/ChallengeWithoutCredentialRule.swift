import PipelineCore

/// A challenge is answered with another `Authorization`, which only a step of run scope can make (TX12).
enum ChallengeWithoutCredentialRule: TimeAndBytesRule {
  static let pages = [
    Check(
      .challengeWithoutCredential, .warning, .transfers,
      summary: "a transfer asks at a challenge, and nothing can make its authorization anew",
      explanation: """
        A 401 with `WWW-Authenticate` is answered with another value of `Authorization` (device rule TX12). That needs `bearer`, \
        `basic` or `credentials` with an output of a step outside of loops, which is done again when its result has died. \
        Without one each challenge goes to the matchers, as it does without `renew`.
        """,
      wrong: """
        pipeline: example
        inputs:
          token: { type: secret }
          photo: { type: file }
        steps:
          - id: send
            upload:
              url: https://example.com/photo
              bearer: ${{ inputs.token }}
              file: ${{ inputs.photo }}
              renew: [challenge]
        """,
      right: """
        pipeline: example
        inputs: { photo: { type: file } }
        steps:
          - id: sign_in
            request: { method: POST, url: "https://example.com/login" }
            outputs:
              token: { value: "${{ response.json.token }}", secret: true }
          - id: send
            upload:
              url: https://example.com/photo
              bearer: ${{ steps.sign_in.token }}
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
          "'\(document.name(own))' is made for each item, and not while its transfer is under way"
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
      collector.warning(
        .challengeWithoutCredential,
        "a challenge of this transfer cannot be answered with another 'Authorization': \(why)",
        at: range,
        help: name.map { "write 'bearer: ${{ \($0) }}'" }
          ?? "read the credential from a step outside of loops: 'bearer: ${{ steps.sign_in.token }}'"
      )
    }
  }
}

extension Step {
  /// Whether the request of a transfer has `bearer` or `basic`.
  fileprivate var hasAuthorization: Bool {
    kind.isTransfer && action.request?.authorization != nil
  }
}
