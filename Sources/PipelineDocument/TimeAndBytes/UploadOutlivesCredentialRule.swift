import PipelineCore

/// The headers of a queued transfer cannot be changed any more (TX13): a token in them may be dead when its turn comes.
enum UploadOutlivesCredentialRule: TimeAndBytesRule {
  static let pages = [
    Check(
      .uploadOutlivesCredential, .warning, .transfers,
      summary:
        "an upload may wait longer than the credential in its headers lives, and nothing is said of that",
      explanation: """
        The headers of a transfer cannot be changed once it is queued (device rule TX13), and it may wait for days. A token that \
        lives an hour is then dead, and by default 401 fails the item for good. With `expired:` for that answer the credential is \
        renewed once for all items, and the upload is queued again. With `renew: [challenge]` it stays in the queue, and goes on \
        with the new credential.
        """,
      wrong: """
        pipeline: example
        inputs: { photo: { type: file } }
        steps:
          - id: sign_in
            request: { method: POST, url: "https://example.com/login" }
            outputs:
              token: { value: "${{ response.json.token }}", secret: true, expires: { in: 1h, skew: 60s } }
          - id: send
            upload:
              url: https://example.com/photo
              bearer: ${{ steps.sign_in.token }}
              file: ${{ inputs.photo }}
        """,
      right: """
        pipeline: example
        inputs: { photo: { type: file } }
        steps:
          - id: sign_in
            request: { method: POST, url: "https://example.com/login" }
            outputs:
              token: { value: "${{ response.json.token }}", secret: true, expires: { in: 1h, skew: 60s } }
          - id: send
            upload:
              url: https://example.com/photo
              bearer: ${{ steps.sign_in.token }}
              file: ${{ inputs.photo }}
            on: [{ if: "${{ response.status == 401 }}", expired: sign_in }]
        """)
  ]

  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for outlived in OutlivedUse.all(in: document) where outlived.use.isCredential {
      let renewals = document.pipeline.steps[outlived.step].transfer?.renewals ?? []
      if renewals.contains(.challenge) { continue }
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
          expired: \(document.pipeline.steps[outlived.use.step].id) }' in 'on'; or keep the upload in \
          the queue meanwhile: 'renew: [challenge]'
          """)
    }
  }
}
