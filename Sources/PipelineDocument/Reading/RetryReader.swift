package import PipelineCore
package import YAMLSyntax

extension DocumentReader {
  package func policies(_ node: YAMLNode) -> [String: RetryPolicy] {
    var policies: [String: RetryPolicy] = [:]
    for (name, value) in map(node, of: "retry policies by name") ?? [] {
      _ = check(name: name, of: "a retry policy name", allowsHyphen: true)
      // A policy that could not be read keeps its name, so that steps can refer to it.
      policies[name.value] = policy(value) ?? .standard
    }
    return policies
  }

  /// A policy; missing keys have the values of the built-in one.
  package func policy(_ node: YAMLNode) -> RetryPolicy? {
    guard let fields = fields(node, .retry) else { return nil }
    let standard = RetryPolicy.standard
    let backoff = fields["backoff"].flatMap { self.fields($0, .backoff) }
    let initial = backoff?["initial"].flatMap(duration) ?? standard.initial
    let maximum = backoff?["max"].flatMap(duration)
    if let maximum, maximum < initial, let node = backoff?["max"] {
      collector.report(
        .outOfRange, "'max' is shorter than 'initial', expected at least as long", at: range(node))
    }
    return RetryPolicy(
      attempts: fields.integer("attempts") ?? standard.attempts,
      initial: initial,
      factor: backoff?.number("factor") ?? standard.factor,
      maximum: maximum ?? max(initial, standard.maximum),
      jitter: fields.choice("jitter", of: RetryPolicy.Jitter.self, what: "jitter mode")
        ?? standard.jitter,
      elapsed: fields["elapsed"].flatMap(duration),
      retryAfter: fields.choice(
        "retry_after", of: RetryPolicy.RetryAfter.self, what: "Retry-After mode")
        ?? standard.retryAfter,
      retryAfterMaximum: fields["retry_after_max"].flatMap(duration) ?? standard.retryAfterMaximum,
      exhausted: fields.choice("exhausted", of: RetryPolicy.Exhausted.self, what: "exhaustion mode")
        ?? standard.exhausted)
  }

  package func retry(_ node: YAMLNode) -> DraftRetry? {
    if node.mapping != nil { return policy(node).map(DraftRetry.inline) }
    return text(node, expected: "a retry policy or its name").map(DraftRetry.named)
  }
}
