import PipelineCore
import YAMLSyntax

extension DocumentReader {
  func matchers(_ node: YAMLNode, ofPoll: Bool = false) -> [DraftMatcher] {
    (list(node, of: "entries with 'if' and 'then'") ?? []).compactMap {
      matcher($0, ofPoll: ofPoll)
    }
  }

  private func matcher(_ node: YAMLNode, ofPoll: Bool) -> DraftMatcher? {
    guard let fields = fields(node, .matcher) else { return nil }
    let outcome: DraftMatcher.Outcome? =
      if let node = fields["expired"] {
        text(node, expected: "a step ID").map(DraftMatcher.Outcome.expired)
      } else {
        fields["then"].flatMap { choice($0, of: MatcherWord.self, what: "outcome") }
          .map { .word($0.value, $0.range) }
      }
    if let range = fields.keyRange("after"), let outcome, !outcome.waits {
      collector.report(
        .uselessKey, "'after' only applies to 'retry', 'poll' and 'expired'", at: range)
    }
    if let range = fields.keyRange("slower"), let outcome, !ofPoll || !outcome.isPoll {
      collector.report(
        .uselessKey, "'slower' only applies to 'then: poll' of a 'poll' step", at: range)
    }
    if let range = fields.keyRange("refused"), let outcome, !outcome.mayBeRefused {
      collector.report(
        .uselessKey,
        "'refused' means that nothing took effect, which contradicts this entry's outcome",
        at: range, help: "use 'refused' with 'retry', 'poll', 'fail', 'pause' or 'expired'")
    }
    return DraftMatcher(
      condition: fields["if"].flatMap { expression($0, expected: "a condition") },
      hasCondition: fields.has("if"), outcome: outcome,
      message: fields["message"].flatMap { template($0) },
      after: fields["after"].flatMap(durationExpression),
      slower: fields["slower"].flatMap(duration),
      isProgress: fields["progress"].flatMap(flag)?.value ?? false,
      isRefused: fields["refused"].flatMap(flag)?.value ?? false, range: fields.headRange)
  }
}

extension DraftMatcher.Outcome {
  fileprivate var isPoll: Bool {
    if case .word(.poll, _) = self { true } else { false }
  }

  fileprivate var waits: Bool {
    switch self {
    case .expired: true
    case .word(let word, _): word == .retry || word == .poll
    }
  }

  /// Whether the response may mean that nothing took effect.
  fileprivate var mayBeRefused: Bool {
    switch self {
    case .expired: true
    case .word(let word, _):
      switch word {
      case .retry, .poll, .fail, .pause, .resync: true
      case .success, .finishItem, .skipItem: false
      }
    }
  }
}
