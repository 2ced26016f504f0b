package import PipelineCore
package import YAMLSyntax

extension DocumentReader {
  package func materialize(_ node: YAMLNode) -> Materialize<Draft>? {
    guard let fields = fields(node, .materialize) else { return nil }
    if !fields.has("file"), let range = fields.keyRange("range") {
      collector.report(.uselessKey, "'range' requires 'file'", at: range)
    }
    guard let source = source(fields) else { return nil }
    return Materialize(source: source, digests: digests(fields))
  }

  private func source(_ fields: FieldReader) -> Materialize<Draft>.Source? {
    if let node = fields["file"] {
      return .file(expression(node, expected: "a file"), range: fields["range"].flatMap(byteRange))
    }
    if let node = fields["multipart"] { return .multipart(parts(node)) }
    if let node = fields["json"] { return .json(json(node) ?? .template(nil)) }
    if let node = fields["text"] { return .text(template(node)) }
    if let node = fields["xml"] { return .xml(xmlTemplate(node)) }
    if let node = fields["concat"] { return .concat(pieces(node)) }
    return nil
  }

  private func pieces(_ node: YAMLNode) -> [Materialize<Draft>.Piece] {
    (filledList(node, "concat", of: "pieces", "piece") ?? []).compactMap { node in
      guard let fields = fields(node, .piece) else { return nil }
      if !fields.has("file"), let range = fields.keyRange("range") {
        collector.report(.uselessKey, "'range' requires 'file'", at: range)
      }
      if let node = fields["file"] {
        return .file(
          expression(node, expected: "a file"), range: fields["range"].flatMap(byteRange))
      }
      return fields["text"].map { .text(template($0)) }
    }
  }

  private func parts(_ node: YAMLNode) -> [Materialize<Draft>.Part] {
    (filledList(node, "multipart", of: "parts", "part") ?? []).compactMap(part)
  }

  private func part(_ node: YAMLNode) -> Materialize<Draft>.Part? {
    guard let fields = fields(node, .part) else { return nil }
    for key in ["filename", "range"] where !fields.has("file") {
      guard let range = fields.keyRange(key) else { continue }
      collector.report(.uselessKey, "'\(key)' requires 'file'", at: range)
    }
    let content: Materialize<Draft>.Part.Content =
      if let node = fields["file"] {
        .file(
          expression(node, expected: "a file"), range: fields["range"].flatMap(byteRange),
          filename: fields["filename"].map { template($0) })
      } else {
        .text(fields["text"].flatMap { template($0) })
      }
    return Materialize<Draft>.Part(
      name: fields["name"].flatMap { token($0)?.value } ?? "", content: content,
      contentType: fields["content_type"].flatMap { token($0)?.value },
      headers: fields["headers"].map(partHeaders) ?? [])
  }

  /// The other headers of a part.
  private func partHeaders(_ node: YAMLNode) -> [DraftField] {
    let fields = headerFields(node)
    for field in fields {
      let name = field.name.value.lowercased()
      if !HeaderRule.isToken(field.name.value) {
        collector.report(
          .invalidHeader,
          "invalid header name '\(field.name.value)', expected letters, digits and '-'",
          at: field.name.range)
      } else if name == "content-type" || name == "content-disposition" {
        collector.report(
          .invalidHeader, "the header '\(field.name.value)' of a part is made from its other keys",
          at: field.name.range,
          help: name == "content-type" ? "write 'content_type'" : "write 'name' and 'filename'")
      }
    }
    return fields
  }

  /// Single-line text, which the header of a part can carry.
  private func token(_ node: YAMLNode) -> Located<String>? {
    guard let text = text(node) else { return nil }
    guard text.value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      return collector.refuse(
        .invalidHeader, "control characters are not allowed here", at: text.range)
    }
    return text
  }
}
