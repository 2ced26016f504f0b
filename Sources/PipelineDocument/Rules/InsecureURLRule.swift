import CEL
import PipelineCore

/// Without TLS, whoever is on the way reads and changes what is sent.
enum InsecureURLRule: ExpressionRule {
  static let pages = [
    Check(
      .insecureURL, .warning, .safety,
      summary: "a request goes to another machine without encryption",
      explanation: """
        With `http:` everybody on the way can read tokens and files, and change answers. Write `https:`. Addresses of this machine \
        (`localhost`, `127.0.0.1`, `[::1]`) are not meant.
        """,
      wrong: """
        pipeline: example
        inputs: { server: { type: url, default: "http://api.example.com" } }
        steps:
          - id: ping
            request: { url: "${{ inputs.server }}/ping" }
          - id: pong
            request: { url: "http://example.com/${{ run.id }}" }
        """,
      right: """
        pipeline: example
        inputs: { server: { type: url, default: "http://127.0.0.1:8080" } }
        steps:
          - id: ping
            request: { url: "${{ inputs.server }}/ping" }
          - id: pong
            request: { url: "https://example.com/${{ run.id }}" }
        """),
    Check(
      .unencryptedSecret, .warning, .safety,
      summary: "a secret goes to another machine without encryption",
      explanation: """
        Everybody on the way can read it, and use it. A run refuses to send it: the item is paused. Write `https:`; where the \
        network is trusted, `--insecure` lets a run send secrets so all the same.
        """,
      wrong: """
        pipeline: example
        inputs: { token: { type: secret } }
        steps:
          - id: ping
            request: { url: "http://example.com/ping", bearer: "${{ inputs.token }}" }
        """,
      right: """
        pipeline: example
        inputs: { token: { type: secret } }
        steps:
          - id: ping
            request: { url: "https://example.com/ping", bearer: "${{ inputs.token }}" }
        """),
  ]

  package static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
    for input in analysis.draft.inputs where input.kind == .url {
      guard let text = input.defaultText, let origin = URLOrigin(text.value, isWhole: true) else {
        continue
      }
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
      collector.warning(
        .unencryptedSecret, "a secret goes to '\(origin.host)' without encryption", at: url.range,
        help: "write 'https:'; a run sends it so with --insecure alone")
    }
  }

  private static func report(
    _ origin: URLOrigin, at range: TextRange, _ collector: DiagnosticCollector
  ) {
    guard origin.isUnencrypted else { return }
    collector.warning(
      .insecureURL, "what goes to '\(origin.host)' is not encrypted", at: range,
      help: "write 'https:' if the server has it")
  }
}

extension URLOrigin {
  /// Whether what goes there can be read on the way.
  fileprivate var isUnencrypted: Bool { scheme == "http" && !isLoopback }
}

extension DraftRequest {
  /// Whether something of the request authorizes it, or is made of a secret.
  fileprivate func carries(_ secrets: Secrets, _ step: Int, in analysis: Analysis) -> Bool {
    if authorization != nil { return true }
    var templates = [url] + (query + headers).map(\.value)
    switch body {
    case .json(let json?): templates += json.templates
    case .form(let fields): templates += fields.map(\.value)
    case .text(let text): templates.append(text)
    case .json(nil), nil: break
    }
    return templates.contains { template in
      (template?.parts ?? []).contains { part in
        guard case .expression(let expression) = part else { return false }
        return analysis.entry(expression, in: step)?.compiled?.references
          .contains { secrets.declarations[$0.variable] != nil } ?? false
      }
    }
  }
}

extension DraftJSON {
  /// Every template inside.
  var templates: [DraftTemplate?] {
    switch self {
    case .literal: []
    case .template(let template): [template]
    case .array(let elements): elements.flatMap(\.templates)
    case .object(let members): members.flatMap(\.value.templates)
    }
  }
}
