/// `pipeline validate --audit`: the hosts, files and secrets that pipelines use.
struct AuditReport {
  let root: String?

  /// Prints the audit of each file that is a pipeline without errors, and the errors of the others on standard error.
  func run(_ files: [String], as format: ReportFormat) throws(CommandFailure) {
    var entries: [AuditedFileForm] = []
    var isBroken = false
    for file in files where !TestDocument.isNamed(file) {
      let bytes = try FileContents.argument(file, atMost: DocumentFiles.sizeLimit + 1)
      guard !ScenarioDocument.isScenario(file: file, bytes: bytes) else { continue }
      let result = PipelineDocument.load(bytes: bytes, file: file, files: .beside(file, root: root))
      guard let pipeline = result.pipeline else {
        guard !result.diagnostics.contains(where: { $0.code == .notAPipeline }) else { continue }
        isBroken = true
        let sources = result.usedSources.merging([file: String(decoding: bytes, as: UTF8.self)]) {
          $1
        }
        Terminal.write(DiagnosticText(sources: sources).render(result.diagnostics), to: 2)
        continue
      }
      let audit = PipelineAudit(pipeline, used: Array(result.usedFiles.keys))
      entries.append(
        AuditedFileForm {
          $0.file = file
          $0.pipeline = audit.name
          $0.audit = AuditForm(audit)
        })
      if format == .text {
        Terminal.print(file)
        for line in audit.lines() { Terminal.print("  \(line)") }
      }
    }
    if format == .json { Terminal.write(EncodedJSON.lines(entries), to: 1) }
    if isBroken { throw CommandFailure(.incomplete) }
  }
}
