struct Findings {
  private let pipeline: Pipeline
  private(set) var budget: WorkBudget
  var effort = CrashSafety.Effort()
  /// The steps whose results others read; a step that only waits for another reads nothing of it.
  private let read: Set<Int>
  private(set) var steps: [StepSafety]
  private(set) var counterexamples: [SafetyCounterexample] = []

  init(_ pipeline: Pipeline, _ budget: WorkBudget) {
    self.pipeline = pipeline
    self.budget = budget
    read = Set(pipeline.steps.flatMap(\.uses).filter { $0.output != nil }.map(\.step))
    steps =
      pipeline.steps.map { StepSafety($0, pipeline) }
      + pipeline.loops.flatMap { loop in
        loop.onAbandon.indices.map { StepSafety(compensation: $0, of: loop, pipeline) }
      }
  }

  /// One issue of a step: a new generation is a different one, because the earlier result had expired.
  private struct Issue: Hashable {
    let target: EffectID.Target
    let item: ItemKey?
  }

  /// Adds the findings of a trial, compared with one that had fewer faults.
  mutating func take(_ trial: Trial, _ disturbances: [Disturbance], _ baseline: Trial) {
    effort.runs += 1
    budget.spend(trial.run.steps * WorkBudget.turn(steps: pipeline.steps.count))
    let words = describe(disturbances, trial)
    takeEffects(trial, words)
    takeGenerations(trial, words)
    takeForeignKeys(trial, words)
    takeReplays(trial, words)
    takeCompensations(trial, words)
    if let refusal = trial.run.sharedTarget, let step = refusal.id.step {
      add(
        .sharedTarget, step,
        "'\(pipeline.steps[step].id)' stores files with the same name in different folders under the same "
          + "address, so that the second fails; use 'file.relative'", words, trial, refusal.id.item)
    }
    // An item that the server refuses, or one of two with the same target, may end in either way; nothing is lost.
    let isRefused =
      trial.run.sharedTarget != nil
      || disturbances.contains(where: \.isRefusal) && !disturbances.contains(.retry)
    let isUnproven = !isRefused && takeUnproven(trial, disturbances, baseline)
    if let shortfall = trial.run.shortfall, !disturbances.contains(where: \.isForeign) {
      add(.lostItem, nil, shortfall.explanation ?? "", words, trial, shortfall.item)
    }
    for violation in trial.faultHooks.violations.prefix(1) {
      add(.invariant, nil, violation.text, words, trial, nil)
    }
    if trial.run.outcome != .rested {
      let how = trial.run.outcome.map(TraceText.word) ?? ""
      let waits = trial.run.waiting.sorted { "\($0.key as Any)" < "\($1.key as Any)" }.first
        .map { ", and waits for \(TraceText(trial.run).text($0.value))" }
      let even = disturbances.isEmpty ? ", even without faults" : ""
      let help = "; the 'example' of a request must be a response with which the run continues"
      let message = "the run never ends\(even): \(how)\(waits ?? "")" + (even.isEmpty ? "" : help)
      add(.stuck, nil, message, words, trial, nil)
    } else if !isRefused, !isUnproven, trial.statuses != baseline.statuses {
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
      guard let step = delivery.id.step else { continue }
      let issue = Issue(target: delivery.id.target, item: delivery.id.item)
      attempts[issue, default: 0] += 1
      steps[step].attempts = max(steps[step].attempts, attempts[issue] ?? 0)
    }
    var effects: [Issue: [ServerJournal.Commit]] = [:]
    for commit in trial.journal.commits {
      let issue = Issue(target: commit.id.target, item: commit.id.item)
      // An effect that a compensation undid does not exist twice.
      let isDouble =
        effects[issue]?.contains { $0.abandoned.map { $0 > commit.at } ?? true } ?? false
      effects[issue, default: []].append(commit)
      steps[commit.step].effects = max(steps[commit.step].effects, effects[issue]?.count ?? 0)
      let step = pipeline.steps[commit.step]
      guard step.effect == .create, isDouble else { continue }
      add(
        .doubleEffect, commit.step,
        "the server carried out '\(step.id)' twice for one item: "
          + (steps[commit.step].hasNoProtection
            ? "it has neither an idempotency key nor a probe"
            : "its \(steps[commit.step].reason.word) did not prevent it"),
        words, trial, issue.item)
    }
  }

