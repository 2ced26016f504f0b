/// Creates a new run: its name, its values, and its items as they are now.
struct RunCreation {
  let definition: Definition
  let resolved: InputResolver.Resolved
  let id: RunID
  /// The share of the items that the run includes; `nil` means all.
  var shard: Shard?
  /// Counts hidden files and folders that were skipped.
  var hidden = Locked(0)
  /// Whether only warnings are printed.
  var isQuiet = false
  /// Inputs whose left-out files were reported.
  private let remarked = Locked(Set<String>())

  /// `photos-20260314-101502-k3f9`: shows what and when, and sorts by time.
  ///
  /// The last part is the millisecond as two base-36 digits, so that runs of one second sort too, and two random digits.
  /// It is short so that it can be typed; what makes a run's keys unique is ``/PipelineCore/RunState/keySeed``.
  static func name(_ pipeline: String) -> RunID {
    let now = Instant.wallClock.milliseconds
    let time = CivilTime(secondsSince1970: now / 1000)
    let parts = [time.date.month, time.date.day, time.hour, time.minute, time.second]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }
    let last = digits(Int(now % 1000)) + digits(Int.random(in: 0..<1296))
    return RunID(
      "\(pipeline)-\(time.date.year)\(parts[0])\(parts[1])-\(parts[2...].joined())-\(last)")
  }

  private static func digits(_ number: Int) -> String {
    let text = String(number, radix: 36)
    return text.count < 2 ? "0" + text : text
  }

  /// Most files of a `files` input in a list for an expression; a loop over the input itself has no limit.
  static let listLimit = 100_000

  func create(in store: any CheckpointStore, now: Instant) async throws -> RunState {
    let state = state(id, shard, try values(), now)
    return try await store.create(state, items: try loops(state, now))
  }

  /// The values of all inputs that are not secret, with the lists of files that expressions read as a whole.
  func values() throws -> [String: Value] {
    var values = resolved.values
    for (name, sources) in resolved.files where definition.pipeline.readsWhole(input: name) {
      values[name] = .list(try list(name, sources))
    }
    return values
  }

  /// The state with which the run, or one of its shards, starts.
  func state(_ id: RunID, _ shard: Shard?, _ values: [String: Value], _ now: Instant) -> RunState {
    RunState(
      id: id, pipeline: definition.pipeline, inputs: values, secrets: resolved.secrets,
      seed: UInt64.random(in: .min ... .max), began: now, keySeed: RunState.randomKeySeed(),
      shard: shard)
  }

  /// The items of the loops over files that are those of ``shard``.
  func loops(_ state: RunState, _ now: Instant) throws -> [EnumeratedLoop] {
    let pipeline = definition.pipeline
    let scope = Scope(state, item: nil, now: now)
    return try pipeline.loops.enumerated().compactMap { index, loop -> EnumeratedLoop? in
      guard let input = loop.filesInput, let sources = resolved.files[input] else { return nil }
      let hasItems = try Evaluator(pipeline).hasItems(index, scope)
      return EnumeratedLoop(loop: index) { yield in
        guard hasItems else { return }
        do {
          try enumerate(input, sources) { file in
            let subject = Item.Subject.file(file)
            if shard?.owns(subject) != false { try yield(subject) }
          }
        } catch let failure as CommandFailure {
          throw StoreFailure(.enumeration, message: failure.message ?? "")
        }
      }
    }
  }

  private func list(_ name: String, _ sources: FileSources) throws -> [Value] {
    var files: [Value] = []
    let isLooped = definition.pipeline.loops.contains { $0.filesInput == name }
    try enumerate(name, sources) { file in
      if let problem = file.problem {
        // The loop over the input has it as an item that fails; a list by itself would be incomplete.
        if isLooped { return }
        throw CommandFailure.invalid(
          "input '\(name)': \(file.relative): \(problem); --exclude leaves it out")
      }
      guard files.count < Self.listLimit else {
        throw CommandFailure.invalid(
          "it matches more than \(Self.listLimit) files, too many for a list in an "
            + "expression; loop over 'inputs.\(name)' itself")
      }
      files.append(file.value)
    }
    return files
  }

  private func enumerate(
    _ name: String, _ sources: FileSources, _ visit: (FileValue) throws -> Void
  ) throws {
    let report = try sources.enumerate(of: name, visit)
    // An input that is read as a whole and by a loop is enumerated twice.
    if remarked.withLock({ $0.insert(name).inserted }) {
      let skipped = report.remarks[.hidden]?.count ?? 0
      hidden.withLock { $0 += skipped }
      for line in FileRemarks.lines(report) where line.isWarning || !isQuiet {
        Terminal.error(
          "pipeline: \(line.isWarning ? "warning" : "note"): input '\(name)': \(line.text)")
      }
    }
  }
}

extension Pipeline {
  /// Whether some expression needs all files of the input at once, not one by one as a loop does.
  func readsWhole(input: String) -> Bool {
    let name = "inputs.\(input)"
    return allExpressions.contains { expression in
      expression.compiled.references.contains { $0.variable == name }
    }
  }

  /// Every expression, except the lists of loops that read a `files` input one by one.
  private var allExpressions: [PipelineCore.Expression] {
    loops.filter { $0.filesInput == nil }.map(\.items) + loops.compactMap(\.condition)
      + loops.flatMap { $0.onAbandon.flatMap { $0.request.expressions } }
      + steps.flatMap(\.expressions)
  }
}

/// A value that several closures change.
final class Locked<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  func withLock<Result: Sendable>(_ body: (inout sending Value) -> sending Result) -> Result {
    value.withLock(body)
  }
}
