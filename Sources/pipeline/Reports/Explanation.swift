/// States for everything that waits: its blocker, since when, and what would unblock it.
struct Explanation {
  let opened: RunView.Opened
  let limit: Int
  private var pipeline: Pipeline { opened.pipeline }
  private let now: Instant

  init(opened: RunView.Opened, limit: Int) {
    (self.opened, self.limit) = (opened, limit)
    now = SteadyClock(continuing: opened.state).now()
  }

  func run(_ format: ReportFormat) async throws -> [String] {
    var report = RunReport(state: opened.state, pipeline: pipeline, in: opened.folder)
    report.isWorkedOn = opened.isWorkedOn
    var entries: [EntryForm] = []
    if let reason = opened.state.reason {
      entries.append(
        EntryForm {
          $0.name = "the run"
          $0.status = report.statusWord
          $0.waits_for = reason.message
          $0.since = opened.state.ended?.description
          $0.unblocked_by =
            opened.state.status == .finished
            ? "`\(opened.folder.command("retry"))`"
            : "fix the cause, then `\(opened.folder.command("resume"))`"
          $0.response = ResponseForm(reason)
        })
    }
    entries += active()
    var more = 0
    var causes: [CauseForm] = []
    var many: Set<Item.Status> = []
    for loop in pipeline.loops.indices {
      for status in [Item.Status.paused, .failed] {
        let count = opened.state.loops[loop].counts[status]
        // Those of one cause are a line, unless all can be listed.
        if count > limit {
          causes += try await CauseForm.all(in: opened.store, loop: loop, status)
          many.insert(status)
          more += count - limit
          if format == .text { continue }
        }
        entries += try await settled(loop, status)
      }
      if let entry = pending(loop) { entries.append(entry) }
    }
    let form = ExplainedRunForm {
      $0.run = opened.folder.id.rawValue
      $0.shard = report.shard?.description
      $0.status = report.statusWord
      $0.worked_on = opened.isWorkedOn
      $0.entries = entries
      $0.more = more
      $0.causes = causes
    }
    if format == .json { return [EncodedJSON.of(form)] }
    var lines = report.text
    if entries.isEmpty, causes.isEmpty { lines.append("nothing is waiting") }
    for entry in entries { lines += text(entry) }
    lines += causes.map(\.line)
    if !many.isEmpty {
      let folder = opened.folder
      lines.append(
        "    `\(ReportFormatting.listing(folder, Set(many.map(\.word))))` lists them; `\(folder.command("retry"))` tries them again"
      )
    }
    return lines
  }

  private func text(_ entry: EntryForm) -> [String] {
    var lines = [
      "\(entry.item.map { "\($0) " } ?? "")\(entry.name): \(entry.status): \(entry.waits_for)"
    ]
    if let since = entry.since { lines.append("    since \(since)") }
    lines += ReportFormatting.lines(entry.response, indent: "    ")
    lines.append("    unblocked by: \(entry.unblocked_by)")
    return lines
  }

  /// The window's items, each with the blocker that the machine itself names for its stored state.
  private func active() -> [EntryForm] {
    let stored = opened.isWorkedOn ? withSecrets(opened.state) : opened.state
    var machine = Machine(stored, evaluator: Evaluator(pipeline))
    _ = machine.apply(.runResumed, at: now)
    var entries: [EntryForm] = []
    for state in opened.state.loops {
      for ordinal in state.active.keys.sorted().prefix(limit) {
        guard let item = state.active[ordinal] else { continue }
        entries.append(entry(of: item, machine))
      }
    }
    return entries
  }

  private func entry(of item: Item, _ machine: Machine) -> EntryForm {
    let words = BlockerText(pipeline: pipeline)
    let isCancelling = opened.state.status == .cancelling
    // The machine tells what a new process would do; what is in flight in the process that works on the run
    // is in the state.
    let current = opened.isWorkedOn ? inFlight(item) : nil
    let blocker = current ?? machine.blockers[item.key] ?? .stopped
    var form = EntryForm {
      $0.item = item.key.description
      $0.name = ReportFormatting.label(item)
      $0.status = isCancelling ? "cancelling" : "active"
      $0.since = Self.since(item)
    }
    guard opened.isWorkedOn else {
      form.status = "interrupted"
      form.waits_for = "no process is working on it; next: \(words.short(blocker))\(turn(of: item))"
      form.unblocked_by = "`\(opened.folder.command(isCancelling ? "cancel" : "resume"))`"
      return form
    }
    if current == nil, let shortage = shortage(of: item) {
      (form.waits_for, form.unblocked_by) = shortage
      return form
    }
    (form.waits_for, form.unblocked_by) = words.long(
      blocker, of: opened.folder, at: now, standing: machine.queuedItems(with: item.key))
    form.waits_for += turn(of: item)
    let failure = failure(behind: blocker, of: item)
    if let failure { form.waits_for += ", after: \(failure.message)" }
    form.response = failure.flatMap(ResponseForm.init)
    return form
  }

