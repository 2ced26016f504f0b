/// A token that only authorizes, and that signing in again replaces, need not be stored.
enum StoredCredentialRule: Rule {
  private static let secretWords: Set<String> = [
    "password", "passwd", "passphrase", "secret", "token", "apikey",
  ]

  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    var uses: [String: [(entry: ExpressionAnalysis.Entry, part: Range<Int>)]] = [:]
    var identifying: Set<String> = []
    for entry in analysis.entries.values {
      for reference in entry.compiled?.references ?? [] {
        if entry.isCredential {
          uses[reference.variable, default: []].append((entry, reference.range))
        } else {
          identifying.insert(reference.variable)
        }
      }
    }
    for input in analysis.draft.inputs where input.kind == .string {
      let words = input.name.value.split(separator: "_").map(String.init)
      guard words.contains(where: secretWords.contains) else { continue }
      collector.report(
        .unprotectedSecret,
        "the input '\(input.name.value)' looks like a secret but is stored as plain text",
        at: input.name.range, help: "write 'type: secret'")
    }
    for case .step(let step) in analysis.draft.nodes where step.effect == .repeatable {
      for output in step.outputs where !output.isSecret {
        guard let id = step.id, step.action?.kind == .request || step.action?.kind == .poll
        else { continue }
        let name = "steps.\(id.value).\(output.name.value)"
        let places = (uses[name] ?? []).map { analysis.reader.range($0.part, of: $0.entry.draft) }
        guard !identifying.contains(name), let first = places.min(by: { $0.start < $1.start })
        else { continue }
        collector.report(
          .unprotectedSecret,
          "the output '\(output.name.value)' authorizes requests but is stored as plain text",
          at: output.name.range, note: ("it is used as a credential here", first),
          help: "add 'secret: true' next to 'value'")
      }
    }
  }
}
