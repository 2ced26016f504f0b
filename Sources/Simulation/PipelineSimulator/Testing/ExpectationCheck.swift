struct ExpectationCheck {
  let run: SimulatedRun
  let state: RunState?
  let evaluator: Evaluator
  let scope: Scope?
  let start: Instant
  /// The final state of every item, with its name.
  private let items: [(name: String, item: Item)]
  let names: [ItemKey: String]

  init(_ run: SimulatedRun, _ test: TestCase) {
    self.run = run
    state = run.state
    evaluator = Evaluator(run.pipeline)
    start = test.start
    let now = run.now
    scope = state.map { state in
      var state = state
      state.secrets = test.secrets
      return Scope(state, item: nil, now: now)
    }
    items = run.pipeline.loops.indices.flatMap { loop in
      run.items(loop: loop).map { ($0.subject.name, $0) }
    }
    names = Dictionary(
      items.map { ($0.item.key, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  func failures(_ expectation: TestExpectation) -> [TestFailure] {
    func compare(_ what: String, _ expected: String, _ found: String) -> [TestFailure] {
      guard expected != found else { return [] }
      return [TestFailure(range: expectation.range, what: what, expected: expected, found: found)]
    }
    func step(_ index: Int) -> String { "'\(run.pipeline.steps[index].id)'" }
    let elapsed = run.now - run.start
    switch expectation.kind {
    case .status(let status): return compare("the run's status", status.rawValue, end)
    case .reason(let text):
      let found = state?.reason?.message ?? "no reason"
      return found.contains(text) ? [] : compare("the reason for the pause", "…\(text)…", found)
    case .items(let status, let count):
      let found = items.count { $0.item.status == status }
      return compare("items that are \(status.word)", "\(count)", "\(found)")
    case .item(let item): return failures(item, at: expectation.range)
    case .requests(let requests, let isComplete):
      let check = RequestCheck(self)
      return isComplete ? check.complete(requests, at: expectation.range) : check.inOrder(requests)
    case .attempts(let index, let count):
      return compare("attempts of \(step(index))", "\(count)", "\(attempts(index))")
    case .probes(let index, let count):
      let found = run.trace.exchanges.count { $0.id.step == index && $0.purpose == .probe }
      return compare("probes of \(step(index))", "\(count)", "\(found)")
    case .reissues(let index, let count):
      return compare("reissues of \(step(index))", "\(count)", "\(reissues(index))")
    case .output(let index, let output, let template):
      return self.output((index, output, template), of: nil, compare: compare)
    case .timeAtLeast(let least):
      if elapsed >= least { return [] }
      return compare("the time of the run", "at least \(time(least))", time(elapsed))
    case .timeAtMost(let most):
      if elapsed <= most { return [] }
      return compare("the time of the run", "at most \(time(most))", time(elapsed))
    case .diskAtMost(let bytes):
      if run.disk.peak <= bytes { return [] }
      return compare("bytes on the disk", "at most \(bytes)", "\(run.disk.peak)")
    case .saved(let paths):
      return compare(
        "the files that stay", paths.joined(separator: ", "),
        run.disk.savedPaths.joined(separator: ", "))
    }
  }

  /// A run that does not end is a failure, unless the case expects it.
  func unexpectedEnd(_ test: TestCase) -> [TestFailure] {
    let speaksOfEnd = test.expectations.contains {
      if case .status = $0.kind { true } else { false }
    }
    guard !speaksOfEnd, let outcome = run.outcome, outcome != .rested else { return [] }
    return [
      TestFailure(range: test.range, what: "the run's status", expected: "a final one", found: end)
    ]
  }

  // MARK: Findings

  private func time(_ duration: Duration) -> String { TraceText.time(duration) }

  /// How the run ended, in the words used in expectations if they have one.
  private var end: String {
    switch run.outcome {
    case .rested?:
      switch state?.status {
      case .paused?: return TestRunStatus.paused.rawValue
      case .finished?:
        let isDone = items.allSatisfy { [.done, .skipped].contains($0.item.status) }
        return (isDone ? TestRunStatus.done : .incomplete).rawValue
      case .running?, .cancelling?, .cancelled?, nil: return state?.status.rawValue ?? "no run"
      }
    case .stuck?: return TestRunStatus.stuck.rawValue
    case .outOfTime?: return TestRunStatus.unfinished.rawValue
    case .endless?, .tooManySteps?, .storeFailed?, nil:
      return run.outcome.map(TraceText.word) ?? "not ended"
    }
  }

  private func attempts(_ step: Int) -> Int {
    if !run.pipeline.steps[step].kind.hasResponse {
      return run.trace.events.count { event in
        switch event.fact {
        case .wrote(let id, _), .writeFailed(let id, _): id.step == step
        default: false
        }
      }
    }
    return run.trace.exchanges.count {
      $0.id.step == step && $0.purpose == .attempt && !$0.isRedirected
    }
  }

  private func reissues(_ step: Int) -> Int {
    run.trace.events.count { event in
      if case .reissued(let id, _) = event.fact { id.step == step } else { false }
    }
  }

  private func failures(_ expected: ItemExpectation, at range: TextRange) -> [TestFailure] {
    func failure(_ what: String, _ expected: String, _ found: String) -> TestFailure {
      TestFailure(range: range, what: what, expected: expected, found: found)
    }
    guard
      let item = items.first(where: {
        $0.name == expected.name || $0.item.subject.label == expected.name
          || $0.item.subject.value.description == expected.name
      })?.item
    else {
      let known = items.prefix(5).map { "'\($0.name)'" }.joined(separator: ", ")
      return [failure("the item '\(expected.name)'", "it to exist", "items \(known)")]
    }
    var failures: [TestFailure] = []
    let (name, reason) = ("the item '\(expected.name)'", item.reason?.message)
    if let status = expected.status, status != item.status {
      let found = item.status.word + (reason.map { ": \($0)" } ?? "")
      failures.append(failure(name, status.word, found))
    }
    if let text = expected.reason, reason?.contains(text) != true {
      failures.append(failure("the reason of \(name)", "…\(text)…", reason ?? "no reason"))
    }
    for output in expected.outputs {
      failures += self.output(output, of: item.key) { what, expected, found in
        expected == found ? [] : [failure(what, expected, found)]
      }
    }
    return failures
  }

  private func output(
    _ expected: (step: Int, output: Int, value: JSONTemplate), of key: ItemKey?,
    compare: (String, String, String) -> [TestFailure]
  ) -> [TestFailure] {
    let step = run.pipeline.steps[expected.step]
    let owner = step.loop == nil ? nil : key
    var found: Value?
    for event in run.trace.events {
      guard case .concluded(let id, .success(let result)) = event.fact, id.step == expected.step,
        owner == nil || id.item?.whole == owner, result.outputs.indices.contains(expected.output)
      else { continue }
      found = result.outputs[expected.output].value
    }
    let turns = run.kept.filter { turn, values in
      turn.step == expected.step && (owner == nil || turn.item == owner)
        && values.indices.contains(expected.output)
    }
    let last = turns.max { ($0.key.item?.ordinal ?? 0) < ($1.key.item?.ordinal ?? 0) }
    found = last?.value[expected.output].value ?? found
    let what = "the output '\(step.outputs[expected.output].name)' of '\(step.id)'"
    guard let scope else { return compare(what, "a run", "none") }
    do throws(EvaluationFailure) {
      let value = try evaluator.value(expected.value, scope)
      if let found, JSONMatch.equals(value, found) { return [] }
      return compare(
        what, value.jsonText(), found?.jsonText() ?? "no value: the step did not produce one")
    } catch { return compare(what, "a value", error.message) }
  }
}

enum JSONMatch {
  /// Whether both are the same JSON value; numbers are compared by value.
  static func equals(_ left: Value, _ right: Value) -> Bool {
    contains(left, right) && contains(right, left)
  }

  /// Whether `found` contains everything in `expected`: objects may have more members, all else must be equal.
  static func contains(_ expected: Value, _ found: Value) -> Bool {
    if let expected = expected.mapValue, let found = found.mapValue {
      return expected.keys.allSatisfy { key in
        guard let left = expected[key], let right = found[key] else { return false }
        return contains(left, right)
      }
    }
    if let expected = expected.listValue, let found = found.listValue {
      return expected.count == found.count && zip(expected, found).allSatisfy(contains)
    }
    if let left = expected.doubleValue, let right = found.doubleValue { return left == right }
    return expected == found || expected.jsonText() == found.jsonText()
  }
}
