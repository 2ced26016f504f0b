/// The resource timeout of an upload counts from the time it is queued, and includes waiting for its turn (TX7, TX8).
enum UploadTimeoutTooShortRule: Rule {
  private static let least: Duration = .seconds(300)

  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for (index, step) in document.pipeline.steps.enumerated() {
      guard case .upload(let upload) = step.action, let range = document.timeoutRange(index)
      else { continue }
      let timeout = upload.transfer.resourceTimeout
      if let size = document.sizes.bound(ofFile: upload.file),
        Bandwidth.leastTime(of: size.bytes) > timeout
      {
        let time = Quantity.text(Bandwidth.leastTime(of: size.bytes))
        collector.report(
          .uploadTimeoutTooShort,
          """
          the upload never finishes in time: \(Quantity.text(bytes: size.bytes)) at 1 Gbit/s = \(time)\
          \(Constants.proviso(size.inputs)) > \(Quantity.text(timeout))
          """, at: range, help: help)
      } else if timeout < least {
        collector.report(
          .uploadTimeoutTooShort,
          """
          the upload has \(Quantity.text(timeout)) from the time it is queued, but may wait longer than \
          that for its turn
          """, at: range, help: help)
      }
    }
  }

  private static let help = "allow at least 5 min; the default is 7 days"
}
