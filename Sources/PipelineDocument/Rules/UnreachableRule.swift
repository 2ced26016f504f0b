import CEL

/// What no answer leads to: entries of `on`, and steps after one that never succeeds.
enum UnreachableRule: ExpressionRule {
  static let pages = [
    Check(
      .unreachableStep, .warning, .flow,
      summary: "the step before never succeeds, so that this one is never done",
      explanation: """
        A step is done when the one before it has succeeded or was skipped. Where the entries of `on` take every answer with a \
        2xx status and none of them says `success`, the steps after it are never reached. Let some answer be a success, or \
        remove what comes after.
        """,
      wrong: """
        pipeline: example
        steps:
          - for_each: name
            in: ${{ ["a", "b"] }}
            steps:
              - id: send
                request: { url: "https://example.com/${{ name }}" }
                on:
                  - if: ${{ response.status >= 400 }}
                    then: fail
                  - then: done
              - id: tell
                request: { url: "https://example.com/${{ name }}/done" }
        """,
      right: """
        pipeline: example
        steps:
          - for_each: name
            in: ${{ ["a", "b"] }}
            steps:
              - id: send
                request: { url: "https://example.com/${{ name }}" }
                on:
                  - if: ${{ response.status >= 400 }}
                    then: fail
                  - if: ${{ response.status == 208 }}
                    then: done
              - id: tell
                request: { url: "https://example.com/${{ name }}/done" }
        """),
    Check(
      .endlessStep, .warning, .flow, summary: "no answer ends a step",
      explanation: """
        Every answer leads to a repeat: `retry`, `poll`, or `expired`, after which the step is done again. Such a step goes round \
        until its retries or its reissues are used up. Let some answer be `success`, `done`, `skip`, `fail` or `pause`.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: wait
            request: { url: "https://example.com/state" }
            on:
              - if: ${{ response.status >= 500 }}
                then: retry
              - then: poll
                after: 10s
        """,
      right: """
        pipeline: example
        steps:
          - id: wait
            request: { url: "https://example.com/state" }
            on:
              - if: ${{ response.status >= 500 }}
                then: retry
              - if: ${{ response.json.state != "ready" }}
                then: poll
                after: 10s
        """),
  ]

