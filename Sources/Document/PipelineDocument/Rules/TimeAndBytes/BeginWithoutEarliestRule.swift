/// The transfer service asks for a new request only when a delayed transfer is about to start (TX14).
enum BeginWithoutEarliestRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for (index, step) in document.pipeline.steps.enumerated() {
      guard let transfer = step.transfer, transfer.renewals.contains(.begin),
        transfer.earliest == nil, let range = document.renewRange(index)
      else { continue }
      collector.report(
        .beginWithoutEarliest,
        "'begin' only applies to a delayed transfer, and this one has no 'earliest'", at: range,
        help: step.uses.contains(where: \.isCredential) && !transfer.renewals.contains(.challenge)
          ? "write 'renew: [challenge]' for a credential that may expire in the queue, or set 'earliest'"
          : "set the earliest start, for example 'earliest: 8h'")
    }
  }
}

extension CheckedDocument {
  func renewRange(_ step: Int) -> TextRange? {
    range(of: pipeline.steps[step].kind.rawValue, "renew", in: steps[step].node)
  }
}
