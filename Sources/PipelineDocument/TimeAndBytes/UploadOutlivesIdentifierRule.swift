import PipelineCore

/// A queued transfer can wait for days, so an identifier in its URL may have expired when its turn comes (TX8).
enum UploadOutlivesIdentifierRule: Rule {
  static let pages = [
    Check(
      .uploadOutlivesIdentifier, .warning, .time,
      summary:
        "an upload may wait longer than the identifier in it is valid",
      explanation: """
        The transfer service starts an upload when it sees fit, and gives up after the upload's `resource_timeout`, 7 \
        days by default (device rule TX8). If the identifier has expired by then, the server responds with 404, 410 or \
        403, which fails the item by default. Add an `expired:` entry for that response: it reissues the step that \
        made the identifier, and then the upload. Or set the resource timeout to the identifier's lifetime: after \
        that, waiting in the queue is pointless.
        """,
      example: """
         pipeline: example
         inputs: { photo: { type: file } }
         steps:
           - id: allocate
             request: { method: POST, url: "https://example.com/uploads" }
             effect: repeatable
             outputs:
               upload_id: { value: "${{ response.json.id }}", expires: { in: 1h, skew: 60s } }
           - id: send
             upload:
               url: https://example.com/uploads/${{ steps.allocate.upload_id }}
               file: ${{ inputs.photo }}
        +    on: [{ if: "${{ response.status in [404, 410] }}", expired: allocate }]
        """)
  ]

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
          expired: \(document.pipeline.steps[outlived.use.step].id) }' in 'on', or give up in time: \
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
