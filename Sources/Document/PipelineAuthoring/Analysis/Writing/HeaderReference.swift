/// Headers of requests that editors propose: those of standards, and those of the catalogue.
enum HeaderReference {
  struct Header: Sendable {
    let name, summary: String
    var values: [String] = []
  }

  static let headers: [Header] = {
    let general = EmbeddedTexts.headers.flatMap { DescriptionList.entries($0.text) }.map { entry in
      let parts = entry.text.split(separator: " Values: ").map(String.init)
      let values = parts.dropFirst().flatMap { $0.split(separator: ", ") }
      return Header(
        name: entry.name, summary: parts[0],
        values: values.map { String($0.dropFirst().dropLast()) })
    }
    let names = Set(general.map { $0.name.lowercased() })
    return general + ofCatalogue.filter { !names.contains($0.name.lowercased()) }
  }()

  static func header(_ name: String) -> Header? {
    headers.first { $0.name.lowercased() == name.lowercased() }
  }

  /// Headers that only some services support: no code names a service, so they are read from the catalogue's texts.
  private static let ofCatalogue: [Header] = {
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