  /// Another generation of a step is another effect, unless the earlier one's result has expired, was undone, or is read.
  private mutating func takeGenerations(_ trial: Trial, _ words: [String]) {
    var living: [StepOfItem: ServerJournal.Commit] = [:]
    for commit in trial.journal.commits {
      let step = pipeline.steps[commit.step]
      guard step.effect == .create, step.batch == nil else { continue }
      let isSecret = step.outputs.contains { $0.isSecret && !$0.isSealed }
      guard isSecret || !read.contains(commit.step) else { continue }
      let maker = StepOfItem(step: commit.step, item: commit.id.item)
      if let earlier = living[maker], earlier.id.generation != commit.id.generation {
        add(
          .doubleEffect, commit.step,
          "the server carried out '\(step.id)' twice for \(commit.id.item == nil ? "one run" : "one item"): "
            + (stays(between: earlier, and: commit, trial)
              ?? (isSecret
                ? "its result is secret and is lost with the process, so the next process asks for another "
                  + "under another key"
                : "a result that it was derived from expired before its outcome was known, so the "
                  + "repeat is another generation with another key")),
          words, trial, commit.id.item)
        return
      }
      if commit.died == nil, commit.abandoned == nil { living[maker] = commit }
    }
  }

  /// Why the effect stays although the item was abandoned between the two; `nil` if it was not.
  private func stays(
    between first: ServerJournal.Commit, and second: ServerJournal.Commit, _ trial: Trial
  ) -> String? {
    let between = trial.journal.deliveries.filter {
      $0.purpose == .abandon && $0.id.item == second.id.item?.whole && first.at <= $0.at
        && $0.at <= second.at
    }
    guard !between.isEmpty else { return nil }
    guard
      let known = between.first(where: {
        $0.outcome == .repeated(0) && $0.undone.contains(first.number)
      }), let entry = known.entry
    else {
      return "'on_abandon' does not undo it, and if the item starts over, the step is sent under "
        + "another key; if the request undoes it as well, declare that with 'undoes: "
        + "[\(pipeline.steps[first.step].id)]'"
    }
    return
      "entry \(entry + 1) of 'on_abandon' sends a key that the server received with another request, so "
      + "nothing is undone; let the key read a result of '\(pipeline.steps[first.step].id)'"
  }

  /// A key that outlives its effect: the server replays the old response, and an undone effect stays undone.
  private mutating func takeReplays(_ trial: Trial, _ words: [String]) {
    for delivery in trial.journal.deliveries {
      guard case .repeated(let number) = delivery.outcome, number > 0 else { continue }
      let first = trial.journal.commits[number - 1]
      guard first.step == delivery.id.step, let gone = first.abandoned, gone <= delivery.at
      else { continue }
      add(
        .lostItem, first.step,
        "'\(pipeline.steps[first.step].id)' sends the key of an effect that 'on_abandon' undid: the "
          + "server replays the old response, and nothing is done; remove 'key', so that each generation has "
          + "its own key", words, trial, delivery.id.item)
      return
    }
  }

  /// A server replays the response to the first request with a key, which must be one of the same step and item.
  private mutating func takeForeignKeys(_ trial: Trial, _ words: [String]) {
    for delivery in trial.journal.deliveries {
      guard case .repeated(let number) = delivery.outcome, number > 0 else { continue }
      let first = trial.journal.commits[number - 1]
      guard let sender = delivery.id.step, first.step != sender || first.id.item != delivery.id.item
      else { continue }
      let step = pipeline.steps[sender].id
      add(
        .lostItem, sender,
        first.step == sender
          ? "'\(step)' of two items sends the same key: the server treated the second as a repeat "
            + "of the first, so nothing was done for it; let the key read 'item.key'"
          : "'\(step)' sends the key of '\(pipeline.steps[first.step].id)': the server treated it "
            + "as a repeat, and did nothing; start the key with the step's name", words, trial,
        delivery.id.item)
      return
    }
  }

