/// The headers of a queued transfer cannot change (TX13), so a token in them may have expired when its turn comes.
enum UploadOutlivesCredentialRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for outlived in OutlivedUse.all(in: document) where outlived.use.isCredential {
      let renewals = document.pipeline.steps[outlived.step].transfer?.renewals ?? []
      if renewals.contains(.challenge) { continue }
      let name = document.name(outlived.use)
      collector.report(
        .uploadOutlivesCredential,
        """
        the upload may wait in the queue for up to \(Quantity.text(outlived.timeout)) with unchanged \
        headers, but '\(name)' in them is valid for \(outlived.life.arithmetic)
        """, at: outlived.range,
        note: ("the lifetime is declared here", outlived.life.range),
        help: """
          renew it when the server refuses it: '{ if: "${{ response.status == 401 }}", \
          expired: \(document.pipeline.steps[outlived.use.step].id) }' in 'on'; or keep the upload in \
          the queue: 'renew: [challenge]'
          """)
    }
  }
}
