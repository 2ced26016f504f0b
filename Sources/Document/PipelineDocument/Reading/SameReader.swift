extension DocumentReader {
  /// An entry with `same`: the item is skipped if the response shows that the server has the file as it is.
  func same(_ node: YAMLNode, _ entry: FieldReader) -> DraftMatcher? {
    guard let fields = fields(node, .same), let place = entry.keyRange("same") else { return nil }
    entry.reportUseless(["after", "slower", "progress", "refused"]) {
      "'\($0)' does not apply to 'same', which skips the item"
    }
    let condition = entry["if"].flatMap { expression($0, expected: "a condition") }
    var compared: [(DraftExpression, ExpectedType)] = []
    func read(_ key: String, as type: ExpectedType, _ what: String) -> DraftExpression? {
      let expression = fields[key].flatMap { self.expression($0, expected: what) }
      if let expression { compared.append((expression, type)) }
      return expression
    }
    let file = read("file", as: .file, "a file")
    let size = read("size", as: .textual, "a size")
    let modified = read("modified", as: .timestamp, "a timestamp")
    let digests = fields["digest"].flatMap { list($0, of: "two digests") }?.compactMap {
      expression($0, expected: "a digest")
    }
    compared += (digests ?? []).map { ($0, .textual) }
    if let digests, let range = fields.keyRange("digest"), digests.count != 2 {
      collector.report(
        .outOfRange, "expected two digests, that of the file and that of the server", at: range)
    }
    if size == nil || modified == nil, digests == nil {
      collector.report(
        .missingKey, "'same' needs 'size' and 'modified', or 'digest'", at: place,
        help: "a changed file may well have the size that it had")
    }
    if size ?? modified != nil, file == nil {
      collector.report(
        .missingKey, "'size' and 'modified' need 'file', with which they are compared", at: place)
    }
    var terms = condition.map { ["(\($0.source)\n)"] } ?? []
    if let file {
      if let size { terms.append("string(\(size.source)\n) == string((\(file.source)\n).size)") }
      if let modified {
        // Protocols have whole seconds: the time of an edit right after an upload may be that of the upload.
        let own = "(\(file.source)\n).modified"
        terms.append("int(\(modified.source)\n) == int(\(own))")
        terms.append("(now < \(own) || now - \(own) > duration('2s'))")
      }
    }
    if let digests, digests.count == 2 {
      let (one, other) = (digests[0].source, digests[1].source)
      terms.append("string(\(one)\n) != '' && string(\(one)\n) == string(\(other)\n)")
    }
    let source = terms.joined(separator: " && ")
    return DraftMatcher(
      condition: terms.isEmpty
        ? nil : DraftExpression(source: source, origin: .constant, range: place),
      hasCondition: true, outcome: .word(.skipItem, place),
      message: entry["message"].flatMap { template($0) }
        ?? DraftTemplate(parts: [.text("the server has it")], range: place),
      compared: compared + (condition.map { [($0, ExpectedType.bool)] } ?? []),
      range: entry.headRange)
  }
}
