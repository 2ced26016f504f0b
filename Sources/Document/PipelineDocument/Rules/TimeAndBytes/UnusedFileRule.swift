/// A file is held until its item is done, even if nothing reads it.
enum UnusedFileRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    let needed = Set(
      document.pipeline.steps.flatMap { $0.uses.filter { $0.output == nil }.map(\.step) })
    // Nearly every file is needed.
    lazy var readers = document.readersOfFiles()
    for (index, step) in document.pipeline.steps.enumerated() {
      func isRead(_ name: String) -> Bool { readers["steps.\(step.id).\(name)"]?.isEmpty == false }
      switch step.action {
      case .materialize:
        guard !needed.contains(index),
          !(["file"] + step.outputs.map(\.name)).contains(where: isRead)
        else { continue }
        collector.report(
          .unusedFile,
          """
          the file of '\(step.id)' is never used, but holds disk space until \
          \(step.loop == nil ? "the run ends" : "the item is done")
          """, at: document.steps[index].range,
          help: "read 'steps.\(step.id).file', or remove the step")
      // A file with a known size or digest may be downloaded only to check it.
      case .download(let download)
      where download.save == nil && download.size == nil && download.expected.isEmpty:
        guard !isRead("file") else { continue }
        collector.report(
          .unusedFile, "the file that '\(step.id)' downloads is neither saved nor read",
          at: document.steps[index].range,
          help: "add 'save', read 'steps.\(step.id).file', or make it a 'request'")
      default: continue
      }
    }
  }
}
