struct StepChecker {
  package let expressions: ExpressionChecker
  package let policies: [String: RetryPolicy]
  package var collector: DiagnosticCollector { expressions.collector }

  func checkNamed(
    _ draft: DraftStep, loop: Int?, position: Int, _ visibility: Visibility,
    outside: Visibility? = nil
  ) -> (step: Step?, names: [(name: String, type: ValueType)]) {
    let (step, outputs) = check(draft, loop: loop, position: position, visibility, outside: outside)
    guard let id = draft.id else { return (step, []) }
    var names = outputs.map { (name: "steps.\(id.value).\($0.name)", type: $0.type) }
    if draft.makesFile {
      names.append((name: "steps.\(id.value).file", type: .object(Variables.file)))
    }
    return (step, names)
  }

  /// The step, and the types of its outputs by name; `outside` is the scope around its loop.
  ///
  /// The step is `nil` if something was reported, or if it uses a file.
  package func check(
    _ draft: DraftStep, loop: Int?, position: Int, _ visibility: Visibility,
    outside: Visibility? = nil
  ) -> (step: Step?, outputs: [(name: String, type: ValueType)]) {
    if let use = draft.use { return (nil, check(use, draft, loop: loop, visibility)) }
    if let batch = draft.batch, let outside {
      return checkBatch(
        draft, batch, loop: loop, position: position, outside: outside, inside: visibility)
    }
    let place = ExpressionPlace(step: draft.index, loop: loop)
    let visibility = self.visibility(of: draft, at: place, visibility).withPrevious(of: draft)
    let id = id(of: draft)
    var asking = ExpressionChecker.Context(environment: visibility.asking, place: place)
    let condition = expressions.compile(draft.condition, .bool, &asking)
    let action = expressions.action(draft.action, &asking)
    let target = expressions.template(draft.target, as: .textual, &asking)
    if let id { expressions.noteResponse(to: draft.action?.request, of: .step(id), asking) }
    let probe = probe(draft.probe, of: id, place, visibility)
    let key = idempotencyKey(draft, place, visibility)

    // A materialization has no response to inspect.
    var answering = asking
    if let request = draft.action?.request {
      // An entry of `on` also sees error responses, whose bodies have other fields.
      answering = asking.seeing(
        visibility.answering(with: request.response?.open), at: place.withResponse)
    }
    if case .digest? = draft.action {
      answering = asking.seeing(
        visibility.asking.declaring("digest", as: .object(Variables.digests)))
    }
    let matchers = draft.matchers.compactMap { matcher($0, place, &answering) }
    if let type = draft.action?.request?.response?.closed {
      answering = answering.seeing(visibility.answering(with: type))
    }
    let successIf = expressions.compile(draft.successIf, .bool, &answering)
    let outputs = draft.outputs.map { output($0, &answering) }
    let signIn = signIn(draft.signIn, place, visibility)
    addNeeds(of: draft, from: place, &answering)
    let retry = retry(draft.retry)

    let types = zip(draft.outputs, outputs).map { (name: $0.name.value, type: $1.type) }
    guard let id, let action, !collector.hasErrors else { return (nil, types) }
    let step = Step(
      id: id, loop: loop, position: position, action: action, condition: condition,
      matchers: matchers, successIf: successIf, outputs: outputs.compactMap(\.declaration),
      retry: retry, effect: draft.effect, keyPlace: keyPlace(of: draft, action, probe),
      idempotencyKey: key,
      probe: probe, target: target, sharesTarget: draft.sharesTarget,
      uses: answering.uses.uses, reissueLimit: draft.reissueLimit ?? 10,
      turnOf: draft.turnOf.flatMap {
        expressions.steps(of: expressions.directory.entries[$0]).first
      },
      partOf: draft.partOf.flatMap {
        expressions.steps(of: expressions.directory.entries[$0]).first
      },
      signIn: signIn, location: collector.location(draft.range))
    return (step, types)
  }

  /// The data that the credential store keeps; its names are those of the step's request, whose uses count.
  private func signIn(
    _ draft: DraftSignIn?, _ place: ExpressionPlace, _ visibility: Visibility
  ) -> SignIn? {
    guard let draft else { return nil }
    var context = ExpressionChecker.Context(environment: visibility.asking, place: place)
    guard let url = expressions.template(draft.tokenURL, as: .textual, &context),
      let client = expressions.template(draft.client, as: .textual, &context),
      let origin = expressions.template(draft.origin, as: .textual, &context)
    else { return nil }
    return SignIn(
      name: draft.name, tokenURL: url, client: client, origin: origin, output: draft.output,
      asks: draft.asks.flatMap { name in
        expressions.directory.entries.first { $0.draft.id?.value == name.value }
          .map(expressions.maker)
      })
  }

