/// Hardly any server accepts a constant as a JSON body, so most likely the members of an object are missing.
enum ScalarBodyRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for request in pipeline.requests {
      guard case .json(let json)? = request.body, let range = request.bodyRange else { continue }
      if case .template(let template?) = json,
        let first = Substring(template.leadingText).trimmed.first, "{[".contains(first)
      {
        collector.report(
          .scalarBody, "the JSON body is one text that looks like JSON, and is sent in quotes",
          at: template.range, help: "leave out the quotes around the whole value")
        continue
      }
      guard case .literal(let value) = json else { continue }
      collector.report(
        .scalarBody, "the JSON body is the constant \(value), expected an object or a list",
        at: range, help: "write the members below 'json', each with its name")
    }
  }
}
