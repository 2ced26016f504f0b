import CEL
import PipelineCore

/// A key of the author's own has to outlive the results that its step is made from, and to be one item's alone.
enum ChangingKeyRule: DocumentedRule {
  static let pages = [
    Check(
      .changingKey, .error, .safety,
      summary: "an idempotency key changes with what the step is made from, or is shared by items",
      explanation: """
        A server recognises a repeat by its key. `idempotency: { key: … }` is for a key that outlives the results of other steps: \
        when one of them expires and the step is done again from a new one, the key must still be the old one. So it may read \
        inputs, the item, its file and the run, and neither results of steps nor the time. In a loop it has to read something of \
        the item, or the server takes the second item for a repeat of the first.
        """,
      wrong: """
        pipeline: example
        inputs: { photos: { type: files } }
        steps:
          - for_each: photo
            in: ${{ inputs.photos }}
            steps:
              - id: allocate
                request: { method: POST, url: "https://example.com/uploads" }
                outputs: { id: "${{ response.json.id }}" }
              - id: publish
                request: { method: POST, url: "https://example.com/posts", json: { upload: "${{ steps.allocate.id }}" } }
                effect: create
                idempotency: { key: "publish-${{ steps.allocate.id }}" }
        """,
      right: """
        pipeline: example
        inputs: { photos: { type: files } }
        steps:
          - for_each: photo
            in: ${{ inputs.photos }}
            steps:
              - id: allocate
                request: { method: POST, url: "https://example.com/uploads" }
                outputs: { id: "${{ response.json.id }}" }
              - id: publish
                request: { method: POST, url: "https://example.com/posts", json: { upload: "${{ steps.allocate.id }}" } }
                effect: create
                idempotency: { key: "publish-${{ item.key }}" }
        """)
  ]

  private static let help = "read the item, as in 'publish-${{ item.key }}'"

  /// Checks a compiled key; `context` has noted which results it reads.
  package static func check(
    _ draft: DraftTemplate, _ key: Template, _ context: ExpressionChecker.Context,
    _ expressions: ExpressionChecker
  ) {
    let collector = expressions.collector
    let names = key.expressions.flatMap { $0.compiled.references.map(\.variable) }
    if !context.uses.uses.isEmpty {
      let name = names.first { $0.hasPrefix("steps.") }.map { "'\($0)'" } ?? "a result of a step"
      collector.error(
        .changingKey, "the key reads \(name), and changes when that is made again",
        at: draft.range, help: help)
    } else if names.contains("now") {
      collector.error(
        .changingKey, "the key reads 'now', and is another one at each attempt", at: draft.range,
        help: help)
    } else if context.place.loop != nil, expressions.numbering == nil,
      names.allSatisfy({ $0.hasPrefix("inputs.") || $0.hasPrefix("run.") })
    {
      collector.error(
        .changingKey, "the key is the same for all items, and the server knows one of them alone",
        at: draft.range, help: help)
    }
  }

  /// Says that a batch has no key of the author's.
  package static func report(batch draft: DraftTemplate, _ collector: DiagnosticCollector) {
    collector.error(
      .changingKey,
      "the items of a batch are not the same in each generation, and neither can its key be",
      at: draft.range, help: "leave 'key' out: the key is then made for each batch")
  }
}
