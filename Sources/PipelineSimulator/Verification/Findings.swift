import PipelineCore

/// What trials have brought to light so far.
struct Findings {
  private let pipeline: Pipeline
  var effort = CrashSafety.Effort()
  /// The steps whose results others read; who only waits for a step reads nothing of it.
  private let read: Set<Int>
  private(set) var steps: [StepSafety]
  private(set) var counterexamples: [SafetyCounterexample] = []

  init(_ pipeline: Pipeline) {
    self.pipeline = pipeline
    read = Set(pipeline.steps.flatMap(\.uses).filter { $0.output != nil }.map(\.step))
    steps =
      pipeline.steps.map { StepSafety($0, pipeline) }
      + pipeline.loops.flatMap { loop in
        loop.onAbandon.indices.map { StepSafety(compensation: $0, of: loop, pipeline) }
      }
  }

  /// One issue of a step: a new generation is another, because the result before it had died.
  private struct Issue: Hashable {
    let step: Int
    let item: ItemKey?
    let generation: Int

    init(_ id: EffectID) {
      step = id.step
      item = id.item
      generation = id.generation
    }
  }

  /// Adds what a trial came to, beside one that had fewer disturbances.
  mutating func take(_ trial: Trial, _ disturbances: [Disturbance], _ baseline: Trial) {
    effort.runs += 1
    effort.steps += trial.run.steps
    let words = describe(disturbances, trial)
    takeEffects(trial, words)
    takeGenerations(trial, words)
    takeForeignKeys(trial, words)
    takeReplays(trial, words)
    takeCompensations(trial, words)
    for violation in trial.faultHooks.violations.prefix(1) {
      add(.invariant, nil, violation.text, words, trial, nil)
    }
    // Whom the server refuses ends in one way or another; nothing is lost by that.
    let isRefused =
      !disturbances.contains(.retry)
      && disturbances.contains { if case .refusal = $0 { true } else { false } }
    if trial.run.outcome != .rested {
      let how = trial.run.outcome.map(TraceText.word) ?? ""
      let waits = trial.run.waiting.sorted { "\($0.key as Any)" < "\($1.key as Any)" }.first
        .map { ", and waits for \(TraceText(trial.run).text($0.value))" }
      let isUndisturbed = disturbances.isEmpty
      let message =
        isUndisturbed
        ? "the run never ends, though nothing disturbs it: \(how)\(waits ?? ""); the 'example' of a "
          + "request has to be an answer with which it goes on"
        : "the run never ends: \(how)\(waits ?? "")"
      add(.stuck, nil, message, words, trial, nil)
    } else if !isRefused, trial.statuses != baseline.statuses {
      takeLost(trial, baseline, words)
    }
    for item in trial.paused where baseline.paused.isEmpty {
      guard let place = item.frame.firstIndex(where: { $0.failure != nil }) else { continue }
      steps[pipeline.loops[item.key.loop].steps[place]].mayPause = true
    }
    takeLeaks(trial, words)
  }

  private mutating func takeEffects(_ trial: Trial, _ words: [String]) {
    var attempts: [Issue: Int] = [:]
    for delivery in trial.journal.deliveries where delivery.purpose == .attempt {
      let issue = Issue(delivery.id)
      attempts[issue, default: 0] += 1
      steps[issue.step].attempts = max(steps[issue.step].attempts, attempts[issue] ?? 0)
    }
    var effects: [Issue: Int] = [:]
    for commit in trial.journal.commits {
      let issue = Issue(commit.id)
      effects[issue, default: 0] += 1
      steps[issue.step].effects = max(steps[issue.step].effects, effects[issue] ?? 0)
      let step = pipeline.steps[issue.step]
      guard step.effect == .create, effects[issue] == 2 else { continue }
      add(
        .doubleEffect, issue.step,
        "the server carried out '\(step.id)' twice for one item: "
          + (!steps[issue.step].hasNoProtection
            ? "its \(steps[issue.step].reason.word) did not prevent it"
            : "it has neither an idempotency key nor a probe"),
        words, trial, issue.item)
    }
  }

