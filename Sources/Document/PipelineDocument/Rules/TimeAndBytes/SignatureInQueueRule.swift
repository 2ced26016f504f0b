/// A queued transfer is sent later than its request is built, and cannot be signed again (TX13).
///
/// Servers refuse a signature that is older than the skew they permit, 15 min with AWS Signature Version 4.
enum SignatureInQueueRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for (index, step) in document.pipeline.steps.enumerated() {
      guard case .upload(let upload) = step.action, !upload.transfer.renewals.contains(.begin),
        !step.handles(.credential, by: -1, document.constants)
      else { continue }
      for (what, name, template) in signing(upload.request) where readsNow(template) {
        collector.report(
          .signatureInQueue,
          """
          \(what) is computed when the upload is queued, but sent up to \
          \(Quantity.text(upload.transfer.resourceTimeout)) later: servers refuse an old signature
          """, at: place(of: name, document, index),
          help: """
            let an earlier request step obtain a presigned URL, and declare its lifetime with 'expires'; \
            or sign again after a refusal: '{ if: "${{ response.status == 403 }}", then: retry }' in 'on'
            """)
      }
    }
  }

  /// What signs or dates a request: phrase, key, value.
  private static func signing(
    _ request: RequestTemplate
  ) -> [(what: String, key: [String], template: Template)] {
    var found: [(String, [String], Template)] = []
    for header in request.headers where isSigning(header.name) {
      found.append(("the header '\(header.name)'", ["headers", header.name], header.value))
    }
    for item in request.query where isSigning(item.name) {
      found.append(("the query item '\(item.name)'", ["query", item.name], item.value))
    }
    if case .bearer(let token)? = request.authorization {
      found.append(("the bearer token", ["bearer"], token))
    }
    return found
  }

  private static func isSigning(_ name: String) -> Bool {
    let name = name.lowercased()
    return names.contains(name)
      || ["signature", "authorization", "nonce"].contains { name.contains($0) }
  }

  /// Headers and query items that carry the time of a signature.
  private static let names: Set<String> = [
    "date", "x-date", "x-amz-date", "x-ms-date", "x-goog-date", "x-oss-date", "x-obs-date",
    "x-timestamp", "x-request-timestamp", "timestamp", "x-auth-timestamp",
  ]

  private static func readsNow(_ template: Template) -> Bool {
    template.expressions.contains { expression in
      expression.compiled.references.contains { $0.variable == "now" }
    }
  }

  private static func place(
    of key: [String], _ document: CheckedDocument, _ index: Int
  ) -> TextRange {
    let draft = document.steps[index]
    return document.range(of: ["upload"] + key, in: draft.node) ?? draft.range
  }
}
