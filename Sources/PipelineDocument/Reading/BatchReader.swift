import YAMLSyntax

extension DocumentReader {
  package func batch(_ fields: FieldReader) -> DraftBatch? {
    guard let node = fields["batch"], let range = fields.keyRange("batch") else { return nil }
    let own = self.fields(node, .batch)
    return DraftBatch(
      items: own?.integer("items"), within: own?["within"].flatMap(duration),
      entry: own?["entry"].flatMap(json), range: range)
  }

  package func results(_ fields: FieldReader) -> DraftResults? {
    guard let node = fields["results"], let range = fields.keyRange("results") else { return nil }
    let own = self.fields(node, .results)
    return DraftResults(
      each: own?["each"].flatMap { expression($0, expected: "the item's result in the response") },
      matchers: own?["on"].map(matchers) ?? [], range: range)
  }
}
