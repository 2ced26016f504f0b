import PipelineCore

/// A file is held until its item is done, also one that nothing reads.
enum UnusedFileRule: TimeAndBytesRule {
  static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    let needed = Set(
      document.pipeline.steps.flatMap { $0.uses.filter { $0.output == nil }.map(\.step) })
    for (index, step) in document.pipeline.steps.enumerated() {
      guard case .materialize = step.action, !needed.contains(index) else { continue }
      let names = ["file"] + step.outputs.map(\.name)
      guard names.allSatisfy({ document.readers(of: "steps.\(step.id).\($0)").isEmpty })
      else { continue }
      collector.warning(
        .unusedFile,
        """
        nothing reads the file of '\(step.id)', which holds disk space until \
        \(step.loop == nil ? "the run ends" : "the item is done")
        """, at: document.steps[index].range,
        help: "read 'steps.\(step.id).file', or remove the step")
    }
  }
}
