import PipelineCore
package import YAMLSyntax

extension DocumentReader {
  package func example(_ node: YAMLNode) -> ExampleResponse<Draft>? {
    fields(node, .example).map(responseTemplate)
  }

  /// The keys that examples and the responses of test files share.
  package func responseTemplate(_ fields: FieldReader) -> ExampleResponse<Draft> {
    ExampleResponse(
      status: status(fields) ?? 200,
      headers: fields["headers"].map { node in
        (map(node, of: "headers by name") ?? []).map { name, value in
          DraftField(name: name, value: template(value))
        }
      } ?? [],
      body: fields["json"].map { .json(json($0) ?? .template(nil)) }
        ?? fields["text"].map { .text(template($0)) },
      delay: fields["delay"].flatMap(duration) ?? .zero)
  }

  private func status(_ fields: FieldReader) -> Int? {
    guard let status = fields.integer("status"), let node = fields["status"] else { return nil }
    guard status <= 599 else {
      return collector.refuse(
        .outOfRange, "'status' is \(status), expected at most 599", at: range(node))
    }
    return status
  }
}
