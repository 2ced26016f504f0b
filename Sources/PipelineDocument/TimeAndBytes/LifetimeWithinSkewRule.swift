import PipelineCore

/// The skew is taken off the life: where it is as long, the author knew another life than the output has.
enum LifetimeWithinSkewRule: TimeAndBytesRule {
  static let pages = [
    Check(
      .lifetimeWithinSkew, .warning, .time,
      summary: "an output's skew would leave nothing of its life",
      explanation: """
        An output is used from the answer on until `skew` before the end of its life. No more than half of the life is taken for \
        the skew, so that an output which lives shorter than its author thought is used all the same. Where the skew is as long as \
        the life, one of the two numbers is not meant. An output that lives no time at all is an error: its step would be done \
        again and again, and its item be paused after `max_reissues`.
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

  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for (index, step) in document.pipeline.steps.enumerated() {
      for (position, output) in step.outputs.enumerated() {
        guard let life = document.life(ofOutput: position, of: index) else { continue }
        let proviso = Constants.proviso(life.inputs)
        guard life.life > .zero else {
          // Nobody looks at the clock for what nothing reads.
          let isRead = document.pipeline.steps.contains { reader in
            reader.uses.contains { $0.step == index && $0.output == position }
          }
          collector.report(
            .lifetimeWithinSkew, isCertain: life.inputs.isEmpty && isRead,
            "'\(output.name)' is dead as soon as it is made: it lives 0 s\(proviso)",
            at: life.range)
          continue
        }
        let place = document.range(
          of: "outputs", output.name, "expires", "skew", in: document.steps[index].node)
        guard let place, let skew = output.lifetime?.skew, skew >= life.life else { continue }
        collector.warning(
          .lifetimeWithinSkew,
          """
          the skew of '\(output.name)' is \(Quantity.text(skew)), and it lives \(Quantity.text(life.life))\
          \(proviso): half of its life is taken instead
          """, at: place,
          notes: [Diagnostic.Note(message: "the life is declared here", range: life.range)],
          help: "a tenth of the life is a usual skew: \(tenth(of: life.life))")
      }
    }
  }

  private static func tenth(of life: Duration) -> String {
    "'skew: \(Quantity.literal(.milliseconds(max(life.milliseconds / 10, 1))))'"
  }
}
