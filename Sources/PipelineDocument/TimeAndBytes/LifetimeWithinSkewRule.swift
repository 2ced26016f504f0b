import PipelineCore

/// The skew is taken off the life: where it is as long, the output is dead when it is made, each time.
enum LifetimeWithinSkewRule: TimeAndBytesRule {
  static let pages = [
    Check(
      .lifetimeWithinSkew, .error, .time,
      summary: "an output's skew leaves nothing of its life",
      explanation: """
        An output is used from the answer on until `skew` before the end of its life. Where the skew is as long as the life, the \
        output is dead whenever it is looked at: its step is done again and again, and the item is paused after `max_reissues`.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: sign_in
            request: { method: POST, url: "https://example.com/login" }
            outputs:
              token: { value: "${{ response.json.token }}", secret: true, expires: { in: 60s, skew: 60s } }
          - id: ping
            request: { url: "https://example.com/ping", bearer: "${{ steps.sign_in.token }}" }
        """,
      right: """
        pipeline: example
        steps:
          - id: sign_in
            request: { method: POST, url: "https://example.com/login" }
            outputs:
              token: { value: "${{ response.json.token }}", secret: true, expires: { in: 61s, skew: 60s } }
          - id: ping
            request: { url: "https://example.com/ping", bearer: "${{ steps.sign_in.token }}" }
        """)
  ]

  static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for (index, step) in document.pipeline.steps.enumerated() {
      for (position, output) in step.outputs.enumerated() {
        guard let life = document.life(ofOutput: position, of: index), life.usable == .zero
        else { continue }
        let proviso = Constants.proviso(life.inputs)
        // Nobody looks at the clock for what nothing reads.
        let isRead = document.pipeline.steps.contains { reader in
          reader.uses.contains { $0.step == index && $0.output == position }
        }
        let skew = document.range(
          of: "outputs", output.name, "expires", "skew", in: document.steps[index].node)
        guard let skew, life.life > .zero else {
          collector.report(
            .lifetimeWithinSkew, isCertain: life.inputs.isEmpty && isRead,
            "'\(output.name)' is dead as soon as it is made: it lives 0 s\(proviso)",
            at: life.range)
          continue
        }
        collector.report(
          .lifetimeWithinSkew, isCertain: life.inputs.isEmpty && isRead,
          """
          '\(output.name)' is never used: it lives \(Quantity.text(life.life))\(proviso), and its \
          skew is \(Quantity.text(life.skew))
          """, at: skew,
          notes: [Diagnostic.Note(message: "the life is declared here", range: life.range)],
          help: "a tenth of the life is a usual skew: \(tenth(of: life.life))")
      }
    }
  }

  private static func tenth(of life: Duration) -> String {
    "'skew: \(Quantity.literal(.milliseconds(max(life.milliseconds / 10, 1))))'"
  }
}
