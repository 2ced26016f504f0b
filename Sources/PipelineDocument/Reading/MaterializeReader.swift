package import PipelineCore
package import YAMLSyntax

extension DocumentReader {
  package func materialize(_ node: YAMLNode) -> Materialize<Draft>? {
    guard let fields = fields(node, .materialize) else { return nil }
    if !fields.has("file"), let range = fields.keyRange("range") {
      collector.error(
        .uselessKey, "'range' requires 'file'", at: range)
    }
    guard let source = source(fields) else { return nil }
    return Materialize(source: source, digests: digests(fields))
  }

  private func source(_ fields: FieldReader) -> Materialize<Draft>.Source? {
    if let node = fields["file"] {
      return .file(
        expression(node, expected: "a file"), range: fields["range"].flatMap(byteRange))
    }
    if let node = fields["multipart"] { return .multipart(parts(node)) }
    if let node = fields["json"] { return .json(json(node) ?? .template(nil)) }
    if let node = fields["text"] { return .text(template(node)) }
    return nil
  }

  private func parts(_ node: YAMLNode) -> [Materialize<Draft>.Part] {
    guard let elements = list(node, of: "parts") else { return [] }
    if elements.isEmpty {
      collector.error(
        .emptyCollection, "'multipart' is empty, expected at least one part", at: range(node))
    }
    return elements.compactMap(part)
  }

  private func part(_ node: YAMLNode) -> Materialize<Draft>.Part? {
    guard let fields = fields(node, .part) else { return nil }
    if !fields.has("file"), let range = fields.keyRange("filename") {
      collector.error(
        .uselessKey, "'filename' requires 'file'", at: range)
    }
    let content: Materialize<Draft>.Part.Content =
      if let node = fields["file"] {
        .file(
          expression(node, expected: "a file"),
          filename: fields["filename"].map { template($0) })
      } else {
        .text(fields["text"].flatMap { template($0) })
      }
    return Materialize<Draft>.Part(
      name: fields["name"].flatMap { token($0)?.value } ?? "", content: content,
      contentType: fields["content_type"].flatMap { token($0)?.value })
  }

  /// Single-line text, which the header of a part can carry.
  private func token(_ node: YAMLNode) -> Located<String>? {
    guard let text = text(node) else { return nil }
    guard text.value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      collector.error(.invalidHeader, "control characters are not allowed here", at: text.range)
      return nil
    }
    return text
  }
}
