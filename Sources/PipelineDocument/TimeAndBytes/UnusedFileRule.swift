import PipelineCore

/// A file is held until its item is done, also one that nothing reads.
enum UnusedFileRule: TimeAndBytesRule {
  static let pages = [
    Check(
      .unusedFile, .warning, .bytes,
      summary: "nothing reads a materialized file",
      explanation: """
        A materialized file holds disk space until its item is done. One that no step reads, whose digests nobody asks for and \
        that no `needs` names is probably meant to be the `file` of the upload after it.
        """,
      wrong: """
        pipeline: example
        inputs: { photo: { type: file } }
        steps:
          - id: copy
            materialize: { file: "${{ inputs.photo }}" }
          - id: send
            upload: { url: "https://example.com/photo", file: "${{ inputs.photo }}" }
        """,
      right: """
        pipeline: example
        inputs: { photo: { type: file } }
        steps:
          - id: copy
            materialize: { file: "${{ inputs.photo }}" }
          - id: send
            upload: { url: "https://example.com/photo", file: "${{ steps.copy.file }}" }
        """)
  ]

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
