import PipelineCore

/// A queued transfer can wait for days; what its URL names may be dead when its turn comes (TX8).
enum UploadOutlivesIdentifierRule: TimeAndBytesRule {
  static let pages = [
    Check(
      .uploadOutlivesIdentifier, .warning, .time,
      summary:
        "an upload may wait longer than the identifier in it lives, and nothing is said of that",
      explanation: """
        The transfer service begins an upload when it sees fit, and gives up after the upload's `resource_timeout`, 7 days where none is \
        written (device rule TX8). When the identifier has died by then, the server answers 404, 410 or 403, and by default such \
        an answer fails the item for good. Say `expired:` for it: the identifier is made anew, and the upload with it. Or set the \
        resource timeout to the identifier's life: after that the transfer is dead in the queue anyway.
        """,
      wrong: """
        pipeline: example
        inputs: { photo: { type: file } }
        steps:
          - id: allocate
            request: { method: POST, url: "https://example.com/uploads" }
            outputs:
              upload_id: { value: "${{ response.json.id }}", expires: { in: 1h, skew: 60s } }
          - id: send
            upload:
              url: https://example.com/uploads/${{ steps.allocate.upload_id }}
              file: ${{ inputs.photo }}
        """,
      right: """
        pipeline: example
        inputs: { photo: { type: file } }
        steps:
          - id: allocate
            request: { method: POST, url: "https://example.com/uploads" }
            outputs:
              upload_id: { value: "${{ response.json.id }}", expires: { in: 1h, skew: 60s } }
          - id: send
            upload:
              url: https://example.com/uploads/${{ steps.allocate.upload_id }}
              file: ${{ inputs.photo }}
            on: [{ if: "${{ response.status in [404, 410] }}", expired: allocate }]
        """)
  ]

  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for outlived in OutlivedUse.all(in: document) where !outlived.use.isCredential {
      let name = document.name(outlived.use)
      collector.warning(
        .uploadOutlivesIdentifier,
        """
        the upload may wait in the queue for up to \(Quantity.text(outlived.timeout)), and \
        '\(name)', which it names, lives \(outlived.life.arithmetic)
        """, at: outlived.range,
        notes: [Diagnostic.Note(message: "the life is declared here", range: outlived.life.range)],
        help: """
          say what the server answers then, such as '{ if: "${{ response.status in [404, 410] }}", \
          expired: \(document.pipeline.steps[outlived.use.step].id) }' in 'on', or give up in time: \
          'resource_timeout: \(Quantity.literal(outlived.life.usable))'
          """)
    }
  }
}

/// An upload that may wait longer than something lives that it was made with, and does not provide for that.
struct OutlivedUse {
  package let step: Int
  package let use: OutputUse
  package let life: CheckedDocument.KnownLife
  package let timeout: Duration
  /// The upload's timeout, or the step where the author wrote none.
  package let range: TextRange

  package static func all(in document: CheckedDocument) -> [OutlivedUse] {
    document.pipeline.steps.indices.flatMap { index -> [OutlivedUse] in
      let step = document.pipeline.steps[index]
      guard case .upload(let upload) = step.action else { return [] }
      let timeout = upload.transfer.resourceTimeout
      return document.mortalUses(of: index).compactMap { use, life in
        let refusal: Step.Refusal = use.isCredential ? .credential : .identifier
        guard timeout > life.life, !step.providesFor(refusal, by: use.step, document.constants)
        else { return nil }
        return OutlivedUse(
          step: index, use: use, life: life, timeout: timeout,
          range: document.timeoutRange(index) ?? document.steps[index].range)
      }
    }
  }
}
