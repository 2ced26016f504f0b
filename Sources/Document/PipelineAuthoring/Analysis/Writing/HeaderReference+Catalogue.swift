import YAMLSyntax

/// Headers that only some services know: no code names a service, so they are read from the catalogue's texts.
extension HeaderReference {
  static let ofCatalogue: [Header] = {
    var found = Collection()
    for template in PipelineTemplate.catalogue {
      guard let text = try? template.text(), let root = YAMLDocument.parse(text).root
      else { continue }
      found.read(root, template.name)
    }
    return found.headers
  }()

  private struct Collection {
    private(set) var headers: [Header] = []
    /// Keys whose mappings are no parts of requests, though they may have headers.
    private static let others: Set<String> = ["example", "response", "outputs", "json", "with"]

    mutating func read(_ node: YAMLNode, _ template: String) {
      for element in node.sequence ?? [] { read(element, template) }
      for entry in node.mapping ?? [] {
        guard let name = entry.name, !Self.others.contains(name) else { continue }
        if name == "headers" || name == "trailers" {
          for part in entry.value.sequence ?? [entry.value] { add(part, template) }
        } else {
          read(entry.value, template)
        }
      }
    }

    private mutating func add(_ fields: YAMLNode, _ template: String) {
      for field in fields.mapping ?? [] {
        guard let name = field.name, name.contains("-") else { continue }
        let text = field.value.scalar?.text ?? ""
        let values = text.isEmpty || text.contains("${{") ? [] : [text]
        if let index = headers.firstIndex(where: { $0.name == name }) {
          headers[index].values += values.filter { !headers[index].values.contains($0) }
        } else {
          headers.append(
            Header(name: name, summary: "As in `pipeline new \(template)`.", values: values))
        }
      }
    }
  }
}
