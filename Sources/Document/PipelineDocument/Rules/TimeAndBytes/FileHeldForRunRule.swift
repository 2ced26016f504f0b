/// A run-level file is held until the run ends, because any item may read it.
///
/// If none does, its space is wasted.
enum FileHeldForRunRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    let pipeline = document.pipeline
    guard pipeline.budgets.diskBytes != nil else { return }
    lazy var readersOfFiles = document.readersOfFiles()
    for (position, node) in pipeline.nodes.enumerated() {
      guard case .step(let index) = node,
        case .materialize(let template) = pipeline.steps[index].action, holdsFile(template)
      else { continue }
      let step = pipeline.steps[index]
      let names = ["file"] + step.outputs.map(\.name)
      let readers = names.flatMap { readersOfFiles["steps.\(step.id).\($0)"] ?? [] }
      let needing = pipeline.steps.indices.filter { reader in
        pipeline.steps[reader].uses.contains { $0.step == index }
      }
      guard !readers.contains(nil), let last = (readers.compactMap { $0 } + needing).max(),
        pipeline.steps[last].loop == nil,
        let loop = loopThatWrites(after: position, and: last, in: pipeline)
      else { continue }
      let reader = pipeline.steps[last].id
      collector.report(
        .fileHeldForRun,
        """
        the file of '\(step.id)' holds disk space until the run ends, but no step after '\(reader)' \
        reads it
        """, at: document.steps[index].range,
        note: ("the items of this loop need the space", document.loops[loop]?.range),
        help: """
          make it the file of an item: put '\(step.id)' to '\(reader)' into a loop, \
          'for_each: one' with 'in: ${{ [1] }}'
          """)
    }
  }

  /// Whether it copies bytes of a file; texts are small.
  private static func holdsFile(_ template: MaterializeTemplate) -> Bool {
    switch template.source {
    case .file: true
    case .multipart(let parts):
      parts.contains { if case .file = $0.content { true } else { false } }
    case .concat(let pieces): pieces.contains { if case .file = $0 { true } else { false } }
    case .json, .text, .xml: false
    }
  }

  private static func loopThatWrites(
    after position: Int, and last: Int, in pipeline: Pipeline
  ) -> Int? {
    for case .loop(let loop) in pipeline.nodes.dropFirst(position + 1) {
      let steps = pipeline.loops[loop].steps
      guard let first = steps.first, first > last else { continue }
      let writes = steps.contains { step in
        pipeline.steps[step].makesFile && !pipeline.steps[step].savesFile
      }
      if writes { return loop }
    }
    return nil
  }
}