  /// Another generation of a step is another effect: it does no harm where what the earlier one left has
  /// died or was taken back, or is read by others, which is a leak.
  private mutating func takeGenerations(_ trial: Trial, _ words: [String]) {
    struct Maker: Hashable {
      let step: Int
      let item: ItemKey?
    }
    var living: [Maker: ServerJournal.Commit] = [:]
    for commit in trial.journal.commits {
      let step = pipeline.steps[commit.id.step]
      guard step.effect == .create, step.batch == nil else { continue }
      let isSecret = step.outputs.contains(where: \.isSecret)
      guard isSecret || !read.contains(commit.id.step) else { continue }
      let maker = Maker(step: commit.id.step, item: commit.id.item)
      if let earlier = living[maker], earlier.id.generation != commit.id.generation,
        !isTakenBack(earlier, trial)
      {
        add(
          .doubleEffect, commit.id.step,
          "the server carried out '\(step.id)' twice for \(commit.id.item == nil ? "one run" : "one item"): "
            + (stays(between: earlier, and: commit, trial)
              ?? (isSecret
                ? "its result is secret and goes with the process, and the next one asks for another "
                  + "under another key"
                : "a result that it was made from expired before its outcome was known, and the repeat "
                  + "is another generation with another key")),
          words, trial, commit.id.item)
        return
      }
      if commit.died == nil, commit.abandoned == nil { living[maker] = commit }
    }
  }

  /// Why the one effect stays although the item was given up between the two; `nil` where it was not.
  private func stays(
    between first: ServerJournal.Commit, and second: ServerJournal.Commit, _ trial: Trial
  ) -> String? {
    let between = trial.journal.deliveries.filter {
      $0.purpose == .abandon && $0.id.item == second.id.item && first.at <= $0.at
        && $0.at <= second.at
    }
    guard !between.isEmpty else { return nil }
    guard
      let known = between.first(where: {
        $0.outcome == .repeated(0) && $0.undone.contains(first.number)
      }),
      let entry = known.entry
    else {
      return
        "'on_abandon' does not take it back, and an item that begins again after that does it under "
        + "another key"
    }
    return
      "entry \(entry + 1) of 'on_abandon' shows a key that the server knows from another request, and "
      + "nothing is taken back; let the key read a result of '\(pipeline.steps[first.id.step].id)'"
  }

  /// A key that outlives what it made: the server gives the old answer, and what was taken back stays away.
  private mutating func takeReplays(_ trial: Trial, _ words: [String]) {
    for delivery in trial.journal.deliveries {
      guard case .repeated(let number) = delivery.outcome, number > 0 else { continue }
      let first = trial.journal.commits[number - 1]
      guard first.id.step == delivery.id.step, let gone = first.abandoned, gone <= delivery.at
      else { continue }
      add(
        .lostItem, delivery.id.step,
        "'\(pipeline.steps[delivery.id.step].id)' shows the key of an effect that 'on_abandon' took back: the "
          + "server gives the old answer, and nothing is done; leave 'key' out, and each generation has "
          + "a key of its own",
        words, trial, delivery.id.item)
      return
    }
  }

  /// Whether a compensation took back what the effect was made from, and the effect with it.
  private func isTakenBack(_ commit: ServerJournal.Commit, _ trial: Trial) -> Bool {
    let sources = ancestors(of: commit.id.step)
    return trial.journal.commits.contains { other in
      guard other.id.item == commit.id.item, sources.contains(other.id.step),
        let abandoned = other.abandoned
      else { return false }
      return abandoned >= commit.at && other.at <= commit.at
    }
  }

  /// The steps whose results a step reads, and theirs.
  private func ancestors(of step: Int) -> Set<Int> {
    var found: Set<Int> = []
    var open = [step]
    while let next = open.popLast() {
      for use in pipeline.steps[next].uses where use.output != nil && !use.isCredential {
        if found.insert(use.step).inserted { open.append(use.step) }
      }
    }
    return found
  }