  /// How far the turns or the parts of the item are, as in `, turn 3 of 'sent': offset 16777216`; empty if it is in none.
  private func turn(of item: Item) -> String {
    for (index, current) in zip(pipeline.loops[item.key.loop].steps, item.frame) {
      if let parts = current.parts {
        let active = parts.active.keys.sorted().map { String($0 + 1) }.joined(separator: ", ")
        let words = active.isEmpty ? "" : ", in progress: \(active)"
        return
          ", \(parts.done) of \(parts.count) parts of '\(pipeline.steps[index].id)' are done\(words)"
      }
      guard current.turn > 0, !current.isOver else { continue }
      let step = pipeline.steps[index]
      // Whole numbers measure progress; texts are long, and may be addresses that grant access.
      let values = zip(step.outputs, current.outputs).compactMap { output, known -> String? in
        guard case .int(let number)? = known.value, !output.isSecret else { return nil }
        return "\(output.name) \(number)"
      }
      let words = values.isEmpty ? "" : ": " + values.joined(separator: ", ")
      return ", turn \(current.turn) of '\(step.id)'\(words)"
    }
    return ""
  }

  /// What the machine that runs the process lacked when the item last tried, and what helps.
  private func shortage(of item: Item) -> (why: String, unblocks: String)? {
    let open = item.frame.first { $0.status != .succeeded && $0.status != .skipped }
    guard let open, let failure = open.failure, let resource = failure.lacking else { return nil }
    return (
      "\(ReportFormatting.shortageText(of: resource)), last tried at \(open.since): \(failure.message)",
      ReportFormatting.remedy(for: resource)
    )
  }

  private static func since(_ item: Item) -> String? {
    let moments = item.frame.map(\.since) + [item.abandoning?.since].compactMap { $0 }
    return moments.filter { $0 > Instant(milliseconds: 0) }.max()?.description
  }

  /// What is in flight for the item in the process that works on it, according to the state.
  private func inFlight(_ item: Item) -> Blocker? {
    if let abandoning = item.abandoning {
      if let notBefore = abandoning.notBefore, notBefore > now {
        return .compensation(until: notBefore)
      }
      return abandoning.since == nil ? nil : .compensation()
    }
    for (step, current) in zip(pipeline.loops[item.key.loop].steps, item.frame) {
      switch current.status {
      case .running:
        if let producer = renewedProducer(of: step) { return .renewal(step: step, on: producer) }
        return .attempt(step: step)
      case .probing: return .probe(step: step)
      case .pending, .queued, .unknown, .succeeded, .skipped:
        if let part = current.parts.flatMap({ inFlight($0, of: step) }) { return part }
      }
    }
    return nil
  }

  /// What is in flight for the first part that has something in flight.
  private func inFlight(_ parts: PartsState, of step: Int) -> Blocker? {
    for (_, frame) in parts.active.sorted(by: { $0.key < $1.key }) {
      for (step, current) in zip(pipeline.partSteps(of: step), frame) {
        switch current.status {
        case .running: return .attempt(step: step)
        case .probing: return .probe(step: step)
        case .pending, .queued, .unknown, .succeeded, .skipped: continue
        }
      }
    }
    return nil
  }

  /// The run-level step that is being reissued for a transfer in flight that may ask for a new request.
  private func renewedProducer(of step: Int) -> Int? {
    guard pipeline.steps[step].transfer?.renewals.isEmpty == false else { return nil }
    return pipeline.steps[step].uses.first { use in
      let producer = pipeline.steps[use.step]
      guard producer.loop == nil, opened.state.frame.indices.contains(producer.position) else {
        return false
      }
      let current = opened.state.frame[producer.position]
      return current.isInFlight || current.isInvalidated
    }?.step
  }

  /// The state as the process that works on the run sees it, as far as it is known: that process has the secrets that
  /// the store must not contain, and does not wait for them to be reissued.
  private func withSecrets(_ state: RunState) -> RunState {
    func complete(_ frame: inout Frame) {
      for step in frame.indices {
        frame[step].outputs = frame[step].outputs.map { output in
          guard output.isSecret, output.value == nil else { return output }
          return OutputValue(
            value: .string("***"), isSecret: true, expires: output.expires,
            staleFrom: output.staleFrom, slide: output.slide)
        }
        guard var parts = frame[step].parts else { continue }
        for number in parts.active.keys { complete(&parts.active[number, default: []]) }
        frame[step].parts = parts
      }
    }
    var state = state
    complete(&state.frame)
    for loop in state.loops.indices {
      for ordinal in state.loops[loop].active.keys {
        if var item = state.loops[loop].active[ordinal] {
          complete(&item.frame)
          state.loops[loop].active[ordinal] = item
        }
      }
    }
    return state
  }

