extension PipelineTemplate {
  /// The pipelines of `Pipelines/catalogue`, by name: one for each protocol of a service.
  ///
  /// Their texts are generated (`make generated`), because a program has no folder of files beside it.
  public static let catalogue = catalogueTexts.map { PipelineTemplate(document: $0) }

  /// A template whose name and summary are those of the pipeline itself.
  private init(document text: String) {
    func value(_ key: String) -> String {
      let line = text.split(separator: "\n").first { $0.hasPrefix(key + ": ") } ?? ""
      return String(line.dropFirst(key.count + 2))
    }
    self.init(
      name: value("pipeline"), pipeline: value("pipeline"), summary: value("description"),
      text: text)
  }
}
