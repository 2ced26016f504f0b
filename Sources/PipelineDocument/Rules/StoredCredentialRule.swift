import CEL
import PipelineCore

/// A token that does nothing but authorize, and that signing in again replaces, need not be stored.
enum StoredCredentialRule: ExpressionRule {
  /// Its code is explained where other secrets are.
  static let pages: [Check] = []

  static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
    var uses: [String: [(isCredential: Bool, range: TextRange)]] = [:]
    for entry in analysis.entries.values {
      for reference in entry.compiled?.references ?? [] {
        let range = analysis.reader.range(reference.range, of: entry.draft)
        uses[reference.variable, default: []].append((entry.isCredential, range))
      }
    }
    for case .step(let step) in analysis.draft.nodes where step.effect == .repeatable {
      for output in step.outputs where !output.isSecret {
        guard let id = step.id, case .request? = step.action,
          let used = uses["steps.\(id.value).\(output.name.value)"],
          used.allSatisfy(\.isCredential),
          let first = used.map(\.range).min(by: { $0.start < $1.start })
        else { continue }
        collector.warning(
          .unprotectedSecret,
          "the output '\(output.name.value)' authorizes requests, and is stored in the clear",
          at: output.name.range,
          notes: [Diagnostic.Note(message: "it is used as a credential here", range: first)],
          help: "write 'secret: true' beside 'value'")
      }
    }
  }
}