  /// A server that knows a key gives the answer of the request that showed it first; that must be one of the
  /// same step and item.
  private mutating func takeForeignKeys(_ trial: Trial, _ words: [String]) {
    for delivery in trial.journal.deliveries {
      guard case .repeated(let number) = delivery.outcome, number > 0 else { continue }
      let first = trial.journal.commits[number - 1].id
      guard first.step != delivery.id.step || first.item != delivery.id.item else { continue }
      let step = pipeline.steps[delivery.id.step].id
      add(
        .lostItem, delivery.id.step,
        first.step == delivery.id.step
          ? "'\(step)' of two items shows one key: the server took the second for a repeat of the first, and "
            + "nothing was done for it; let the key read 'item.key'"
          : "'\(step)' shows the key of '\(pipeline.steps[first.step].id)': the server took it for a repeat, and "
            + "did nothing; begin the key with the step's name",
        words, trial, delivery.id.item)
      return
    }
  }

  /// A compensation takes effect once, where its method is not idempotent.
  private mutating func takeCompensations(_ trial: Trial, _ words: [String]) {
    var attempts: [String: Int] = [:]
    var effects: [String: Int] = [:]
    for delivery in trial.journal.deliveries where delivery.purpose == .abandon {
      guard let item = delivery.id.item, let index = delivery.entry else { continue }
      let entry = pipeline.loops[item.loop].onAbandon[index]
      let row = row(of: index, in: item.loop)
      // What an item left in one life and in another are two things to take back.
      let life =
        delivery.undone.isEmpty
        ? [trial.journal.commits.count { $0.id.item == item && $0.at <= delivery.at }]
        : delivery.undone
      let place = "\(item) \(index) \(life)"
      attempts[place, default: 0] += 1
      steps[row].attempts = max(steps[row].attempts, attempts[place] ?? 0)
      guard delivery.outcome == .abandoned else { continue }
      effects[place, default: 0] += 1
      steps[row].effects = max(steps[row].effects, effects[place] ?? 0)
      guard effects[place] == 2, !StepSafety.idempotentMethods.contains(entry.request.method)
      else { continue }
      add(
        .doubleEffect, row,
        "the server carried out entry \(index + 1) of 'on_abandon' twice for one item: a repeated "
          + "\(entry.request.method) is another effect, and it shows no key in 'Idempotency-Key'",
        words, trial, item)
    }
  }

  /// Where the row of a compensation is: after those of the steps.
  private func row(of index: Int, in loop: Int) -> Int {
    pipeline.steps.count
      + pipeline.loops.prefix(loop).reduce(0) { $0 + $1.onAbandon.count } + index
  }

  private mutating func takeLost(_ trial: Trial, _ baseline: Trial, _ words: [String]) {
    let items = pipeline.loops.indices.flatMap { trial.run.items(loop: $0) }
    for (item, expected) in zip(items, baseline.statuses)
    where item.status != expected && (expected == .done || expected == .skipped) {
      let reason = item.reason.map { ": \($0.message)" } ?? ""
      let place = item.frame.firstIndex { $0.failure != nil }
      add(
        .lostItem, place.map { pipeline.loops[item.key.loop].steps[$0] },
        "an item ends as \(TraceText.word(item.status)) instead of \(TraceText.word(expected))"
          + ", and retrying it does not help\(reason)",
        words, trial, item.key)
      return
    }
  }

  private mutating func takeLeaks(_ trial: Trial, _ words: [String]) {
    guard trial.run.outcome == .rested else { return }
    let after = words.isEmpty ? "" : ", after: " + words.joined(separator: "; ")
    for commit in trial.journal.commits
    where commit.used == nil && commit.abandoned == nil && read.contains(commit.id.step) {
      let step = pipeline.steps[commit.id.step]
      guard step.effect == .create else { continue }
      leak(commit.id.step, "a result that nobody uses or takes back can stay at the server\(after)")
    }
    for path in trial.run.disk.paths {
      let name = path.split(separator: "/").last ?? ""
      let step = pipeline.steps.firstIndex { step in
        step.makesFile && (name == step.id.rawValue || name.hasSuffix("-\(step.id)"))
      }
      if let step { leak(step, "its file can stay on the disk when the run is over\(after)") }
    }
  }

  private mutating func leak(_ step: Int, _ text: String) {
    let head = text.prefix { $0 != "," }
    guard !steps[step].leaks.contains(where: { $0.hasPrefix(head) }) else { return }
    steps[step].leaks.append(text)
  }

