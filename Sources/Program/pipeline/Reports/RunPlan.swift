/// The preview of a run: steps, scopes, dependencies, budgets, and the first item's requests without secrets.
struct RunPlan {
  let definition: Definition
  let resolved: InputResolver.Resolved
  /// The share of the items that the run would include; `nil` means all.
  var shard: Shard?
  /// Maximum number of items that the text lists; JSON lists all.
  var limit = RunPlan.usualLimit
  static let usualLimit = 20
  private var pipeline: Pipeline { definition.pipeline }

  /// The plan, and how many files that were named cannot be read.
  func render(_ format: ReportFormat) throws -> (lines: [String], unreadable: Int) {
    let (first, reports, owned, items) = try enumerate()
    let scope = scope(first)
    let steps = try describe(scope)
    let inputs = resolved.texts(of: pipeline)
    let audit = PipelineAudit(pipeline, used: Array(definition.used.keys))
    let form = PlanForm {
      $0.pipeline = pipeline.name
      $0.disk_budget = pipeline.budgets.diskBytes
      $0.transfers_budget = pipeline.budgets.transfers
      $0.bytes_per_second = pipeline.budgets.bytesPerSecond
      $0.rates = Dictionary(
        pipeline.budgets.rates.map { ($0.name, $0.words) }, uniquingKeysWith: { first, _ in first })
      $0.inputs = inputs
      $0.files = reports.mapValues(PlanFilesForm.init)
      $0.shard = shard?.description
      $0.shard_files = shard.map { _ in owned }
      $0.loops = pipeline.loops.map {
        "\($0.id.map { "\($0): " } ?? "")for_each \($0.variable) in \($0.items.compiled.source[...].trimmed), \($0.concurrency) at once"
      }
      $0.first_item = first?.label
      $0.items = items
      $0.steps = steps
      $0.audit = AuditForm(audit)
    }
    let unreadable = reports.values.reduce(0) { $0 + ($1.remarks[.unreadable]?.count ?? 0) }
    return (format == .json ? [EncodedJSON.of(form)] : text(form, audit, reports), unreadable)
  }

  private func text(
    _ form: PlanForm, _ audit: PipelineAudit, _ reports: [String: GlobReport]
  ) -> [String] {
    var lines = ["plan of pipeline '\(form.pipeline)'; nothing is sent"]
    for (name, value) in form.inputs.sorted(by: { $0.key < $1.key }) {
      lines.append("  input \(name) = \(value)")
      guard let report = reports[name] else { continue }
      lines.append("    \(FileRemarks.total(report))")
      lines += FileRemarks.lines(report, names: GlobReport.nameLimit).map { "    \($0.text)" }
      if let shard = form.shard, let count = form.shard_files?[name] {
        lines.append("    \(count) of them in shard \(shard)")
      }
    }
    let disk = form.disk_budget.map { ReportFormatting.bytes($0) } ?? "no limit"
    let transfers = form.transfers_budget.map { "\($0)" } ?? "no limit"
    lines.append("  budgets: disk \(disk), transfers \(transfers)")
    if let bytes = form.bytes_per_second {
      lines.append("  at most \(ReportFormatting.bytes(bytes)) per second")
    }
    lines += pipeline.budgets.rates.map { "  \($0.title): \($0.words)" }
    lines += form.loops.map { "  \($0)" }
    lines += audit.lines(inputs: form.inputs).map { "  \($0)" }
    if let first = form.first_item { lines.append("  first item: \(first)") }
    lines += list(form.items)
    for step in form.steps {
      lines.append("")
      let others =
        step.depends_on.isEmpty ? "" : ", after \(step.depends_on.joined(separator: ", "))"
      lines.append("\(step.id) (\(step.kind), \(step.scope)\(others))")
      if let request = step.request { lines.append("  \(request)") }
      lines += (step.headers ?? []).map { "  \($0)" }
      if let body = step.body { lines.append("  \(body)") }
      if let note = step.note { lines.append("  \(note)") }
    }
    return lines
  }

  private func list(_ items: [PlanItemForm]) -> [String] {
    guard !items.isEmpty, limit > 0 else { return [] }
    let shown = items.prefix(limit).map { "    \($0.path), \(ReportFormatting.bytes($0.bytes))" }
    let rest = items.count - shown.count
    return ["  would send \(ReportFormatting.count(items.count, "item"))"] + shown
      + (rest > 0 ? ["    and \(rest) more; --limit \(items.count) lists all"] : [])
  }

  /// All files of all inputs, which are counted, the first item, and how many files of each input the shard owns.
  private func enumerate() throws -> (
    first: Item.Subject?, reports: [String: GlobReport], owned: [String: Int],
    items: [PlanItemForm]
  ) {
    var reports: [String: GlobReport] = [:]
    var owned: [String: Int] = [:]
    var first: FileValue?
    var items: [PlanItemForm] = []
    for (input, sources) in resolved.files.sorted(by: { $0.key < $1.key }) {
      let isFirst = pipeline.loops.first?.filesInput == input
      // Of a list that an expression makes, such as groups, the elements are divided and not the files.
      let isLoop = pipeline.loops.contains { $0.filesInput == input }
      if isLoop { owned[input] = 0 }
      reports[input] = try sources.enumerate(of: input) { file in
        guard file.problem == nil, shard?.owns(.file(file)) != false else { return }
        owned[input]? += 1
        if isLoop {
          items.append(
            PlanItemForm {
              $0.path = file.relative
              $0.bytes = file.size
            })
        }
        if isFirst, first == nil { first = file }
      }
    }
    return (first.map(Item.Subject.file), reports, owned, items)
  }