  private func failure(behind blocker: Blocker, of item: Item) -> Failure? {
    if case .compensation = blocker { return item.abandoning?.failure }
    guard case .delay(let step, _) = blocker, pipeline.steps.indices.contains(step) else {
      return nil
    }
    let position = pipeline.steps[step].position
    return item.frame.indices.contains(position) ? item.frame[position].failure : nil
  }

  private func settled(_ loop: Int, _ status: Item.Status) async throws -> [EntryForm] {
    try await opened.store.items(loop: loop, status: status, after: -1, limit: limit).map { item in
      EntryForm {
        $0.item = item.key.description
        $0.name = ReportFormatting.label(item)
        $0.status = status.word
        $0.waits_for = item.reason?.message ?? "no reason is known"
        $0.since = Self.since(item)
        $0.unblocked_by = remedy(for: item)
        $0.left_at_server = item.isLeftAtServer ? true : nil
        $0.response = item.reason.flatMap(ResponseForm.init)
      }
    }
  }

  private func remedy(for item: Item) -> String {
    let folder = opened.folder
    if opened.state.status == .cancelled || opened.state.status == .cancelling {
      return item.isLeftAtServer
        ? "`\(folder.command("cancel"))`, which tries to undo it again"
        : "nothing: the run was cancelled"
    }
    // In a database, items are tried again all together.
    let items = folder.shard == nil ? [item.key.description] : []
    let retry = folder.command("retry", more: items)
    if case .file(let file) = item.subject, file.problem != nil {
      return "making it readable, then `\(retry)`"
    }
    switch ChangedFiles.change(of: item) {
    case .gone: return "restoring the original file, then `\(retry)`"
    case .changed(let file):
      if let later = SeriesRun(folder).flatMap({ $0.laterRun(with: file) }) {
        return "nothing: run '\(later)' of the same series took the file as it is now"
      }
      let accepting = folder.command("retry", more: items + ["--accept-changed-files"])
      return "`\(accepting)`, which accepts the file as it is now"
    case nil: return "`\(retry)`"
    }
  }

  private func pending(_ loop: Int) -> EntryForm? {
    let count = opened.state.loops[loop].counts[.pending]
    guard count > 0 else { return nil }
    let limit = pipeline.loops[loop].concurrency
    return EntryForm {
      $0.name = ReportFormatting.count(count, "item")
      $0.status = "pending"
      $0.waits_for =
        opened.isWorkedOn
        ? "all \(limit) concurrent items are busy" : "no process is working on the run"
      $0.since = opened.state.began.description
      $0.unblocked_by =
        opened.isWorkedOn ? "an item that ends" : "`\(opened.folder.command("resume"))`"
    }
  }

  // MARK: One item

  /// A step's status; a step to be reissued also states how its last attempt ended.
  private static func word(of state: StepState, in item: Item) -> String {
    guard state.status == .pending, state.attempt > 0, state.failure != nil else {
      return state.status.rawValue
    }
    switch item.status {
    case .failed: return "failed"
    case .paused: return "paused"
    case .active, .pending: return "to be repeated"
    case .done, .skipped, .cancelled: return "abandoned"
    }
  }

  func item(_ key: ItemKey, _ format: ReportFormat) async throws -> [String] {
    guard let item = try await opened.store.item(key) else {
      throw CommandFailure.invalid("run '\(opened.folder.id)' has no item \(key)")
    }
    let again = try await repeatReasons(of: key)
    let steps = zip(pipeline.loops[key.loop].steps, item.frame).map { step, state in
      StepForm {
        $0.step = pipeline.steps[step].id.rawValue
        $0.status = Self.word(of: state, in: item)
        $0.generation = state.generation
        $0.attempt = state.attempt
        $0.since = state.generation > 0 ? state.since.description : nil
        $0.reason = state.failure?.message
        $0.expires = state.outputs.compactMap(\.expires).min()?.description
        $0.response = state.failure.flatMap(ResponseForm.init)
        $0.again = again[pipeline.steps[step].id.rawValue]
      }
    }
    let form = ExplainedItemForm {
      $0.item = key.description
      $0.name = ReportFormatting.label(item)
      $0.status = item.status.word
      $0.reason = item.reason?.message
      $0.steps = steps
    }
    if format == .json { return [EncodedJSON.of(form)] }
    var lines = ["\(form.item) \(form.name): \(form.status)\(form.reason.map { ": \($0)" } ?? "")"]
    for step in form.steps {
      var line = "  \(step.step): \(step.status)"
      if step.generation > 0 { line += ", generation \(step.generation), attempt \(step.attempt)" }
      if let since = step.since { line += ", since \(since)" }
      if let expires = step.expires { line += ", valid until \(expires)" }
      if let again = step.again { line += ", again because \(again)" }
      if let reason = step.reason { line += ": \(reason)" }
      lines.append(line)
      lines += ReportFormatting.lines(step.response, indent: "    ")
    }
    return lines
  }
}