  private mutating func add(
    _ kind: SafetyCounterexample.Kind, _ row: Int?, _ message: String, _ words: [String],
    _ trial: Trial, _ item: ItemKey?
  ) {
    let id = row.map { steps[$0].id }
    if let row { steps[row].isRefuted = true }
    let step = row.flatMap { $0 < pipeline.steps.count ? $0 : nil }
    guard !counterexamples.contains(where: { $0.kind == kind && $0.step == id }) else { return }
    counterexamples.append(
      SafetyCounterexample(
        kind: kind, step: id, location: row.map { steps[$0].location },
        message: message, disturbances: words,
        timeline: TrialTimeline(trial, step: step, item: item, causes: causes(of: trial)).lines))
  }

  /// The requests that were disturbed.
  private func causes(of trial: Trial) -> Set<EffectID> {
    var causes: Set<EffectID> = []
    for number in trial.faults where trial.journal.deliveries.indices.contains(number - 1) {
      causes.insert(trial.journal.deliveries[number - 1].id)
    }
    for case .after(.perform(let command)) in trial.faultHooks.points {
      causes.insert(command.id)
    }
    return causes
  }

  // MARK: Words

  private func describe(_ disturbances: [Disturbance], _ trial: Trial) -> [String] {
    var points = trial.faultHooks.points.makeIterator()
    return disturbances.map { disturbance in
      switch disturbance {
      case .crash: points.next().map(describe) ?? "the process ends"
      case .fault(let number, let fault): describe(fault, number, trial)
      case .refusal(let step) where disturbances.contains(.retry):
        "the server refuses '\(pipeline.steps[step].id)', and the item is given up"
      case .refusal(let step): "the server refuses '\(pipeline.steps[step].id)' for good"
      case .retry: "it refuses it no longer, and a person retries the item"
      }
    }
  }

  private func describe(_ point: CrashPoint) -> String {
    switch point {
    case .beforeCommit: return "the process ends before a checkpoint is durable"
    case .afterCommit: return "the process ends after a checkpoint, before its effects"
    case .after(.perform(let command)):
      let name = pipeline.steps[command.id.step].id
      switch (command.action, pipeline.steps[command.id.step].requestTemplate) {
      case (_, nil): return "the process ends while '\(name)' writes its file"
      case (.probe, _): return "the process ends after the probe of '\(name)' is sent"
      case (.abandon, _): return "the process ends after a request of 'on_abandon' is sent"
      case (.attempt, _), (.adopt, _): return "the process ends after '\(name)' is sent"
      }
    case .after: return "the process ends"
    }
  }

  private func describe(
    _ fault: ServerModel.PlannedFault, _ number: Int, _ trial: Trial
  ) -> String {
    var what = "request \(number)"
    if trial.journal.deliveries.indices.contains(number - 1) {
      let delivery = trial.journal.deliveries[number - 1]
      let name = "'\(pipeline.steps[delivery.id.step].id)'"
      what =
        switch delivery.purpose {
        case .attempt: name
        case .probe: "the probe of \(name)"
        case .abandon: "a request of 'on_abandon'"
        }
    }
    return switch fault {
    case .lostRequest: "\(what) is lost on its way"
    case .lostReply: "the reply to \(what) is lost"
    case .brokenGateway: "a gateway answers 502 to \(what), which took effect"
    case .lostReplyAndDeath: "the reply to \(what) is lost, and what it used expires"
    case .refused503: "the server answers 503 to \(what), which took effect"
    case .refused429: "the server answers 429 to \(what), which took effect"
    case .unreadable: "the answer to \(what), which took effect, cannot be read"
    case .refused400: "the server answers 400 to \(what), which took effect"
    case .refused401: "the server answers 401 to \(what), which took effect"
    case .refused408: "the server answers 408 to \(what), which took effect"
    case .refused425: "the server answers 425 to \(what), which took effect"
    case .late: "\(what) takes effect after the client has given up"
    case .unseen: "the reply to \(what) is lost, and its probe does not see the effect for a while"
    }
  }
}
