import YAMLSyntax

extension DocumentReader {
  package func batch(_ fields: FieldReader) -> DraftBatch? {
    guard let node = fields["batch"], let range = fields.keyRange("batch") else { return nil }
    let own = self.fields(node, .batch)
    return DraftBatch(
      items: own?.integer("items"), within: own?["within"].flatMap(duration),
      by: own?["by"].flatMap { expression($0, expected: "what items share a batch by") },
      isSerial: own?["serial"].flatMap(flag)?.value ?? false,
      bytes: own?["bytes"].flatMap(batchBytes), entry: own?["entry"].flatMap(json), range: range)
  }

  private func batchBytes(_ node: YAMLNode) -> DraftBatch.Bytes? {
    var limit = node
    var size: DraftExpression?
    if node.mapping != nil {
      guard let fields = fields(node, .batchBytes), let given = fields["limit"],
        let of = fields["of"].flatMap({ expression($0, expected: "a number of bytes") })
      else { return nil }
      (limit, size) = (given, of)
    }
    guard let bytes = self.size(limit) else { return nil }
    guard bytes > 0 else {
      return collector.refuse(
        .outOfRange, "'bytes' is 0, expected at least 1 byte", at: range(limit))
    }
    return DraftBatch.Bytes(limit: bytes, size: size, range: range(node))
  }

  package func results(_ fields: FieldReader) -> DraftResults? {
    guard let node = fields["results"], let range = fields.keyRange("results") else { return nil }
    let own = self.fields(node, .results)
    if let node = own?["on"], node.sequence?.isEmpty == true {
      collector.report(
        .emptyCollection, "'on' is empty, expected at least one entry", at: self.range(node))
    }
    return DraftResults(
      each: own?["each"].flatMap { expression($0, expected: "the item's result in the response") },
      matchers: own?["on"].map { matchers($0) } ?? [], range: range)
  }
}
