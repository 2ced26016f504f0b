/// A body that contains a secret is never written to a file (invariant 8), and a phone's transfer
/// service accepts only files (TX1).
enum SecretBodyInQueueRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    let pipeline = document.pipeline
    for (index, step) in pipeline.steps.enumerated() {
      guard case .upload(let upload) = step.action,
        let maker = pipeline.secretBodies.first(where: {
          upload.file.compiled.variable == "steps.\(pipeline.steps[$0].id).file"
        })
      else { continue }
      let draft = document.steps[index]
      collector.report(
        .secretBodyInQueue,
        """
        the body that '\(pipeline.steps[maker].id)' creates contains a secret, so it exists only in memory, and a phone's \
        transfer service accepts only files
        """, at: draft.node["upload"].flatMap { document.range(of: "file", in: $0) } ?? draft.range,
        note: ("its body is created here", document.steps[maker].range),
        help:
          "send the secret in a header or as 'bearer', or upload to a URL that an earlier step obtains with the secret"
      )
    }
  }
}
