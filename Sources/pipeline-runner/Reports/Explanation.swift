import CEL
import PipelineCommands
import PipelineCore
import PipelineEngine
import PipelineFiles
import PipelineSQLite

/// Names for everything that waits the blocker, since when, and what would unblock it.
struct Explanation {
  let opened: RunView.Opened
  let limit: Int

  private var pipeline: Pipeline { opened.pipeline }
  private let now: Instant

  init(opened: RunView.Opened, limit: Int) {
    self.opened = opened
    self.limit = limit
    now = SteadyClock(continuing: opened.state).now()
  }

  private struct Entry: Encodable {
    let item: String?
    let name: String
    let status: String
    let waits_for: String
    let since: String?
    let unblocked_by: String
  }

  private struct Form: Encodable {
    let run: String
    let status: String
    let worked_on: Bool
    let entries: [Entry]
    let more: Int
  }

  /// What the whole run waits for.
  func run(_ format: ReportFormat) async throws -> String {
    var report = RunReport(state: opened.state, pipeline: pipeline)
    report.isWorkedOn = opened.isWorkedOn
    var entries: [Entry] = []
    if let reason = opened.state.reason {
      entries.append(
        Entry(
          item: nil, name: "the run", status: report.statusWord, waits_for: reason.message,
          since: opened.state.ended?.description,
          unblocked_by: opened.state.status == .finished
            ? "`pipeline retry \(opened.folder.id)`"
            : "mend the cause, then `pipeline resume \(opened.folder.id)`"))
    }
    entries += active()
    var more = 0
    for loop in pipeline.loops.indices {
      for status in [Item.Status.paused, .failed] {
        entries += try await settled(loop, status)
        more += max(opened.state.loops[loop].counts[status] - limit, 0)
      }
      if let entry = pending(loop) { entries.append(entry) }
    }
    let form = Form(
      run: opened.folder.id.rawValue, status: report.statusWord, worked_on: opened.isWorkedOn,
      entries: entries, more: more)
    if format == .json { return JSONText.of(form) }
    var lines = [report.text]
    if entries.isEmpty { lines.append("nothing waits") }
    for entry in entries { lines += text(entry) }
    if more > 0 { lines.append("and \(more) more; --limit shows them") }
    return lines.joined(separator: "\n")
  }

  private func text(_ entry: Entry) -> [String] {
    var lines = [
      "\(entry.item.map { "\($0) " } ?? "")\(entry.name): \(entry.status): \(entry.waits_for)"
    ]
    if let since = entry.since { lines.append("    since \(since)") }
    lines.append("    unblocked by: \(entry.unblocked_by)")
    return lines
  }

  /// The window's items, each with the blocker that the machine itself names for the state that is
  /// stored.
  private func active() -> [Entry] {
    let stored = opened.isWorkedOn ? withSecrets(opened.state) : opened.state
    var machine = Machine(stored, evaluator: Evaluator(pipeline))
    _ = machine.apply(.runResumed, at: now)
    let words = BlockerText(pipeline: pipeline)
    var entries: [Entry] = []
    for (loop, state) in opened.state.loops.enumerated() {
      for ordinal in state.active.keys.sorted().prefix(limit) {
        let key = ItemKey(loop: loop, ordinal: ordinal)
        guard let item = state.active[ordinal] else { continue }
        let blocker = machine.blockers[key] ?? .stopped
        var (why, unblocks) = words.long(
          blocker, at: now, standing: machine.standing(with: key))
        if let failure = failure(behind: blocker, of: item) { why += ", after: \(failure)" }
        let since = item.frame.map(\.since).max()
        let resume = "`pipeline resume \(opened.folder.id)`"
        entries.append(
          Entry(
            item: key.description, name: Words.label(item),
            status: opened.isWorkedOn ? "active" : "interrupted",
            waits_for: opened.isWorkedOn
              ? why : "no process works on it; next: \(words.short(blocker))",
            since: since?.description, unblocked_by: opened.isWorkedOn ? unblocks : resume))
      }
    }
    return entries
  }

  /// The state as the process that works on the run has it, as far as can be known: it holds the secrets that the store
  /// must not, and does not wait for them to be made anew.
  private func withSecrets(_ state: RunState) -> RunState {
    func complete(_ frame: inout Frame) {
      for step in frame.indices {
        frame[step].outputs = frame[step].outputs.map { output in
          guard output.isSecret, output.value == nil else { return output }
          return OutputValue(
            value: .string("***"), isSecret: true, expires: output.expires,
            staleFrom: output.staleFrom)
        }
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

  /// What made an item wait for the time to pass.
  private func failure(behind blocker: Blocker, of item: Item) -> String? {
    guard case .delay(let step, _) = blocker, pipeline.steps.indices.contains(step) else {
      return nil
    }
    let position = pipeline.steps[step].position
    return item.frame.indices.contains(position) ? item.frame[position].failure?.message : nil
  }

  private func settled(_ loop: Int, _ status: Item.Status) async throws -> [Entry] {
    try await opened.store.items(loop: loop, status: status, after: -1, limit: limit).map { item in
      Entry(
        item: item.key.description, name: Words.label(item), status: Words.status(status),
        waits_for: item.reason?.message ?? "no reason is known",
        since: item.frame.map(\.since).max()?.description,
        unblocked_by: "`pipeline retry \(opened.folder.id) \(item.key)`")
    }
  }

  private func pending(_ loop: Int) -> Entry? {
    let count = opened.state.loops[loop].counts[.pending]
    guard count > 0 else { return nil }
    let limit = pipeline.loops[loop].concurrency
    return Entry(
      item: nil, name: Words.count(count, "item"), status: "pending",
      waits_for: opened.isWorkedOn
        ? "all \(limit) places among the concurrent items are taken"
        : "no process works on the run",
      since: opened.state.began.description,
      unblocked_by: opened.isWorkedOn
        ? "items that end" : "`pipeline resume \(opened.folder.id)`")
  }

  // MARK: One item

  private struct StepForm: Encodable {
    let step: String
    let status: String
    let generation: Int
    let attempt: Int
    let since: String?
    let failure: String?
    let expires: String?
  }

  private struct ItemForm: Encodable {
    let item: String
    let name: String
    let status: String
    let reason: String?
    let steps: [StepForm]
  }

  /// One item and each of its steps.
  func item(_ key: ItemKey, _ format: ReportFormat) async throws -> String {
    guard let item = try await opened.store.item(key) else {
      throw CommandFailure(.invalid, "run '\(opened.folder.id)' has no item \(key)")
    }
    let steps = zip(pipeline.loops[key.loop].steps, item.frame).map { step, state in
      StepForm(
        step: pipeline.steps[step].id.rawValue, status: state.status.rawValue,
        generation: state.generation, attempt: state.attempt,
        since: state.generation > 0 ? state.since.description : nil,
        failure: state.failure?.message,
        expires: state.outputs.compactMap(\.expires).min()?.description)
    }
    let form = ItemForm(
      item: key.description, name: Words.label(item), status: Words.status(item.status),
      reason: item.reason?.message, steps: steps)
    if format == .json { return JSONText.of(form) }
    var lines = ["\(form.item) \(form.name): \(form.status)\(form.reason.map { ": \($0)" } ?? "")"]
    for step in form.steps {
      var line = "  \(step.step): \(step.status)"
      if step.generation > 0 { line += ", generation \(step.generation), attempt \(step.attempt)" }
      if let since = step.since { line += ", since \(since)" }
      if let expires = step.expires { line += ", alive until \(expires)" }
      if let failure = step.failure { line += ": \(failure)" }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }
}
