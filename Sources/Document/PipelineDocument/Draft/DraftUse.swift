package struct DraftUse {
  package let path: Located<String>
  package let values: [(name: Located<String>, value: DraftTemplate?)]
  /// `nil` if the file cannot be used, which is reported.
  package let file: UsedPipeline?
}

package final class UsedPipeline {
  package struct Output {
    package let name: String
    package let type: ValueType
    package let isSecret: Bool
  }

  package let draft: DraftPipeline
  package let document: YAMLDocument
  package let collector: DiagnosticCollector
  package let outputs: [Output]
  let hasLoops: Bool

  init(
    _ draft: DraftPipeline, _ document: YAMLDocument, _ collector: DiagnosticCollector,
    _ outputs: [Output], hasLoops: Bool
  ) {
    (self.draft, self.document, self.collector) = (draft, document, collector)
    (self.outputs, self.hasLoops) = (outputs, hasLoops)
  }
}