  /// A scope in which every output has a placeholder value: its own name in angle brackets.
  private func scope(_ first: Item.Subject?) -> Scope {
    let secrets = resolved.secrets.mapValues { _ in Value.string("***") }
    var state = RunState(
      id: RunID("RUN"), pipeline: pipeline, inputs: resolved.values, secrets: secrets, seed: 0,
      began: Instant(milliseconds: 0))
    var item = Item(key: ItemKey(loop: 0, ordinal: 0), subject: first ?? .value(.string("<item>")))
    if let loop = pipeline.loops.first {
      item.frame = Frame(repeating: StepState(), count: loop.steps.count)
    }
    for step in pipeline.steps where step.partOf == nil {
      if step.loop == nil {
        state.frame[step.position] = Self.placeholder(step)
      } else if step.loop == 0 {
        item.frame[step.position] = Self.placeholder(step)
      }
    }
    return Scope(state, item: item, now: Instant(milliseconds: 0))
  }

  /// A step's state as if it had succeeded.
  private static func placeholder(_ step: Step) -> StepState {
    var made = StepState()
    made.status = .succeeded
    made.outputs = step.outputs.map {
      OutputValue(value: .string($0.isSecret ? "***" : "<\(step.id).\($0.name)>"))
    }
    if step.makesFile {
      made.file = FileValue(
        path: "<\(step.id).file>", name: "<\(step.id).file>", size: 0, modified: 0,
        digests: Dictionary(
          step.action.digests.map { ($0, "<\($0.rawValue)>") }, uniquingKeysWith: { $1 }))
    }
    return made
  }

  /// The scope of the first part, for a step of an inner loop; unchanged for any other.
  private func inFirstPart(_ scope: Scope, _ step: Step, _ evaluator: Evaluator) -> Scope {
    guard let outer = step.partOf, let key = scope.item,
      case .forEach(let template) = pipeline.steps[outer].action
    else { return scope }
    let list = (try? evaluator.value(template.items, scope))?.listValue
    return scope.of(
      key.part(0, of: outer, generation: 1), part: list?.first ?? .string("<\(template.variable)>"),
      pipeline.partSteps(of: outer).map { Self.placeholder(pipeline.steps[$0]) })
  }

  /// The steps, as far as the budget allows.
  private func describe(_ scope: Scope) throws -> [PlanStepForm] {
    let evaluator = Evaluator(pipeline)
    var budget = WorkBudget()
    return try pipeline.steps.map { step in
      let before = evaluator.cost
      let form = try describe(step, scope, evaluator)
      budget.spend(evaluator.cost - before)
      budget.spend((form.request?.utf8.count ?? 0) + (form.body?.utf8.count ?? 0), .bytes)
      if let excess = budget.excess {
        throw CommandFailure(
          .invalid, "planning this run would take \(excess) (too-costly)")
      }
      return form
    }
  }

  private func describe(
    _ step: Step, _ whole: Scope, _ evaluator: Evaluator
  ) throws(CommandFailure) -> PlanStepForm {
    let scope = inFirstPart(whole, step, evaluator)
    let names = step.uses.map { pipeline.steps[$0.step].id.rawValue }
    var unique: [String] = []
    for need in names where !unique.contains(need) { unique.append(need) }
    let part = step.partOf.flatMap(pipeline.partVariable).map { "for each \($0) of each " }
    let place =
      step.loop.map { (part ?? "for each ") + pipeline.loops[$0].variable } ?? "once per run"
    var form = PlanStepForm {
      $0.id = step.id.rawValue
      $0.scope = place
      $0.kind = step.kind.rawValue
      $0.depends_on = unique
    }
    guard step.loop == nil || step.loop == 0 else {
      form.note = "its items are known only after the steps before it"
      return form
    }
    try fill(&form, step, scope, evaluator)
    return form
  }

  private func fill(
    _ form: inout PlanStepForm, _ step: Step, _ scope: Scope, _ evaluator: Evaluator
  ) throws(CommandFailure) {
    do throws(EvaluationFailure) {
      if let condition = step.condition, try !evaluator.isTrue(condition, scope) {
        form.note = "skipped for this item: 'if' is false"
        return
      }
      if let request = step.action.request {
        try fill(&form, evaluator.render(request, scope, at: step.location))
      }
      if case .download(let template) = step.action,
        let save = try evaluator.plan(template, scope, at: step.location).save
      {
        form.note = "saves \(save.path)"
      }
      if case .upload(let template) = step.action {
        form.body = "body: \(try evaluator.file(template.file, scope).path)"
      } else if case .materialize(let template) = step.action {
        let id = EffectID(run: scope.run, item: scope.item, step: 0, generation: 1, attempt: 1)
        let plan = try evaluator.plan(template, scope, id: id)
        form.body = "file of \(ReportFormatting.bytes(plan.size))"
      }
    } catch  where error.isTooCostly {
      throw CommandFailure(.invalid, "step '\(step.id)': \(error.message) (too-costly)")
    } catch {
      form.note = "depends on a response: \(error.message)"
    }
  }

  private func fill(_ form: inout PlanStepForm, _ request: RenderedRequest) {
    form.request = "\(request.method) \(request.url)"
    form.headers = request.headers.map { header in
      let isSecret = request.secretHeaders.contains(header.name.lowercased())
      return "\(header.name): \(isSecret ? "***" : header.value)"
    }
    if let signing = request.signing {
      form.headers?.append("signed with \(signing.scheme.key) when it is sent")
    }
    if !request.body.isEmpty { form.body = String(decoding: request.body, as: UTF8.self) }
  }
}
