import PipelineCore

/// The headers of a queued transfer cannot change (TX13), so a token in them may have expired when its turn comes.
enum UploadOutlivesCredentialRule: Rule {
  static let pages = [
    Check(
      .uploadOutlivesCredential, .warning, .transfers,
      summary:
        "an upload may wait longer than the credential in its headers is valid",
      explanation: """
        The headers of a transfer cannot change once it is queued (device rule TX13), and it may wait for days. A \
        token with a lifetime of an hour has expired by then, and by default a 401 fails the item. With `expired:` for \
        that response, the credential is renewed once for all items, and the upload is queued again. With `renew: \
        [challenge]`, the upload stays in the queue and continues with the new credential.
        """,
      example: """
         pipeline: example
         inputs: { photo: { type: file } }
         steps:
           - id: sign_in
             request: { method: POST, url: "https://example.com/login" }
             effect: repeatable
             outputs:
               token: { value: "${{ response.json.token }}", secret: true, expires: { in: 1h, skew: 60s } }
           - id: send
             upload:
               url: https://example.com/photo
               bearer: ${{ steps.sign_in.token }}
               file: ${{ inputs.photo }}
        +    on: [{ if: "${{ response.status == 401 }}", expired: sign_in }]
        """)
  ]

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
