/// Parts that no response leads to: entries of `on`, and steps after one that never succeeds.
enum UnreachableRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    var blocked: DraftStep?
    for node in analysis.draft.nodes {
      switch node {
      case .step(let step): check(step, after: &blocked, analysis, collector)
      case .loop(let loop):
        if let blocker = blocked { report("loop", at: loop.range, after: blocker, collector) }
        // The outcome of one item does not keep the run from continuing after the loop.
        blocked = nil
        var blockedInside: DraftStep?
        for step in loop.steps { check(step, after: &blockedInside, analysis, collector) }
      }
    }
  }

  /// Checks a step; `blocker` is the previous step if it never succeeds, and is set to this one if it does not either.
  private static func check(
    _ step: DraftStep, after blocker: inout DraftStep?, _ analysis: ExpressionAnalysis,
    _ collector: DiagnosticCollector
  ) {
    if let earlier = blocker { report("step", at: step.range, after: earlier, collector) }
    blocker = check(step, analysis, collector) ? step : nil
  }

  private static func check(
    _ step: DraftStep, _ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector
  ) -> Bool {
    guard !step.matchers.isEmpty, step.hasResponse else { return false }
    let outcomes = Outcomes(step, in: analysis)
    report(entriesOf: step, outcomes, analysis, collector)
    guard !outcomes.canSucceed, step.probe == nil else { return false }
    let endsOtherwise =
      outcomes.canBe(.finishItem, .skipItem, .fail, .pause, .pauseRun)
      // Without an entry that matches it, a response such as 404 is a failure.
      || !outcomes.rest.subtracting(StatusSet { $0 == 0 || $0 >= 500 }).isEmpty
    if !endsOtherwise {
      collector.report(
        .endlessStep, "no response ends this step: every response leads to a repeat",
        at: step.range,
        note: (
          "this entry matches all remaining responses",
          outcomes.entries.last { !$0.reached.isEmpty }?.matcher.range
        ), help: "make some response 'success', or end the step in another way")
    }
    // Steps after an endless step are not reached either, but there is only one thing to fix.
    return endsOtherwise && step.condition == nil
  }

  private static func report(
    _ what: String, at range: TextRange, after blocker: DraftStep, _ collector: DiagnosticCollector
  ) {
    let name = blocker.id.map { "'\($0.value)'" } ?? "the step before"
    collector.report(
      .unreachableStep, "the \(what) is never reached: \(name) never succeeds", at: range,
      note: ("no entry of this 'on' is 'success'", blocker.matchers.last?.range))
  }

  private static func report(
    entriesOf step: DraftStep, _ outcomes: Outcomes, _ analysis: ExpressionAnalysis,
    _ collector: DiagnosticCollector
  ) {
    // With a single entry there is none before it.
    guard outcomes.entries.count > 1 else { return }
    var demands = DemandIndex()
    for (index, entry) in outcomes.entries.enumerated() {
      // An entry without a condition is reported by another rule.
      guard entry.matcher.hasCondition else { return }
      var takers: [Outcomes.Entry] = []
      let texts = analysis.entry(entry.matcher.condition, in: step.index)?.conjunctTexts
      if entry.reached.isEmpty, !entry.bounds.possible.isEmpty {
        // A few notes explain it as well as all of them.
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
      collector.report(
        .unreachableMatcher,
        "this entry is never reached: \(isOne ? "an earlier one matches" : "earlier ones match") every response that it would",
        at: entry.matcher.condition?.range ?? entry.matcher.range,
        notes: takers.map {
          Diagnostic.Note(
            message: isOne ? "matched by this entry" : "some are matched by this entry",
            range: $0.matcher.condition?.range ?? $0.matcher.range)
        },
        help: "move the narrower condition before the wider one, or remove it")
    }
  }
}

/// Finds a set of conditions that contains another, without comparing every pair.
private struct DemandIndex {
  /// Up to this many are compared pairwise, which needs no table.
  private static let small = 6
  private var all: [(texts: [String], index: Int)] = []
  /// The sets by one condition of each, which any superset must contain too; used once there are many.
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
    let known = texts.count < Self.small ? nil : Set(texts)
    func isWithin(_ set: (texts: [String], index: Int)) -> Bool {
      set.texts.allSatisfy { known?.contains($0) ?? texts.contains($0) }
    }
    if all.count < Self.small { return all.first(where: isWithin)?.index }
    return Set(texts).compactMap { text in
      sets[text]?.first(where: isWithin)?.index
    }.min()
  }
}
