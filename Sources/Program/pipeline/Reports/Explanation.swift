/// States for everything that waits: its blocker, since when, and what would unblock it.
struct Explanation {
  let opened: RunSnapshot
  let limit: Int
  private var pipeline: Pipeline { opened.pipeline }
  private let now: Instant

  init(opened: RunSnapshot, limit: Int) {
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
          // What the user asked for has no cause.
          let isFailure = reason.status != nil || reason.message.hasPrefix("step '")
          $0.unblocked_by = (isFailure ? "fix the cause, then " : "") + report.continuing
          $0.response = ResponseForm(reason)
        })
    }
    var more = 0
    let waits = waiting(&more)
    entries += waits.filter { !$0.isPending }.map(entry)
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
    }
    entries += waits.filter(\.isPending).map(entry)
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

  private func entry(of wait: WaitText) -> EntryForm {
    let isCancelling = opened.state.status == .cancelling
    return wait.entry(
      at: now, isCancelling: isCancelling,
      idle: opened.isWorkedOn ? nil : idle(isCancelling ? "cancel" : "resume"))
  }

  /// Why nothing works on the run, and the command or the worker that would.
  private func idle(_ verb: String) -> (why: String, end: String) {
    let folder = opened.folder
    guard let shard = folder.shard, opened.state.status == .running, !shard.isPaused,
      shard.trouble == nil
    else { return ("no process is working on it", "`\(folder.command(verb))`") }
    return shard.waitsForLead
      ? ("the run's lead must reach its items first", "the lead, for a reason of its own")
      : ("no worker is working on it", "`\(shard.database.command(["work"]))`")
  }

  /// What waits, of each loop at most ``limit`` items with their parts; adds those that are left out to `more`.
  private func waiting(_ more: inout Int) -> [WaitText] {
    var hidden: Set<ItemKey> = []
    for active in opened.state.loops.map(\.active.values) {
      hidden.formUnion(active.map(\.key).sorted().dropFirst(limit))
    }
    more += hidden.count
    return opened.waits(at: now).filter { text in
      if case .item(let key) = text.wait.subject { !hidden.contains(key.whole) } else { true }
    }
  }

  private static func since(_ item: Item) -> String? {
    let moments = item.frame.map(\.since) + [item.abandoning?.since].compactMap { $0 }
    return moments.filter { $0 > Instant(milliseconds: 0) }.max()?.description
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
      return "correcting that, then `\(retry)`"
    }
    switch ChangedFiles.change(of: item) {
    case .gone: return "restoring the original file, then `\(retry)`"
    case .changed(let file):
      if let later = SeriesRun(folder).flatMap({ $0.laterRun(with: file) }) {
        return "nothing: run '\(later)' of the same series includes the current file"
      }
      let accepting = folder.command("retry", more: items + ["--accept-changed-files"])
      return "`\(accepting)`, which accepts the file as it is now"
    case nil: return "`\(retry)`"
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
    let waits = opened.waits(at: now).filter { text in
      switch text.wait.subject {
      case .item(let other): other.whole == key
      case .pending(key.loop, _): item.status == .pending
      case .run, .step, .pending: false
      }
    }
    let form = ExplainedItemForm {
      $0.item = key.description
      $0.name = ReportFormatting.label(item)
      $0.status = item.status.word
      $0.reason = item.reason?.message
      $0.steps = steps
      $0.waits = waits.map(entry)
    }
    if format == .json { return [EncodedJSON.of(form)] }
    var lines = ["\(form.item) \(form.name): \(form.status)\(form.reason.map { ": \($0)" } ?? "")"]
    for wait in form.waits {
      lines.append("  \(wait.name == form.name ? "" : "\(wait.name) ")waits: \(wait.waits_for)")
      lines.append("    unblocked by: \(wait.unblocked_by)")
    }
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
