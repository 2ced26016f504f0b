import PipelineCore

/// The timeout of an upload counts from its hand-over, with all the waiting for its turn (TX7, TX8).
enum UploadTimeoutTooShortRule: TimeAndBytesRule {
  private static let least: Duration = .seconds(300)

  static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for (index, step) in document.pipeline.steps.enumerated() {
      guard case .upload(let upload) = step.action, let range = document.timeoutRange(index)
      else { continue }
      let timeout = upload.request.timeout
      if let size = document.sizes.bound(ofFile: upload.file),
        Bandwidth.leastTime(of: size.bytes) > timeout
      {
        let time = Quantity.text(Bandwidth.leastTime(of: size.bytes))
        collector.warning(
          .uploadTimeoutTooShort,
          """
          the upload never ends in time: \(Quantity.text(bytes: size.bytes)) at 1 Gbit/s = \(time)\
          \(Constants.proviso(size.inputs)) > \(Quantity.text(timeout))
          """, at: range, help: help)
      } else if timeout < least {
        collector.warning(
          .uploadTimeoutTooShort,
          """
          the upload has \(Quantity.text(timeout)) from its hand-over on, and may wait longer than \
          that for its turn
          """, at: range, help: help)
      }
    }
  }

  private static let help = "allow at least 5 min; left out, it is 7 days"
}
