package struct DraftUse {
  package let path: Located<String>
  package let values: [(name: Located<String>, value: DraftTemplate?)]
  /// `nil` if the file cannot be used, which is reported.
  package let file: UsedPipeline?
}
