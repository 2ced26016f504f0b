import PipelineView

/// The runs in a state folder, for the page that `pipeline view` serves.
struct RunPages: PageSource {
  let state: StateFolder

  func runs() async throws -> String {
    let now = Instant.wallClock
    return EncodedJSON.of(await KnownRun.all(state).map { ListedRunForm($0, at: now) })
  }

  func run(_ id: String) async throws -> String {
    try await reading(id) { opened in
      let explanation = try await ExplanationText(opened: opened, limit: 20).run(.json)
      let steps = EncodedJSON.of(
        opened.pipeline.steps.indices.map { PageStep($0, opened.pipeline) })
      let status = await opened.report().json()
      return #"{"status":\#(status),"explain":\#(explanation.joined()),"steps":\#(steps)}"#
    }
  }

  func items(of run: String, _ query: ItemQuery) async throws -> String {
    try await reading(run) { opened in
      let statuses = Set(Item.Status.allCases.filter { query.statuses.contains($0.word) })
      let after = query.after.flatMap { ItemKey($0) }
      let words = query.match?.lowercased()
      var rows: [ItemForm] = []
      // An index finds the items of one state; of several, all are read.
      let status = statuses.count == 1 ? statuses.first : nil
      for loop in opened.pipeline.loops.indices where loop >= after?.loop ?? 0 {
        var ordinal = loop == after?.loop ? after?.ordinal ?? -1 : -1
        while rows.count < query.limit {
          let page = try await opened.store.items(
            loop: loop, status: status, after: ordinal, limit: ItemQuery.maximum)
          guard let last = page.last else { break }
          ordinal = last.key.ordinal
          let found = page.filter { item in
            (statuses.isEmpty || statuses.contains(item.status))
              && words.map { item.subject.place.lowercased().contains($0) } ?? true
          }
          rows += found.prefix(query.limit - rows.count).map { item in
            // The history, which has attempts, times and outputs, is not read for a list.
            var row = ItemForm(item, ItemRecords.Record(), opened.pipeline)
            row.outputs = [:]
            return row
          }
        }
      }
      return EncodedJSON.of(rows)
    }
  }

  func history(of run: String, _ query: HistoryQuery) async throws -> String {
    try await reading(run) { opened in
      let key = try query.item.map { text in
        guard let key = ItemKey(text) else { throw PageError(.badRequest, "'\(text)' is not the key of an item") }
        return key
      }
      let record = HistoryRecord(opened.pipeline)
      var reasons = RepeatReasons(opened.pipeline)
      var lines: [String] = []
      try await opened.store.eachBatch(after: query.after) { batch in
        lines += record.lines(reasons.annotated(batch), only: key)
        if key == nil { lines.removeFirst(max(lines.count - HistoryQuery.maximum, 0)) }
      }
      return lines.map { $0 + "\n" }.joined()
    }
  }

  /// Runs the command that the user would type, so that both do the same.
  func perform(_ action: PageAction, on run: String) async throws(PageError) -> String {
    let folder: RunFolder
    do { folder = try state.find(run) } catch { throw PageError(.notFound, error.message ?? "") }
    var arguments: [String]
    switch action {
    case .pause: arguments = ["pause", folder.id.rawValue]
    case .resume: arguments = ["resume", folder.id.rawValue, "--detach"]
    case .cancel: arguments = ["cancel", folder.id.rawValue, "--detach"]
    case .retry(let items, let cause):
      arguments = ["retry", folder.id.rawValue, "--detach"] + items
      if let cause { arguments += ["--cause=\(cause)"] }
    }
    do {
      let (status, text) = try await Self.output(of: arguments + ["--state", state.path])
      guard status == 0 else { throw PageError(.conflict, text) }
      return text
    } catch let error as PageError { throw error } catch {
      throw PageError(.internalServerError, "\(error)")
    }
  }

  func versions() async -> [String: String] {
    var versions: [String: String] = [:]
    for folder in state.folders() {
      let files = ["/run.sqlite", "/run.sqlite-wal", "/progress.json"].map { name in
        var entry = stat()
        guard lstat(folder.path + name, &entry) == 0 else { return "" }
        return "\(entry.st_size) \(entry.st_mtim.tv_sec) \(entry.st_mtim.tv_nsec)"
      }
      versions[folder.id.rawValue] = files.joined(separator: ",") + "\(RunLock.isHeld(folder))"
    }
    return versions
  }

  private func reading(
    _ run: String, _ body: (RunSnapshot) async throws -> String
  ) async throws -> String {
    let folder: RunFolder
    do { folder = try state.find(run) } catch { throw PageError(.notFound, error.message ?? "") }
    let opened: RunSnapshot
    do { opened = try await RunSnapshot.open(folder) } catch let failure as CommandFailure {
      throw PageError(.serviceUnavailable, failure.message ?? "the run cannot be read")
    }
    let result = await Result { try await body(opened) }
    await opened.store.close()
    return try result.get()
  }
}

extension RunPages {
  /// How long a command may take before the page reports that.
  private static let patience = Duration.seconds(60)

  /// The status of the program with other arguments, and what it prints.
  private static func output(of arguments: [String]) async throws -> (status: Int32, text: String) {
    guard let output = tmpfile(), let input = fopen("/dev/null", "r") else {
      throw PageError(.internalServerError, FileContents.reason(errno))
    }
    defer {
      fclose(output)
      fclose(input)
    }
    let process = try ChildProcess(
      [FileContents.program ?? CommandLine.arguments[0]] + arguments,
      environment: ProcessInfo.processInfo.environment, input: fileno(input), output: fileno(output)
    )
    guard let status = try await process.status(within: patience) else {
      throw PageError(.gatewayTimeout, "the command has not ended in a minute")
    }
    let text = try FileContents.bytes("/dev/fd/\(fileno(output))")
    return ((status >> 8) & 0xff, String(decoding: text, as: UTF8.self)[...].trimmed.description)
  }
}

/// A step as the page draws it.
struct PageStep: Encodable {
  let id, kind: String
  /// The number of its loop; `nil` for a step of the run.
  let loop: Int?
  /// The step whose parts, or whose turns, it belongs to.
  let part_of, turn_of: String?
  /// The steps whose results it reads.
  let needs: [String]

  init(_ index: Int, _ pipeline: Pipeline) {
    let step = pipeline.steps[index]
    func name(_ index: Int) -> String { pipeline.steps[index].id.rawValue }
    (id, kind, loop) = (step.id.rawValue, step.kind.rawValue, step.loop)
    (part_of, turn_of) = (step.partOf.map(name), step.turnOf.map(name))
    needs = Set(step.uses.map(\.step)).sorted().map(name)
  }
}
