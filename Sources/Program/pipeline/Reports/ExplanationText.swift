/// What ``Explanation`` finds about a run or an item, for a terminal or as JSON.
struct ExplanationText {
  let opened: RunSnapshot
  let limit: Int

  private var explanation: Explanation {
    let series = SeriesRun(opened.folder)
    return Explanation(
      opened.reported, at: SteadyClock(continuing: opened.state).now(), limit: limit
    ) { item in
      switch ChangedFiles.change(of: item) {
      case .gone: .gone
      case .changed(let file): series?.laterRun(with: file).map { .passed(toRun: $0) } ?? .changed
      case nil: nil
      }
    }
  }

  func run(_ format: ReportFormat) async throws -> [String] {
    if format == .json { return [try await explanation.json()] }
    let form = try await explanation.form(listsMany: false)
    var lines = opened.reported.report.text
    if form.entries.isEmpty, form.causes.isEmpty { lines.append("nothing is waiting") }
    for entry in form.entries { lines += text(entry) }
    lines += form.causes.map(\.line)
    if !form.causes.isEmpty {
      let list = ReportFormatting.listing(opened.folder, Set(form.causes.map(\.status)))
      let retry = opened.folder.command("retry")
      lines.append("    `\(list)` lists them; `\(retry)` tries them again")
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

  func item(_ key: ItemKey, _ format: ReportFormat) async throws -> [String] {
    guard let form = try await explanation.form(of: key) else {
      throw CommandFailure.invalid("run '\(opened.folder.id)' has no item \(key)")
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

extension CauseForm {
  var line: String {
    items == 1
      ? "\(first) \(name): \(status): \(reason)"
      : "\(items) × \(status): \(reason); the first is \(first) \(name)"
  }
}
