/// A step that includes the steps of another file.
struct DraftUse {
  let path: Located<String>
  let values: [(name: Located<String>, value: DraftTemplate?)]
  /// `nil` if the file cannot be used, which is reported.
  let file: UsedPipeline?
}
