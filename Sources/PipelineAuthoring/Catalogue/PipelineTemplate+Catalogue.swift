extension PipelineTemplate {
  /// The pipelines of `Pipelines/catalogue`, by name: one for each protocol of a service.
  ///
  /// The build embeds their texts, because a program has no folder of files next to it.
  public static let catalogue = EmbeddedTexts.catalogue.map { PipelineTemplate(document: $0.text) }

  private init(document text: String) {
    func value(_ key: String) -> String {
      let line = text.split(separator: "\n").first { $0.hasPrefix(key + ": ") } ?? ""
      return String(line.dropFirst(key.count + 2))
    }
    // The first line is for editors; its path leads nowhere from another folder.
    let body = text.drop { $0 != "\n" }.dropFirst()
    self.init(
      name: value("pipeline"), pipeline: value("pipeline"), summary: value("description"),
      text: String(body.hasPrefix("#\n") ? body.dropFirst(2) : body))
  }
}