  package static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
    var dead: DraftStep?
    for node in analysis.draft.nodes {
      switch node {
      case .step(let step):
        check(step, after: &dead, analysis, collector)
      case .loop(let loop):
        if let blocker = dead { report("loop", at: loop.range, after: blocker, collector) }
        // What one item meets does not keep the run from what comes after the loop.
        dead = nil
        var deadInside: DraftStep?
        for step in loop.steps { check(step, after: &deadInside, analysis, collector) }
      }
    }
  }

  /// Checks a step; `dead` is the one before, if it never succeeds, and then this one, if it does not.
  private static func check(
    _ step: DraftStep, after dead: inout DraftStep?, _ analysis: Analysis,
    _ collector: DiagnosticCollector
  ) {
    if let blocker = dead { report("step", at: step.range, after: blocker, collector) }
    dead = check(step, analysis, collector) ? step : nil
  }

  /// Checks a step by itself; gives whether nothing that comes after it is reached.
  private static func check(
    _ step: DraftStep, _ analysis: Analysis, _ collector: DiagnosticCollector
  ) -> Bool {
    guard !step.matchers.isEmpty, step.hasResponse else { return false }
    let outcomes = Outcomes(step, in: analysis)
    report(entriesOf: step, outcomes, analysis, collector)
    guard !outcomes.canSucceed, step.probe == nil else { return false }
    let endsOtherwise =
      outcomes.canBe(.done, .skip, .fail, .pause)
      // Without an entry that takes it, an answer such as 404 is a failure.
      || !outcomes.rest.subtracting(StatusSet { $0 == 0 || $0 >= 500 }).isEmpty
    if !endsOtherwise {
      collector.warning(
        .endlessStep, "no answer ends this step: each leads to a repeat", at: step.range,
        notes: outcomes.entries.last { !$0.reached.isEmpty }.map {
          [
            Diagnostic.Note(
              message: "this entry takes what the others leave", range: $0.matcher.range)
          ]
        } ?? [], help: "let some answer be 'success', or end the step otherwise")
    }
    // What comes after an endless step is not reached either, but there is one thing to mend.
    return endsOtherwise && step.condition == nil
  }

  private static func report(
    _ what: String, at range: TextRange, after blocker: DraftStep,
    _ collector: DiagnosticCollector
  ) {
    let name = blocker.id.map { "'\($0.value)'" } ?? "the step before"
    collector.warning(
      .unreachableStep, "the \(what) is never reached: \(name) never succeeds", at: range,
      notes: blocker.matchers.last.map {
        [Diagnostic.Note(message: "no entry of this 'on' is a success", range: $0.range)]
      } ?? [])
  }

  /// Entries that an earlier one always takes.
  private static func report(
    entriesOf step: DraftStep, _ outcomes: Outcomes, _ analysis: Analysis,
    _ collector: DiagnosticCollector
  ) {
    // With a single entry there is none before it.
    guard outcomes.entries.count > 1 else { return }
    var demands = DemandIndex()
    for (index, entry) in outcomes.entries.enumerated() {
      // An entry without a condition is reported where it stands.
      guard entry.matcher.hasCondition else { return }
      var takers: [Outcomes.Entry] = []
      let texts = analysis.entry(entry.matcher.condition, in: step.index)?.conjunctTexts
      if entry.reached.isEmpty, !entry.bounds.possible.isEmpty {
        // A few explain it as well as all.
        takers = Array(
          outcomes.entries[..<index].lazy.filter {
            !$0.bounds.certain.intersection(entry.bounds.possible).isEmpty
          }.prefix(3))
      } else if let texts, let same = demands.first(within: texts) {
        takers = [outcomes.entries[same]]
      }
      if let texts { demands.add(texts, at: index) }
      guard !takers.isEmpty else { continue }
      let isOne = takers.count == 1
      collector.warning(
        .unreachableMatcher,
        "this entry is never reached: \(isOne ? "an earlier one takes" : "earlier ones take") all that it would",
        at: entry.matcher.condition?.range ?? entry.matcher.range,
        notes: takers.map {
          Diagnostic.Note(
            message: isOne ? "by this entry" : "some by this entry",
            range: $0.matcher.condition?.range ?? $0.matcher.range)
        },
        help: "move the narrower condition before the wider one, or remove it")
    }
  }
}

/// Finds among sets of conditions one that lies within another, without comparing each with each.
private struct DemandIndex {
  /// So few are compared nevertheless, which needs no table.
  private static let small = 6

  private var all: [(texts: [String], index: Int)] = []
  /// By one condition of each set, which whoever contains the set has to contain too; once there are many.
  private var sets: [String: [(texts: [String], index: Int)]] = [:]

  package mutating func add(_ texts: [String], at index: Int) {
    all.append((texts, index))
    if all.count == Self.small {
      for set in all { note(set) }
    } else if all.count > Self.small {
      note((texts, index))
    }
  }

  private mutating func note(_ set: (texts: [String], index: Int)) {
    if let text = set.texts.min() { sets[text, default: []].append(set) }
  }

  package func first(within texts: [String]) -> Int? {
    if all.count < Self.small, texts.count < Self.small {
      return all.first { set in set.texts.allSatisfy(texts.contains) }?.index
    }
    let texts = Set(texts)
    if all.count < Self.small {
      return all.first { set in set.texts.allSatisfy(texts.contains) }?.index
    }
    return texts.compactMap { text in
      sets[text]?.first { $0.texts.allSatisfy(texts.contains) }?.index
    }.min()
  }
}
