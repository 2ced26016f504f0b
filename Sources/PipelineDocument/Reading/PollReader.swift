import PipelineCore
import YAMLSyntax

extension DocumentReader {
  func poll(_ node: YAMLNode) -> Poll<Draft>? {
    guard let fields = fields(node, .poll) else { return nil }
    return Poll(
      request: request(fields, method: "GET", timeout: RequestTemplate.defaultTimeout),
      deadline: fields["deadline"].flatMap(durationExpression))
  }

  /// The entries of `on`, and for a `poll` step what its own keys mean, in the same form.
  ///
  /// An author's entry that asks again does so after the same time.
  func polled(
    _ matchers: [DraftMatcher], _ action: StepAction<Draft>?, _ fields: FieldReader
  ) -> [DraftMatcher] {
    guard case .poll? = action, let node = fields["poll"],
      case let keys = entries(of: node)
    else { return matchers }
    func entry(
      _ condition: DraftExpression?, _ word: MatcherWord, _ range: TextRange,
      message: DraftTemplate? = nil, after: DraftExpression? = nil
    ) -> DraftMatcher {
      DraftMatcher(
        condition: condition, hasCondition: true, outcome: .word(word, range), message: message,
        after: after, isProgress: false, range: range)
    }
    let after = keys["every"].flatMap { durationExpression($0.value) }
    var all = matchers.map { matcher -> DraftMatcher in
      guard case .word(.poll, _)? = matcher.outcome, matcher.after == nil, let after else {
        return matcher
      }
      return DraftMatcher(
        condition: matcher.condition, hasCondition: matcher.hasCondition, outcome: matcher.outcome,
        message: matcher.message, after: after, slower: matcher.slower,
        isProgress: matcher.isProgress, isRefused: matcher.isRefused, range: matcher.range)
    }
    let message = keys["message"].flatMap { template($0.value, expected: "a text") }
    if let key = keys["fail_when"] {
      all.append(
        entry(
          expression(key.value, expected: "a condition"), .fail, range(key.key), message: message))
    }
    if let key = keys["until"] {
      all.append(entry(expression(key.value, expected: "a condition"), .success, range(key.key)))
    }
    let place = keys["every"].map { range($0.key) } ?? fields.keyRange("poll") ?? fields.headRange
    let isAnswer = DraftExpression(
      source: "response.status >= 200 && response.status < 300", origin: .constant, range: place)
    all.append(entry(isAnswer, .poll, place, message: message, after: after))
    return all
  }

  /// The entries of a mapping by name; the reader of the mapping has reported what is wrong with them.
  private func entries(of node: YAMLNode) -> [String: YAMLEntry] {
    Dictionary(
      (node.mapping ?? []).compactMap { entry in entry.name.map { ($0, entry) } },
      uniquingKeysWith: { first, _ in first })
  }

  func checkKeys(ofPoll fields: FieldReader) {
    for key in ["success_if", "effect", "idempotency", "probe", "batch", "results"] {
      guard let range = fields.keyRange(key) else { continue }
      collector.report(
        .uselessKey, "'\(key)' has no effect beside 'poll', whose questions change nothing",
        at: range)
    }
  }
}
