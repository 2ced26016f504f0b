import PipelineCore
package import YAMLSyntax

extension DocumentReader {
  package func pipeline(_ root: YAMLNode) -> DraftPipeline? {
    guard let fields = fields(root, .pipeline) else { return nil }
    checkVersion(fields)
    let reader = DocumentReader(
      document: document, collector: collector, used: used, path: path,
      definitions: definitions(fields))
    return reader.reader(defaults: fields["defaults"]).pipeline(fields, root)
  }

  private func pipeline(_ fields: FieldReader, _ root: YAMLNode) -> DraftPipeline {
    let used = definitions.credentialSteps.isEmpty ? [] : usedCredentials(in: root)
    let credentialSteps = definitions.credentialSteps.sorted { $0.key < $1.key }.filter {
      used.contains($0.key)
    }.flatMap(\.value)
    let budgets = fields["budgets"].flatMap(budgets) ?? DraftBudgets()
    return DraftPipeline(
      name: fields["pipeline"].flatMap { name($0, of: "the pipeline name", allowsHyphen: true) },
      description: fields["description"].flatMap { text($0)?.value },
      inputs: fields["inputs"].map(inputs) ?? [],
      budgets: budgets.limits, rateNames: budgets.rates,
      backgroundSession: fields["background_session"].flatMap(session),
      policies: definitions.policies,
      policyNames: fields["retry"]?.mapping.map { entries in
        entries.compactMap { entry in entry.name.map { Located($0, at: range(entry.key)) } }
      } ?? [],
      nodes: credentialSteps.enumerated().map { .step($1.step(at: $0)) }
        + (fields["steps"].map { nodes($0, after: credentialSteps.count) } ?? []),
      outputs: (fields["outputs"].flatMap { map($0, of: "outputs by name") } ?? []).map {
        _ = check(name: $0.name, of: "an output name")
        return DraftField(name: $0.name, value: template($0.value, expected: "an output value"))
      },
      root: root)
  }

  package func checkVersion(_ fields: FieldReader) {
    guard let version = fields.integer("version"), version > Grammar.version,
      let node = fields["version"]
    else { return }
    collector.report(
      .unknownVersion,
      "the file is written in version \(version) of the language, and this program reads version \(Grammar.version)",
      at: range(node), help: "install a newer program")
  }
}
