/// A step that is done by the steps of another file.
struct DraftUse {
  let path: Located<String>
  let values: [(name: Located<String>, value: DraftTemplate?)]
  /// `nil` where the file cannot be used, which is reported.
  let file: UsedPipeline?
}
