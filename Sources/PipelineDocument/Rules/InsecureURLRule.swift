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
        """)
  ]

  static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
    for input in analysis.draft.inputs where input.kind == .url {
      guard let text = input.defaultText, let origin = URLOrigin(text.value, isWhole: true) else {
        continue
      }
      report(origin, at: text.range, collector)
    }
    for (request, step) in analysis.requests {
      guard let url = request.url, let origin = URLOrigin(url, step: step, in: analysis) else {
        continue
      }
      report(origin, at: url.range, collector)
    }
  }

  private static func report(
    _ origin: URLOrigin, at range: TextRange, _ collector: DiagnosticCollector
  ) {
    guard origin.scheme == "http", !origin.isLoopback else { return }
    collector.warning(
      .insecureURL, "what goes to '\(origin.host)' is not encrypted", at: range,
      help: "write 'https:' if the server has it")
  }
}
