import PipelineCore

/// The headers of a queued transfer cannot be changed any more (TX13): a token in them may be dead when its turn comes.
enum UploadOutlivesCredentialRule: TimeAndBytesRule {
  static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for outlived in OutlivedUse.all(in: document) where outlived.use.isCredential {
      let name = document.name(outlived.use)
      collector.warning(
        .uploadOutlivesCredential,
        """
        the upload may wait in the queue for up to \(Quantity.text(outlived.timeout)), its headers \
        stay as they are, and '\(name)' in them lives \(outlived.life.arithmetic)
        """, at: outlived.range,
        notes: [Diagnostic.Note(message: "the life is declared here", range: outlived.life.range)],
        help: """
          let the answer of the server renew it: '{ if: "${{ response.status == 401 }}", \
          expired: \(document.pipeline.steps[outlived.use.step].id) }' in 'on'
          """)
    }
  }
}
