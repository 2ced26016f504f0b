extension DocumentReader {
  func nodes(_ node: YAMLNode, after count: Int) -> [DraftNode] {
    guard let elements = filledList(node, "steps", of: "steps", "step") else { return [] }
    var index = count
    return elements.flatMap { self.nodes($0, index: &index) }
  }

  private func nodes(_ element: YAMLNode, index: inout Int) -> [DraftNode] {
    Self.isLoop(element)
      ? loop(element, index: &index).map { [.loop($0)] } ?? []
      : steps(element, index: &index).map(DraftNode.step)
  }

  /// A mapping with any key that only loops have is read as a loop.
  private static func isLoop(_ element: YAMLNode) -> Bool {
    element["for_each"] != nil || element["on_abandon"] != nil || element["steps"] != nil
  }

  package func steps(_ node: YAMLNode, index: inout Int) -> [DraftStep] {
    let own = index
    guard let step = step(node, turnOf: nil, index: &index) else { return [] }
    guard case .repeat? = step.action else { return [step] }
    return [step] + innerSteps(node["repeat"]?["steps"], turnOf: own, index: &index)
  }

  func step(_ node: YAMLNode, turnOf: Int?, partOf: Int? = nil, index: inout Int) -> DraftStep? {
    guard let fields = fields(node, .step) else { return nil }
    defer { index += 1 }
    let id = fields["id"].flatMap { name($0, of: "a step ID") }
    if let id { checkReserved(id, of: "a step") }
    if let description = fields["description"] { _ = text(description) }
    let action = action(fields)
    let isPoll = if case .poll? = action { true } else { false }
    if case .repeat? = action { checkKeys(ofRepeat: fields) }
    if case .digest? = action { checkKeys(ofDigest: fields) }
    if isPoll { checkKeys(ofPoll: fields) }
    checkEffect(fields, action)
    checkSharing(fields, action)
    let use = action == nil ? use(fields) : nil
    let idempotency = fields["idempotency"].flatMap { self.fields($0, .idempotency) }
    let place = fields["idempotency"].flatMap { keyPlace($0, idempotency, action) }
    return DraftStep(
      index: index, turnOf: turnOf, partOf: partOf, id: id,
      condition: fields["if"].flatMap { expression($0, expected: "a condition") },
      values: fields["let"].map(values) ?? [], action: action, use: use,
      matchers: polled(fields["on"].map { matchers($0, ofPoll: isPoll) } ?? [], action, fields),
      successIf: fields["success_if"].flatMap { expression($0, expected: "a condition") },
      outputs: use.map(outputs) ?? carried(action, fields) ?? taken(action, fields)
        ?? fields["outputs"].map(outputs) ?? [],
      retry: fields["retry"].flatMap(retry),
      effect: fields.choice("effect", of: Step.ServerEffect.self, what: "effect") ?? .repeatable,
      effectRange: fields["effect"].map(range),
      keyPlace: place?.place, namesKeyPlace: place?.isNamed ?? false,
      idempotencyKey: idempotency?["key"].flatMap { template($0, expected: "a key") },
      probe: fields["probe"].flatMap(probe),
      target: fields["target"].flatMap { template($0, expected: "the name of the stored object") },
      batch: batch(fields), results: results(fields),
      responseKeys: Self.responseKeys.compactMap { key in fields.keyRange(key).map { (key, $0) } },
      dependsOn: stepIDs(fields["depends_on"]),
      reissueLimit: reissueLimit(fields, action),
      range: id?.range ?? fields.headRange, node: node)
  }

  private static let responseKeys = [
    "on", "success_if", "effect", "target", "shared_target", "idempotency", "probe",
  ]

  private func checkSharing(_ fields: FieldReader, _ action: StepAction<Draft>?) {
    if let target = fields.keyRange("target"),
      let other = ["shared_target", "batch"].first(where: fields.has)
    {
      collector.report(.uselessKey, "'target' has no effect with '\(other)'", at: target)
    }
    guard let range = fields.keyRange("shared_target") else { return }
    _ = fields.choice("shared_target", of: Step.TargetSharing.self, what: "shared_target")
    guard let method = action?.request?.method.value, action?.kind.hasResponse == true,
      action?.kind != .download, !RequestTemplate.replacingMethods.contains(method)
    else { return }
    collector.report(
      .uselessKey, "'shared_target' has no effect with \(method), which replaces nothing", at: range
    )
  }

  private func action(_ fields: FieldReader) -> StepAction<Draft>? {
    for kind in StepKind.allCases where Construct.kinds.contains(kind.rawValue) {
      guard let node = fields[kind.rawValue] else { continue }
      return switch kind {
      case .request: request(node).map(StepAction.request)
      case .materialize: materialize(node).map(StepAction.materialize)
      case .poll: poll(node).map(StepAction.poll)
      case .digest: digest(node).map(StepAction.digest)
      case .upload: upload(node).map(StepAction.upload)
      case .download: download(node).map(StepAction.download)
      case .repeat: `repeat`(node).map(StepAction.repeat)
      // An inner loop is read as a whole.
      case .forEach: nil
      }
    }
    return nil
  }

  /// How often the step may start over: for its result's sake, or, of a `repeat`, in turns without progress.
  private func reissueLimit(_ fields: FieldReader, _ action: StepAction<Draft>?) -> Int? {
    guard case .repeat? = action else {
      if let range = fields.keyRange("max_stalled_turns") {
        collector.report(.uselessKey, "only 'repeat' has turns that can stall", at: range)
      }
      return fields.integer("max_reissues")
    }
    if let range = fields.keyRange("max_reissues") {
      collector.report(
        .uselessKey, "'repeat' limits its turns without progress with 'max_stalled_turns'",
        at: range)
    }
    return fields.integer("max_stalled_turns")
  }

  /// A request that may create something must declare whether a repeat would create it twice.
  private func checkEffect(_ fields: FieldReader, _ action: StepAction<Draft>?) {
    guard !fields.has("effect"), let outputs = fields["outputs"]?.mapping, !outputs.isEmpty,
      let key = fields.keyRange("outputs"), let method = action?.unclearMethod
    else { return }
    let separator = fields.node.separator(beforeKeyAt: key.start.column)
    collector.report(
      .missingEffect,
      "a \(method) with outputs must declare the effect of a repeat: add 'effect: create' if it creates something new, or "
        + "'effect: repeatable' if it is harmless",
      at: fields["id"].map(range) ?? fields.headRange, help: nil,
      fixes: [Step.ServerEffect.create, .repeatable].map {
        Diagnostic.Fix(
          range: TextRange(file: key.file, start: key.start, end: key.start),
          replacement: "effect: \($0.rawValue)\(separator)")
      })
  }

  private func probe(_ node: YAMLNode) -> DraftProbe? {
    guard let fields = fields(node, .probe) else { return nil }
    let examples = fields["example"].flatMap { self.fields($0, .probeExample) }
    if let range = fields["request"]?.entry("example").map({ self.range($0.key) }) {
      collector.report(
        .uselessKey, "a probe's request cannot have a single example response", at: range,
        help: "write the responses 'took_effect' and 'no_effect' under the probe's own 'example'")
    }
    return DraftProbe(
      request: fields["request"].flatMap(request),
      tookEffect: fields["took_effect"].flatMap { expression($0, expected: "a condition") },
      effectExample: examples?["took_effect"].flatMap(example),
      noEffectExample: examples?["no_effect"].flatMap(example),
      after: fields["after"].flatMap(duration), interval: fields["interval"].flatMap(duration),
      until: fields["until"].flatMap(duration))
  }

  func matchers(_ node: YAMLNode, ofPoll: Bool = false) -> [DraftMatcher] {
    (list(node, of: "entries with 'if' and 'then'") ?? []).compactMap {
      matcher($0, ofPoll: ofPoll)
    }
  }

  private func matcher(_ node: YAMLNode, ofPoll: Bool) -> DraftMatcher? {
    guard let fields = fields(node, .matcher) else { return nil }
    if let node = fields["same"] { return same(node, fields) }
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

  package func outputs(_ node: YAMLNode) -> [DraftOutput] {
    (map(node, of: "outputs by name") ?? []).map { name, value in
      if check(name: name, of: "an output name") {
        checkReserved(name, of: "an output")
        if name.value == "file" {
          collector.report(
            .reservedName,
            "'file' cannot name an output: it is reserved for the file of a materialize step",
            at: name.range)
        }
      }
      return output(name, value)
    }
  }

  private func output(_ name: Located<String>, _ node: YAMLNode) -> DraftOutput {
    guard node.mapping != nil else {
      let value = template(node, expected: "an output value")
      return DraftOutput(name: name, value: value)
    }
    let fields = fields(node, .output)
    let secret = fields?["secret"]
    let isSealed = secret?.string == "sealed"
    return DraftOutput(
      name: name, value: fields?["value"].flatMap { template($0, expected: "an output value") },
      isSecret: isSealed || secret.flatMap(secrecy) == true, isSealed: isSealed,
      lifetime: fields?["expires"].flatMap(lifetime))
  }

  /// `true` or `false`; the word `sealed` was read before.
  private func secrecy(_ node: YAMLNode) -> Bool? {
    if let text = node.string, let nearest = nearestName(to: text, among: ["sealed"]) {
      return collector.refuse(
        .invalidChoice, "invalid secrecy '\(text)', expected 'true', 'false' or 'sealed'",
        at: range(node), nearest: nearest)
    }
    return flag(node)?.value
  }

  private func lifetime(_ node: YAMLNode) -> (
    end: DraftOutput.End, skew: Duration?, slides: Bool
  )? {
    guard let fields = fields(node, .lifetime) else { return nil }
    let skew = fields["skew"].flatMap(duration)
    let sliding = fields["sliding"].flatMap(flag)
    let slides = sliding?.value ?? false
    if let node = fields["in"] { return (.after(durationExpression(node)), skew, slides) }
    if let node = fields["at"] {
      return (.at(expression(node, expected: "a timestamp")), skew, slides)
    }
    if let node = fields["url"] {
      if slides, let sliding {
        collector.report(
          .uselessKey, "using a signed URL does not extend its validity",
          at: sliding.range, help: "remove 'sliding'")
      }
      return (.url(expression(node, expected: "a URL")), skew, false)
    }
    return nil
  }

  func durationExpression(_ node: YAMLNode) -> DraftExpression? {
    if node.scalar?.text.holds("${{") == true { return expression(node, expected: "a duration") }
    return duration(node).map { duration in
      DraftExpression(
        source: "duration(\"\(DurationLiteral.celText(duration))\")", origin: .constant,
        range: range(node))
    }
  }

  package func policies(_ node: YAMLNode) -> [String: RetryPolicy] {
    var policies: [String: RetryPolicy] = [:]
    for (name, value) in map(node, of: "retry policies by name") ?? [] {
      _ = check(name: name, of: "a retry policy name", allowsHyphen: true)
      // A policy that could not be read keeps its name, so that steps can refer to it.
      policies[name.value] = policy(value) ?? .standard
    }
    return policies
  }

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
      attempts: fields.integer("attempts") ?? standard.attempts, initial: initial,
      factor: backoff?.number("factor") ?? standard.factor,
      maximum: maximum ?? max(initial, standard.maximum),
      jitter: fields.choice("jitter", of: RetryPolicy.Jitter.self, what: "jitter mode")
        ?? standard.jitter, elapsed: fields["elapsed"].flatMap(duration),
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

extension StepAction<Draft> {
  /// The method of a request whose repeat may make something new, but need not (RFC 9110 §9.2.2): POST or PATCH.
  fileprivate var unclearMethod: String? {
    switch kind {
    case .request, .upload:
      request.map(\.method.value).flatMap { ["POST", "PATCH"].contains($0) ? $0 : nil }
    case .download, .materialize, .poll, .digest, .repeat, .forEach: nil
    }
  }
}

extension YAMLNode {
  /// What separates a new entry of this mapping from the key after it, which starts at a column (from 1).
  fileprivate func separator(beforeKeyAt column: Int) -> String {
    resolved.isFlow ? ", " : "\n" + String(repeating: " ", count: column - 1)
  }
}

extension DraftMatcher.Outcome {
  fileprivate var isPoll: Bool { if case .word(.poll, _) = self { true } else { false } }

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
      case .retry, .poll, .fail, .pause, .pauseRun, .resync: true
      case .success, .finishItem, .skipItem: false
      }
    }
  }
}