  func id(of draft: DraftStep) -> StepID? {
    draft.id.map { StepID((expressions.numbering?.prefix ?? "") + $0.value) }
  }

  func undone(by draft: DraftAbandonment, from place: ExpressionPlace, in loop: DraftLoop) -> [Int]
  {
    draft.undoes.flatMap { name -> [Int] in
      guard let entry = expressions.directory.find(name, from: place, collector) else { return [] }
      guard loop.steps.contains(where: { $0.id?.value == name.value }) else {
        collector.report(
          .invalidChoice, "'\(name.value)' is not a step of the loop that 'on_abandon' belongs to",
          at: name.range)
        return []
      }
      return expressions.steps(of: entry)
    }
  }

  func addNeeds(
    of draft: DraftStep, from place: ExpressionPlace, _ context: inout ExpressionChecker.Context
  ) {
    if let turns = draft.turnOf {
      for step in expressions.steps(of: expressions.directory.entries[turns]) {
        context.uses.add(step: step, output: nil, isCredential: false)
      }
    }
    for need in draft.dependsOn {
      guard let entry = expressions.directory.find(need, from: place, collector) else { continue }
      for step in expressions.steps(of: entry) {
        context.uses.add(step: step, output: nil, isCredential: false)
      }
    }
  }

  private func check(
    _ use: DraftUse, _ draft: DraftStep, loop: Int?, _ visibility: Visibility
  ) -> [(name: String, type: ValueType)] {
    let place = ExpressionPlace(step: draft.index, loop: loop)
    var context = ExpressionChecker.Context(environment: visibility.asking, place: place)
    _ = expressions.compile(draft.condition, .bool, &context)
    _ = expressions.inputs(of: use, &context)
    if loop != nil, use.file?.hasLoops == true {
      collector.report(
        .unsupportedKey,
        "the file '\(use.path.value)' contains a loop, and nested loops are not supported yet",
        at: use.path.range)
    }
    return (use.file?.outputs ?? []).map { (name: $0.name, type: $0.type) }
  }

  package func probe(
    _ draft: DraftProbe?, of step: StepID?, _ place: ExpressionPlace, _ visibility: Visibility
  ) -> Probe? {
    guard let draft else { return nil }
    var context = ExpressionChecker.Context(environment: visibility.asking, place: place)
    let request = expressions.request(draft.request, &context)
    if let step { expressions.noteResponses(to: draft, of: step, context) }
    var answering = context.seeing(
      visibility.answering(with: draft.request?.response?.closed), at: place.withResponse)
    let condition = expressions.compile(draft.tookEffect, .bool, &answering)
    guard let request, let condition else { return nil }
    return Probe(
      request: request, tookEffect: condition, uses: answering.uses.uses,
      after: draft.after ?? .zero,
      interval: draft.interval ?? Probe.defaultInterval, until: draft.until ?? .zero)
  }

  /// The author's key; reading an output here does not count as a use, because no result may change the key.
  private func idempotencyKey(
    _ draft: DraftStep, _ place: ExpressionPlace, _ visibility: Visibility
  ) -> Template? {
    guard let key = draft.idempotencyKey else { return nil }
    var context = ExpressionChecker.Context(environment: visibility.asking, place: place)
    return expressions.template(key, as: .textual, &context)
  }

  package func matcher(
    _ draft: DraftMatcher, _ place: ExpressionPlace, _ context: inout ExpressionChecker.Context
  ) -> Matcher? {
    // The compared value is checked by itself, where it is written, before the condition that contains it.
    for (expression, type) in draft.compared
    where expressions.compile(expression, type, &context) == nil { return nil }
    let condition = expressions.compile(draft.condition, .bool, &context)
    let message = expressions.template(draft.message, as: .textual, &context)
    let after = expressions.compile(draft.after, .duration, &context)
    let outcome: Matcher.Outcome
    switch draft.outcome {
    case nil: return nil
    case .word(let word, let range):
      guard let meaning = word.outcome ?? resync(at: range, from: place) else { return nil }
      outcome = meaning
    case .expired(let id):
      guard let entry = expressions.directory.find(id, from: place, collector) else { return nil }
      outcome = .expired(expressions.maker(of: entry))
    }
    return Matcher(
      condition: condition, outcome: outcome, message: message, after: after, slower: draft.slower,
      isProgress: draft.isProgress, isRefused: draft.isRefused,
      isComparison: !draft.compared.isEmpty, location: collector.location(draft.range))
  }

