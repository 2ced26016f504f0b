import PipelineCore

/// The transfer service asks for another request only when a delayed transfer is about to begin (TX14).
enum BeginWithoutEarliestRule: TimeAndBytesRule {
  static let pages = [
    Check(
      .beginWithoutEarliest, .warning, .transfers,
      summary: "a transfer asks for its request anew when it begins, and nothing delays it",
      explanation: """
        A transfer service asks for another request at one moment alone: when a transfer that waited for its earliest moment is \
        about to begin (device rule TX14). Without `earliest` that moment never comes, and the request goes out as it was handed \
        over.
        """,
      wrong: """
        pipeline: example
        inputs: { photo: { type: file } }
        steps:
          - id: send
            upload: { url: "https://example.com/photo", file: "${{ inputs.photo }}", renew: [begin] }
        """,
      right: """
        pipeline: example
        inputs: { photo: { type: file } }
        steps:
          - id: send
            upload: { url: "https://example.com/photo", file: "${{ inputs.photo }}", renew: [begin], earliest: 8h }
        """)
  ]

  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for (index, step) in document.pipeline.steps.enumerated() {
      guard let transfer = step.transfer, transfer.renewals.contains(.begin),
        transfer.earliest == nil, let range = document.renewRange(index)
      else { continue }
      collector.warning(
        .beginWithoutEarliest,
        "'begin' asks for the request when a delayed transfer begins, and this one has no 'earliest'",
        at: range,
        help: step.uses.contains(where: \.isCredential) && !transfer.renewals.contains(.challenge)
          ? "write 'renew: [challenge]' for a credential that may die in the queue, or say 'earliest'"
          : "say from when on it may begin: 'earliest: 8h'")
    }
  }
}

extension CheckedDocument {
  /// Where the author wrote when the request of a transfer is made anew.
  func renewRange(_ step: Int) -> TextRange? {
    range(of: pipeline.steps[step].kind.rawValue, "renew", in: steps[step].node)
  }
}
