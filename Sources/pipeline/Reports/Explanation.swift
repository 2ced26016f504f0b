import CEL
import PipelineCommands
import PipelineCore
import PipelineEngine
import PipelineFiles

/// States for everything that waits: its blocker, since when, and what would unblock it.
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
    var left_at_server: Bool?
    var response: ResponseReport?
  }

  private struct JSONReport: Encodable {
    let run: String
    let shard: String?
    let status: String
    let worked_on: Bool
    let entries: [Entry]
    let more: Int
    let causes: [CauseReport]
  }

  /// What the whole run waits for.
  func run(_ format: ReportFormat) async throws -> [String] {
    var report = RunReport(state: opened.state, pipeline: pipeline, in: opened.folder)
    report.isWorkedOn = opened.isWorkedOn
    var entries: [Entry] = []
    if let reason = opened.state.reason {
      entries.append(
        Entry(
          item: nil, name: "the run", status: report.statusWord, waits_for: reason.message,
          since: opened.state.ended?.description,
          unblocked_by: opened.state.status == .finished
            ? "`\(opened.folder.command("retry"))`"
            : "fix the cause, then `\(opened.folder.command("resume"))`",
          response: ResponseReport(reason)))
    }
    entries += active()
    var more = 0
    var causes: [CauseReport] = []
    var many: Set<Item.Status> = []
    for loop in pipeline.loops.indices {
      for status in [Item.Status.paused, .failed] {
        let count = opened.state.loops[loop].counts[status]
        // Those of one cause are a line, unless all can be listed.
        if count > limit {
          causes += try await CauseReport.all(in: opened.store, loop: loop, status)
          many.insert(status)
          more += count - limit
          if format == .text { continue }
        }
        entries += try await settled(loop, status)
      }
      if let entry = pending(loop) { entries.append(entry) }
    }
    let form = JSONReport(
      run: opened.folder.id.rawValue, shard: report.shard?.description,
      status: report.statusWord, worked_on: opened.isWorkedOn,
      entries: entries, more: more, causes: causes)
    if format == .json { return [EncodedJSON.of(form)] }
    var lines = report.text
    if entries.isEmpty, causes.isEmpty { lines.append("nothing is waiting") }
    for entry in entries { lines += text(entry) }
    lines += causes.map(\.line)
    if !many.isEmpty {
      let folder = opened.folder
      lines.append(
        "    `\(ReportFormatting.listing(folder, Set(many.map(ReportFormatting.status))))` lists them; `\(folder.command("retry"))` tries them again"
      )
    }
    return lines
  }

  private func text(_ entry: Entry) -> [String] {
    var lines = [
      "\(entry.item.map { "\($0) " } ?? "")\(entry.name): \(entry.status): \(entry.waits_for)"
    ]
    if let since = entry.since { lines.append("    since \(since)") }
    lines += ReportFormatting.lines(entry.response, indent: "    ")
    lines.append("    unblocked by: \(entry.unblocked_by)")
    return lines
  }

  /// The window's items, each with the blocker that the machine itself names for its stored
  /// state.
  private func active() -> [Entry] {
    let stored = opened.isWorkedOn ? withSecrets(opened.state) : opened.state
    var machine = Machine(stored, evaluator: Evaluator(pipeline))
    _ = machine.apply(.runResumed, at: now)
    var entries: [Entry] = []
    for state in opened.state.loops {
      for ordinal in state.active.keys.sorted().prefix(limit) {
        guard let item = state.active[ordinal] else { continue }
        entries.append(entry(of: item, machine))
      }
    }
    return entries
  }

  private func entry(of item: Item, _ machine: Machine) -> Entry {
    let words = BlockerText(pipeline: pipeline)
    let key = item.key
    let status = opened.state.status == .cancelling ? "cancelling" : "active"
    // The machine tells what a new process would do; what is in flight in the process that works on the run
    // is in the state.
    let current = opened.isWorkedOn ? inFlight(item) : nil
    let blocker = current ?? machine.blockers[key] ?? .stopped
    guard opened.isWorkedOn else {
      let verb = opened.state.status == .cancelling ? "cancel" : "resume"
      return Entry(
        item: key.description, name: ReportFormatting.label(item), status: "interrupted",
        waits_for: "no process is working on it; next: \(words.short(blocker))\(turn(of: item))",
        since: Self.since(item),
        unblocked_by: "`\(opened.folder.command(verb))`")
    }
    if current == nil, let (why, unblocks) = shortage(of: item) {
      return Entry(
        item: key.description, name: ReportFormatting.label(item), status: status, waits_for: why,
        since: Self.since(item), unblocked_by: unblocks)
    }
    var (why, unblocks) = words.long(
      blocker, of: opened.folder, at: now, standing: machine.queuedItems(with: key))
    why += turn(of: item)
    let failure = failure(behind: blocker, of: item)
    if let failure { why += ", after: \(failure.message)" }
    return Entry(
      item: key.description, name: ReportFormatting.label(item), status: status, waits_for: why,
      since: Self.since(item), unblocked_by: unblocks,
      response: failure.flatMap(ResponseReport.init))
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

  /// When something last happened to the item; `nil` if nothing has.
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

  /// The failure that an item waits after.
  private func failure(behind blocker: Blocker, of item: Item) -> Failure? {
    if case .compensation = blocker { return item.abandoning?.failure }
    guard case .delay(let step, _) = blocker, pipeline.steps.indices.contains(step) else {
      return nil
    }
    let position = pipeline.steps[step].position
    return item.frame.indices.contains(position) ? item.frame[position].failure : nil
  }

  private func settled(_ loop: Int, _ status: Item.Status) async throws -> [Entry] {
    try await opened.store.items(loop: loop, status: status, after: -1, limit: limit).map { item in
      Entry(
        item: item.key.description, name: ReportFormatting.label(item),
        status: ReportFormatting.status(status),
        waits_for: item.reason?.message ?? "no reason is known", since: Self.since(item),
        unblocked_by: remedy(for: item), left_at_server: item.isLeftAtServer ? true : nil,
        response: item.reason.flatMap(ResponseReport.init))
    }
  }

  /// What makes a paused or failed item continue.
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

  private func pending(_ loop: Int) -> Entry? {
    let count = opened.state.loops[loop].counts[.pending]
    guard count > 0 else { return nil }
    let limit = pipeline.loops[loop].concurrency
    return Entry(
      item: nil, name: ReportFormatting.count(count, "item"), status: "pending",
      waits_for: opened.isWorkedOn
        ? "all \(limit) concurrent items are busy"
        : "no process is working on the run",
      since: opened.state.began.description,
      unblocked_by: opened.isWorkedOn
        ? "an item that ends" : "`\(opened.folder.command("resume"))`")
  }

  // MARK: One item

  private struct StepReport: Encodable {
    let step: String
    let status: String
    let generation: Int
    let attempt: Int
    let since: String?
    let reason: String?
    let expires: String?
    let response: ResponseReport?
    let again: String?
  }

  private struct ItemReport: Encodable {
    let item: String
    let name: String
    let status: String
    let reason: String?
    let steps: [StepReport]
  }

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

  /// One item and each of its steps.
  func item(_ key: ItemKey, _ format: ReportFormat) async throws -> [String] {
    guard let item = try await opened.store.item(key) else {
      throw CommandFailure(.invalid, "run '\(opened.folder.id)' has no item \(key)")
    }
    let again = try await repeatReasons(of: key)
    let steps = zip(pipeline.loops[key.loop].steps, item.frame).map { step, state in
      StepReport(
        step: pipeline.steps[step].id.rawValue, status: Self.word(of: state, in: item),
        generation: state.generation, attempt: state.attempt,
        since: state.generation > 0 ? state.since.description : nil,
        reason: state.failure?.message,
        expires: state.outputs.compactMap(\.expires).min()?.description,
        response: state.failure.flatMap(ResponseReport.init),
        again: again[pipeline.steps[step].id.rawValue])
    }
    let form = ItemReport(
      item: key.description, name: ReportFormatting.label(item),
      status: ReportFormatting.status(item.status),
      reason: item.reason?.message, steps: steps)
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
