import PipelineCore

/// The checks of time, bytes and background transfers before a run.
///
/// A rule only reports sums of constants, of numbers that the author wrote, or of limits that the message names: a false
/// alarm is worse than a miss.
enum TimeAndBytes {
  /// The time that a process gets when the transfer service wakes it (BT2).
  package static let allowance: Duration = .seconds(30)

  /// Runs every rule on a checked pipeline; steps of used files count, but what is wrong in them was reported with their own file.
  package static func check(
    _ pipeline: LinkedPipeline, _ draft: DraftPipeline, _ reader: DocumentReader
  ) {
    let document = CheckedDocument(pipeline, draft, reader)
    let usedFiles = Set(draft.steps.compactMap { $0.use == nil ? nil : $0.range })
    reader.collector.dropping(at: usedFiles) {
      for rule in Rules.all { rule.check(document, reader.collector) }
    }
  }
}
