/// A queued transfer can wait for days, so an identifier in its URL may have expired when its turn comes (TX8).
enum UploadOutlivesIdentifierRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for outlived in OutlivedUse.all(in: document) where !outlived.use.isCredential {
      let name = document.name(outlived.use)
      collector.report(
        .uploadOutlivesIdentifier,
        """
        the upload may wait in the queue for up to \(Quantity.text(outlived.timeout)), but \
        '\(name)' in it is valid for \(outlived.life.arithmetic)
        """, at: outlived.range,
        note: ("the lifetime is declared here", outlived.life.range),
        help: """
          handle the server's refusal, such as '{ if: "${{ response.status in [404, 410] }}", \
          expired: \(document.pipeline.steps[outlived.use.step].id) }' in 'on', or abandon the upload in time: \
          'resource_timeout: \(Quantity.literal(outlived.life.usable))'
          """)
    }
  }
}

struct OutlivedUse {
  package let step: Int
  package let use: OutputUse
  package let life: CheckedDocument.KnownLife
  package let timeout: Duration
  package let range: TextRange

  package static func all(in document: CheckedDocument) -> [OutlivedUse] {
    document.pipeline.steps.indices.flatMap { index -> [OutlivedUse] in
      let step = document.pipeline.steps[index]
      guard case .upload(let upload) = step.action else { return [] }
      let timeout = upload.transfer.resourceTimeout
      return document.mortalUses(of: index).compactMap { use, life in
        let refusal: Step.Refusal = use.isCredential ? .credential : .identifier
        guard timeout > life.life, !step.handles(refusal, by: use.step, document.constants)
        else { return nil }
        return OutlivedUse(
          step: index, use: use, life: life, timeout: timeout,
          range: document.timeoutRange(index) ?? document.steps[index].range)
      }
    }
  }
}