  /// A compensation must take effect only once, unless its method is idempotent.
  private mutating func takeCompensations(_ trial: Trial, _ words: [String]) {
    var attempts: [String: Int] = [:]
    var effects: [String: Int] = [:]
    for delivery in trial.journal.deliveries where delivery.purpose == .abandon {
      guard let item = delivery.id.item, let index = delivery.entry else { continue }
      let entry = pipeline.loops[item.loop].onAbandon[index]
      let row = row(of: index, in: item.loop)
      // The effects of an item before and after starting over are two things to undo.
      let life =
        delivery.undone.isEmpty
        ? [trial.journal.commits.count { $0.id.item?.whole == item && $0.at <= delivery.at }]
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
          + "\(entry.request.method) is another effect, and it is sent without 'Idempotency-Key'",
        words, trial, item)
    }
  }

  /// The row of a compensation: after those of the steps.
  private func row(of index: Int, in loop: Int) -> Int {
    pipeline.steps.count + pipeline.loops.prefix(loop).reduce(0) { $0 + $1.onAbandon.count } + index
  }

  /// Lists as an assumption each response of a gateway that the run treated as the server's;
  /// returns whether items differ because of that.
  private mutating func takeUnproven(
    _ trial: Trial, _ disturbances: [Disturbance], _ baseline: Trial
  ) -> Bool {
    let differing = zip(trial.statuses, baseline.statuses).filter { $0 != $1 }
    let isOther =
      !differing.isEmpty && differing.allSatisfy { Set([$0, $1]).isSubset(of: [.done, .skipped]) }
    var isUnproven = false
    for disturbance in disturbances where disturbance.isForeign {
      guard case .fault(let number, _) = disturbance else { continue }
      let deliveries = trial.journal.deliveries
      guard trial.run.outcome == .rested, deliveries.indices.contains(number - 1),
        case let delivery = deliveries[number - 1], let step = delivery.id.step,
        isOther || isMissing(delivery, trial, baseline)
      else { continue }
      isUnproven = isUnproven || isOther
      let whose = delivery.purpose == .probe ? "the probe of " : ""
      steps[step].rely(
        on: "a 2xx response to \(whose)'\(pipeline.steps[step].id)' is from the server itself")
    }
    return isUnproven
  }

  /// Whether the run continues although the server never received the request.
  private func isMissing(
    _ delivery: ServerJournal.Delivery, _ trial: Trial, _ baseline: Trial
  ) -> Bool {
    guard let index = delivery.id.step,
      trial.statuses.allSatisfy({ $0 == .done || $0 == .skipped })
    else { return false }
    let step = pipeline.steps[index]
    let isSafe = StepSafety.safeMethods.contains(step.action.request?.method ?? "")
    // A query changes nothing, unless the run uses its result.
    let isIdle = step.kind == .request && isSafe && step.outputs.isEmpty
    guard step.kind != .repeat, !isIdle else { return false }
    func count(_ trial: Trial) -> Int {
      trial.journal.commits.count { commit in
        commit.step == index
          && (step.batch != nil
            || commit.id.item?.ofAnyGeneration == delivery.id.item?.ofAnyGeneration)
      }
    }
    return count(trial) < count(baseline)
  }

  private mutating func takeLost(_ trial: Trial, _ baseline: Trial, _ words: [String]) {
    let items = pipeline.loops.indices.flatMap { trial.run.items(loop: $0) }
    for (item, expected) in zip(items, baseline.statuses)
    where item.status != expected && (expected == .done || expected == .skipped) {
      let reason = item.reason.map { ": \($0.message)" } ?? ""
      let place = item.frame.firstIndex { $0.failure != nil }
      add(
        .lostItem, place.map { pipeline.loops[item.key.loop].steps[$0] },
        "an item ends as \(item.status.word) instead of \(expected.word)"
          + ", and retrying it does not help\(reason)", words, trial, item.key)
      return
    }
  }

  private mutating func takeLeaks(_ trial: Trial, _ words: [String]) {
    guard trial.run.outcome == .rested else { return }
    let after = words.isEmpty ? "" : ", after: " + words.joined(separator: "; ")
    for commit in trial.journal.commits
    where commit.used == nil && commit.abandoned == nil && read.contains(commit.step) {
      let step = pipeline.steps[commit.step]
      guard step.effect == .create else { continue }
      leak(commit.step, "a result that nothing uses or undoes can remain at the server\(after)")
    }
    for path in trial.run.disk.paths {
      let name = path.split(separator: "/").last ?? ""
      let step = pipeline.steps.firstIndex { step in
        step.makesFile && (name == step.id.rawValue || name.hasSuffix("-\(step.id)"))
      }
      if let step { leak(step, "its file can remain on the disk after the run\(after)") }
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

  private func causes(of trial: Trial) -> Set<EffectID> {
    var causes: Set<EffectID> = []
    for number in trial.faults where trial.journal.deliveries.indices.contains(number - 1) {
      causes.insert(trial.journal.deliveries[number - 1].id)
    }
    for case .after(.perform(let command)) in trial.faultHooks.points { causes.insert(command.id) }
    return causes
  }

  // MARK: Words

  private func describe(_ disturbances: [Disturbance], _ trial: Trial) -> [String] {
    var points = trial.faultHooks.points.makeIterator()
    return disturbances.map { disturbance in
      switch disturbance {
      case .crash: points.next().map(describe) ?? "the process crashes"
      case .fault(let number, let fault): describe(fault, number, trial)
      case .refusal(let step) where disturbances.contains(.retry):
        "the server refuses '\(pipeline.steps[step].id)', and the item is abandoned"
      case .refusal(let step): "the server refuses '\(pipeline.steps[step].id)' permanently"
      case .retry: "the server no longer refuses it, and the user retries the item"
      }
    }
  }

  private func describe(_ point: CrashPoint) -> String {
    switch point {
    case .beforeCommit: return "the process crashes before a checkpoint is durable"
    case .afterCommit: return "the process crashes after a checkpoint, before its effects"
    case .after(.perform(let command)):
      let name = pipeline.name(of: command.id)
      switch (command.action, pipeline.step(of: command.id)?.action.request) {
      case (.abandon, _): return "the process crashes after a request of 'on_abandon' is sent"
      case (_, nil): return "the process crashes while '\(name)' writes its file"
      case (.probe, _): return "the process crashes after the probe of '\(name)' is sent"
      case (.attempt, _), (.adopt, _): return "the process crashes after '\(name)' is sent"
      }
    case .after: return "the process crashes"
    }
  }

  private func describe(
    _ fault: ServerModel.PlannedFault, _ number: Int, _ trial: Trial
  ) -> String {
    var what = "request \(number)"
    if trial.journal.deliveries.indices.contains(number - 1) {
      let delivery = trial.journal.deliveries[number - 1]
      let name = "'\(pipeline.name(of: delivery.id))'"
      what =
        switch delivery.purpose {
        case .attempt: name
        case .probe: "the probe of \(name)"
        case .abandon: "a request of 'on_abandon'"
        }
    }
    return switch fault {
    case .lostRequest: "\(what) is lost"
    case .lostReply: "the response to \(what) is lost"
    case .brokenGateway: "a gateway responds with 502 to \(what), which took effect"
    case .lostReplyAndDeath: "the response to \(what) is lost, and the values that it used expire"
    case .unreadable: "the response to \(what), which took effect, is unreadable"
    case .refused400, .refused401, .refused408, .refused425, .refused429, .refused503:
      "the server responds with \(fault.status ?? 0) to \(what), which took effect"
    case .seeOther: "the server responds with a redirect to \(what), which took effect"
    case .signInPage: "a gateway redirects \(what) to a sign-in page"
    case .foreignPage: "a gateway responds to \(what) with 200 and a page"
    case .emptySuccess: "a gateway responds to \(what) with 200 and no body"
    case .late: "\(what) takes effect after the client has timed out"
    case .unseen:
      "the response to \(what) is lost, and its probe does not see the effect for a while"
    }
  }
}
