import PipelineCore
import YAMLSyntax

extension DocumentReader {
  func matchers(_ node: YAMLNode) -> [DraftMatcher] {
    (list(node, of: "entries with 'if' and 'then'") ?? []).compactMap(matcher)
  }

  private func matcher(_ node: YAMLNode) -> DraftMatcher? {
    guard let fields = fields(node, .matcher) else { return nil }
    let outcome: DraftMatcher.Outcome? =
      if let node = fields["expired"] {
        text(node, expected: "the id of a step").map(DraftMatcher.Outcome.expired)
      } else {
        fields["then"].flatMap { choice($0, of: MatcherWord.self, what: "an outcome") }
          .map { .word($0.value, $0.range) }
      }
    if let range = fields.keyRange("after"), let outcome, !outcome.waits {
      collector.error(.uselessKey, "'after' belongs to 'retry' and 'poll'", at: range)
    }
    return DraftMatcher(
      condition: fields["if"].flatMap { expression($0, expected: "a condition") },
      hasCondition: fields.has("if"), outcome: outcome,
      message: fields["message"].flatMap { template($0) },
      after: fields["after"].flatMap(durationExpression),
      isProgress: fields["progress"].flatMap(flag)?.value ?? false, range: fields.headRange)
  }
}

extension DraftMatcher.Outcome {
  fileprivate var waits: Bool {
    if case .word(let word, _) = self { word == .retry || word == .poll } else { false }
  }
}
