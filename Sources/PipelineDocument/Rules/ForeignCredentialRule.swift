import PipelineCore
import CEL

/// A credential belongs to the host that issued it; any other host could use it in our name.
enum ForeignCredentialRule: ExpressionRule {
  static let pages = [
    Check(
      .foreignCredential, .warning, .safety,
      summary: "a credential is sent to a host of a different domain",
      explanation: """
        Anyone who receives a token can use it. Here the step that obtained it and the request that sends it use hosts of \
        different domains. If both belong to one service, as with a separate sign-in server, ignore this check with a \
        comment that says so. Only hosts written in the file are compared.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: sign_in
            request: { url: "https://login.example.com/token" }
            outputs: { token: { value: "${{ response.json.token }}", secret: true } }
          - id: ping
            request: { url: "https://example.net/ping", bearer: "${{ steps.sign_in.token }}" }
        """,
      right: """
        pipeline: example
        steps:
          - id: sign_in
            request: { url: "https://login.example.com/token" }
            outputs: { token: { value: "${{ response.json.token }}", secret: true } }
          - id: ping
            request: { url: "https://api.example.com/ping", bearer: "${{ steps.sign_in.token }}" }
        """)
  ]

  package static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
    let secrets = Secrets(analysis)
    for (request, step) in analysis.requests {
      guard let target = URLOrigin(request.url, step: step, in: analysis) else { continue }
      for (template, isAuthorization) in request.credentials {
        for case .expression(let expression) in template.parts {
          guard let entry = analysis.entry(expression, in: step),
            // Anything that authorizes is a credential, whether it is declared secret or not.
            let name = secrets.source(of: entry.syntax)
              ?? (isAuthorization ? entry.compiled?.references.first?.variable : nil)
          else { continue }
          let names = name.split(separator: ".")
          guard names.count == 3, names[0] == "steps",
            let maker = analysis.directory.byID[String(names[1])],
            let url = maker.draft.requests.first?.url,
            let source = URLOrigin(url, step: maker.index, in: analysis),
            !source.isOfSameOwner(as: target)
          else { continue }
          collector.warning(
            .foreignCredential,
            "'\(name)' comes from '\(source.host)' and is sent to '\(target.host)'",
            at: expression.range,
            notes: [Diagnostic.Note(message: "it is obtained by this request", range: url.range)])
        }
      }
    }
  }
}

extension DraftRequest {
  /// The templates whose values may authorize the request, and whether they certainly do.
  fileprivate var credentials: [(template: DraftTemplate, isAuthorization: Bool)] {
    (authorization?.templates ?? []).compactMap { $0 }.map { ($0, true) }
      + headers.compactMap(\.value).map { ($0, false) }
  }
}
