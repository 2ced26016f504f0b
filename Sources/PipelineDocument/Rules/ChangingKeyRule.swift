import CEL
import PipelineCore

/// A key set by the author must outlive the results that its step uses, and belong to one item.
enum ChangingKeyRule: Rule {
  static let pages = [
    Check(
      .changingKey, .error, .safety,
      summary: "an idempotency key changes when a step is reissued, or is shared by items",
      explanation: """
        A server recognises a repeat by its key. `idempotency: { key: … }` sets a key that outlives the results of \
        other steps: when such a result expires and the step is reissued with a new one, the key must not change. It \
        may read inputs, the item, its file and the run, but neither step results nor the time. In a loop it must read \
        something of the item; otherwise the server takes the second item for a repeat of the first.
        """,
      example: """
         pipeline: example
         inputs: { photos: { type: files } }
         steps:
           - for_each: photo
             in: ${{ inputs.photos }}
             steps:
               - id: allocate
                 request: { method: POST, url: "https://example.com/uploads" }
                 effect: repeatable
                 outputs: { id: "${{ response.json.id }}" }
               - id: publish
                 request: { method: POST, url: "https://example.com/posts", json: { upload: "${{ steps.allocate.id }}" } }
                 effect: create
        -        idempotency: { key: "publish-${{ steps.allocate.id }}" }
        +        idempotency: { key: "publish-${{ item.key }}" }
        """)
  ]

  private static let help = "read the item, as in 'publish-${{ item.key }}'"

  package static func check(
    _ draft: DraftTemplate, _ key: Template, _ context: ExpressionChecker.Context,
    _ expressions: ExpressionChecker
  ) {
    let collector = expressions.collector
    let names = key.expressions.flatMap { $0.compiled.references.map(\.variable) }
    if !context.uses.uses.isEmpty {
      let name = names.first { $0.hasPrefix("steps.") }.map { "'\($0)'" } ?? "a step's result"
      collector.report(
        .changingKey, "the key reads \(name), so it changes when that step is reissued",
        at: draft.range, help: help)
    } else if names.contains("now") {
      collector.report(
        .changingKey, "the key reads 'now', so it changes with each attempt", at: draft.range,
        help: help)
    } else if context.place.loop != nil, expressions.numbering == nil,
      names.allSatisfy({ $0.hasPrefix("inputs.") || $0.hasPrefix("run.") })
    {
      collector.report(
        .changingKey,
        "the key is the same for all items, so the server takes all but one for repeats",
        at: draft.range, help: help)
    }
  }

  package static func report(batch draft: DraftTemplate, _ collector: DiagnosticCollector) {
    collector.report(
      .changingKey, "a batch cannot have its own key, because its items change when it is reissued",
      at: draft.range, help: "remove 'key'; each batch then gets a generated key")
  }
}
