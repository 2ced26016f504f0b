import PipelineCore

/// A file is held until its item is done, even if nothing reads it.
enum UnusedFileRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    let needed = Set(
      document.pipeline.steps.flatMap { $0.uses.filter { $0.output == nil }.map(\.step) })
    // Nearly every file is needed.
    lazy var readers = document.readersOfFiles()
    for (index, step) in document.pipeline.steps.enumerated() {
      guard case .materialize = step.action, !needed.contains(index) else { continue }
      let names = ["file"] + step.outputs.map(\.name)
      guard names.allSatisfy({ readers["steps.\(step.id).\($0)"]?.isEmpty ?? true })
      else { continue }
      collector.report(
        .unusedFile,
        """
        the file of '\(step.id)' is never used, but holds disk space until \
        \(step.loop == nil ? "the run ends" : "the item is done")
        """, at: document.steps[index].range,
        help: "read 'steps.\(step.id).file', or remove the step")
    }
  }
}