  /// `then: resync`: the values of the turn are asked for again.
  private func resync(at range: TextRange, from place: ExpressionPlace) -> Matcher.Outcome? {
    let entries = expressions.directory.entries
    guard let turns = entries[place.step].draft.turnOf,
      case .repeat(let template)? = entries[turns].draft.action, template.resync != nil
    else {
      return collector.refuse(
        .invalidChoice, "'resync' is only valid in the steps of a 'repeat' that has 'resync'",
        at: range)
    }
    return .expired(expressions.maker(of: entries[turns]))
  }

  package func output(
    _ draft: DraftOutput, _ context: inout ExpressionChecker.Context
  ) -> (declaration: OutputDeclaration?, type: ValueType) {
    let value = expressions.template(draft.value, as: .value, &context)
    let end: Lifetime.End? =
      switch draft.lifetime?.end {
      case nil: nil
      case .after(let end)?: expressions.compile(end, .duration, &context).map { .after($0) }
      case .at(let end)?: expressions.compile(end, .timestamp, &context).map { .at($0) }
      case .url(let end)?: expressions.compile(end, .string, &context).map { .url($0) }
      }
    let lifetime = end.map {
      Lifetime(end: $0, skew: draft.lifetime?.skew, slides: draft.lifetime?.slides ?? false)
    }
    guard let value else { return (nil, .dyn) }
    let declaration = OutputDeclaration(
      name: draft.name.value, value: value, isSecret: draft.isSecret,
      isSealed: draft.isSealed, lifetime: lifetime)
    return (declaration, Self.type(of: value))
  }

  package func retry(_ draft: DraftRetry?) -> RetryPolicy {
    switch draft {
    case nil: return policies["standard"] ?? .standard
    case .inline(let policy): return policy
    case .named(let name):
      if let policy = policies[name.value] { return policy }
      if name.value == "standard" { return .standard }
      collector.report(
        .unknownRetryPolicy, "unknown retry policy '\(name.value)'", at: name.range,
        help: policies.isEmpty
          ? "declare it under 'retry'" : "the policies are \(quotedList(policies.keys.sorted()))",
        nearest: nearestName(to: name.value, among: policies.keys.sorted()))
      return .standard
    }
  }

  func visibility(of draft: DraftStep, at place: ExpressionPlace, _ outer: Visibility) -> Visibility
  {
    var visibility = withKey(of: draft, outer)
    for value in draft.values {
      guard visibility.asking.type(of: value.name.value) == nil else {
        collector.report(
          .reservedName,
          "'\(value.name.value)' cannot name a value: it already has a meaning in expressions",
          at: value.name.range)
        continue
      }
      define(value, of: draft, at: place, &visibility)
    }
    return visibility
  }

  func withKey(of draft: DraftStep, _ outer: Visibility) -> Visibility {
    var visibility = outer
    if draft.keyPlace != nil { visibility.declare(IdempotencyKey.name, as: .string) }
    return visibility
  }

  private func define(
    _ value: DraftField, of draft: DraftStep, at place: ExpressionPlace,
    _ visibility: inout Visibility
  ) {
    let hasResponse = draft.action?.request != nil
    var context = ExpressionChecker.Context(
      environment: hasResponse
        ? visibility.answering(with: draft.action?.request?.response?.open) : visibility.asking,
      place: ExpressionPlace(step: place.step, loop: place.loop, hasResponse: hasResponse))
    guard let compiled = expressions.joined(value.value, &context) else { return }
    let readsResponse = compiled.references.contains { reference in
      reference.variable.hasPrefix("response.") || reference.variable.hasPrefix("history.")
    }
    if readsResponse {
      visibility.defineAnswering(value.name.value, as: compiled)
    } else {
      visibility.define(value.name.value, as: compiled)
    }
  }

  /// Where a step sends its key: where the author specifies, or nowhere by itself if its expressions read it.
  func keyPlace(
    of draft: DraftStep, _ action: Step.Action, _ probe: Probe?
  ) -> IdempotencyKeyPlace<String>? {
    guard let place = draft.keyPlace else { return nil }
    let reads = (action.request?.expressions ?? []).contains { expression in
      expression.compiled.references.contains { $0.variable == IdempotencyKey.name }
    }
    if reads, !draft.namesKeyPlace { return .request }
    switch place {
    case .header(let name): return .header(name.value)
    case .query(let name): return .query(name.value)
    case .field(let name): return .field(name.value)
    case .request: return .request
    }
  }
}

extension DiagnosticCollector {
  package func location(_ range: TextRange) -> SourceLocation {
    SourceLocation(file: file, line: range.start.line, column: range.start.column)
  }
}
