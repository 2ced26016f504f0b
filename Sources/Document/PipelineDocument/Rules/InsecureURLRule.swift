/// Without TLS, anyone on the network path can read and change the data.
enum InsecureURLRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    for input in analysis.draft.inputs where input.kind == .url {
      guard let text = input.defaultText, let origin = URLOrigin(text.value, isWhole: true)
      else { continue }
      report(origin, at: text.range, collector)
    }
    let secrets = Secrets(analysis)
    for (request, step) in analysis.requests {
      guard let url = request.url, let origin = URLOrigin(url, step: step, in: analysis),
        origin.isUnencrypted
      else { continue }
      guard request.carries(secrets, step, in: analysis) else {
        report(origin, at: url.range, collector)
        continue
      }
      collector.report(
        .unencryptedSecret, "a secret is sent to '\(origin.host)' without encryption",
        at: url.range, help: "write 'https:'; a run only sends it unencrypted with --insecure")
    }
  }

  private static func report(
    _ origin: URLOrigin, at range: TextRange, _ collector: DiagnosticCollector
  ) {
    guard origin.isUnencrypted else { return }
    collector.report(
      .insecureURL, "requests to '\(origin.host)' are not encrypted", at: range,
      help: "write 'https:' if the server supports it")
  }
}

extension URLOrigin { fileprivate var isUnencrypted: Bool { scheme == "http" && !isLoopback } }

extension DraftRequest {
  fileprivate func carries(_ secrets: Secrets, _ step: Int, in analysis: ExpressionAnalysis) -> Bool
  {
    if authorization != nil { return true }
    let templates = [url] + (query + headers).map(\.value) + (body?.templates ?? [])
    return templates.contains { $0?.reads(secrets.declarations, step, analysis) == true }
  }
}
