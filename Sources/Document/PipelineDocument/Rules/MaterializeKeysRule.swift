/// A materialization contacts no server, so keys about responses have no effect on it.
enum MaterializeKeysRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for step in pipeline.steps {
      if let kind = step.action?.kind, !kind.hasResponse {
        for (key, range) in step.responseKeys {
          collector.report(
            .uselessKey,
            "'\(key)' has no effect in a \(kind.rawValue) step, which contacts no server",
            at: range)
        }
      }
      if case .download(let download)? = step.action {
        checkSaving(download, of: step, collector)
        if pipeline.budgets.diskBytes != nil, download.save == nil, download.size == nil,
          download.maximumSize == nil
        {
          collector.report(
            .missingKey, "a download needs 'size' or 'max_size' when 'budgets.disk' is set",
            at: step.range, help: "for example: max_size: 64 MiB")
        }
        for (key, range) in step.responseKeys where !["on", "success_if"].contains(key) {
          collector.report(
            .uselessKey,
            "'\(key)' has no effect in a download, which changes nothing on the server", at: range)
        }
      }
    }
  }

  /// A file that may be kept must be distinguishable from others, and then there is no response.
  private static func checkSaving(
    _ download: Download<Draft>, of step: DraftStep, _ collector: DiagnosticCollector
  ) {
    guard let save = download.save, save.existing.keepsSame else { return }
    if download.size == nil, download.expected.isEmpty {
      collector.report(
        .missingKey,
        "'existing: \(save.existing.rawValue)' needs 'size' or 'digest' to recognize a correct file",
        at: step.range, help: "for example: size: ${{ entry.size }}")
    }
    for output in step.outputs {
      collector.report(
        .uselessKey,
        "'\(output.name.value)' may have no response to read: 'existing: \(save.existing.rawValue)' skips the request if the file is correct",
        at: output.name.range,
        help: "read the response in a request step, or use 'existing: replace'")
    }
  }
}
