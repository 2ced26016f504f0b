import CEL
import PipelineDocument
import PipelineCore
import YAMLSyntax

extension IndexBuilder {
  func outputs(of step: YAMLNode, _ id: String?) -> [DocumentIndex.Output] {
    if let taken = step["digest"]?["take"]?.sequence {
      return taken.compactMap { node in
        guard let name = text(node) else { return nil }
        return DocumentIndex.Output(
          name: name, value: nil, secrecy: nil, lifetime: nil, range: name.range,
          type: .object(Variables.digest))
      }
    }
    return ((step["repeat"]?["from"] ?? step["collect"] ?? step["outputs"])?.mapping ?? [])
      .compactMap {
        entry in
        guard let name = text(entry.key) else { return nil }
        let isMapping = entry.value.mapping != nil
        let expires = isMapping ? entry.value["expires"] : nil
        let lifetime = expires.flatMap { $0["in"] ?? $0["at"] ?? $0["url"] }?.scalar?.text
        return DocumentIndex.Output(
          name: name, value: isMapping ? entry.value["value"] : entry.value,
          secrecy: isMapping ? secrecy(entry.value["secret"]) : nil,
          lifetime: lifetime.map { Self.word(beforeEnd: expires) + "`\($0)`" },
          range: range(entry.range))
      }
  }

  private func secrecy(_ node: YAMLNode?) -> DocumentIndex.Secrecy? {
    node?.string == "sealed" ? .sealed : node?.scalarValue == .bool(true) ? .lost : nil
  }

  private static func word(beforeEnd expires: YAMLNode?) -> String {
    if expires?["in"] != nil { return "for " }
    return expires?["at"] == nil ? "as long as the URL says: " : "until "
  }
}
