/// Replaces steps that use files with the steps of those files.
///
/// By then every file has been checked as a pipeline by itself. Its expressions are compiled again, with the values from
/// the using file for its inputs, so that a run sees one flat list of steps whose IDs show where they come from:
/// `session.sign_in`.
struct PipelineLinker {
  private let values = StepNumbering.Values()
  private var nodes: [Pipeline.Node] = []
  /// Those that are not made yet are `nil`.
  private var steps: [Step?] = []
  private var loops: [Loop] = []
  private var draftLoops: [DraftLoop?] = []
  private var examples = ServerExamples()
  private var budgets: [Budgets] = []
  private var runPosition = 0
  private var uses = 0
  /// Where what exceeds the budget is reported.
  private let collector: DiagnosticCollector
  /// Whether uploads of ranges become uploads of copies.
  private let copiesRanges: Bool

  package static func link(
    _ draft: DraftPipeline, _ reader: DocumentReader, copiesRanges: Bool
  ) -> LinkedPipeline? {
    var linker = PipelineLinker(collector: reader.collector, copiesRanges: copiesRanges)
    var visibility = Visibility(Variables.base)
    for input in draft.inputs {
      visibility.declare("inputs.\(input.name.value)", as: Variables.type(of: input.kind))
    }
    let file = File(draft, reader.document, reader.collector, prefix: "", linker.values)
    guard linker.add(file, &visibility, condition: nil), let name = draft.name else {
      if !reader.collector.hasErrors {
        reader.collector.report(
          .brokenUse, "the used files do not fit together",
          at: draft.name?.range ?? reader.range(draft.root))
      }
      return nil
    }
    linker.examples.add(file.expressions.examples)
    let pipeline = Pipeline(
      name: name.value, description: draft.description,
      inputs: draft.inputs.compactMap { $0.declaration(reader.collector) },
      budgets: draft.budgets.with(ratesOf: linker.budgets), nodes: linker.nodes,
      steps: linker.steps.compactMap { $0 }, loops: linker.loops,
      backgroundSession: draft.backgroundSession)
    let origins = draft.steps.flatMap { step in
      (file.numbering.steps[step.index] ?? []).map { (linked: $0, draft: step) }
    }
    return LinkedPipeline(
      SimulatedPipeline(pipeline, examples: linker.examples),
      steps: origins.sorted { $0.linked < $1.linked }.map(\.draft), loops: linker.draftLoops)
  }

  /// A file whose steps are being linked; its errors have been reported before.
  private struct File {
    package let draft: DraftPipeline
    let numbering: StepNumbering
    package let expressions: ExpressionChecker
    let stepChecker: StepChecker

    package init(
      _ draft: DraftPipeline, _ document: YAMLDocument, _ collector: DiagnosticCollector,
      prefix: String, _ values: StepNumbering.Values
    ) {
      self.draft = draft
      numbering = StepNumbering(prefix: prefix, values: values)
      let silent = DocumentReader(
        document: document, collector: DiagnosticCollector(besides: collector))
      expressions = ExpressionChecker(draft, reader: silent, numbering: numbering)
      stepChecker = StepChecker(expressions: expressions, policies: draft.policies)
    }
  }

  private mutating func add(
    _ file: File, _ visibility: inout Visibility, condition: CompiledExpression?
  ) -> Bool {
    let steps = file.draft.nodes.compactMap { if case .step(let step) = $0 { step } else { nil } }
    for node in file.draft.nodes {
      switch node {
      case .step(let draft):
        guard draft.turnOf == nil else { continue }
        let scope = Frame(loop: nil, own: nil, condition: condition)
        var position = runPosition
        let turn = steps.filter { $0.turnOf == draft.index }
        guard add([draft] + turn, file, &visibility, scope, &position) else { return false }
        // A used file has already advanced it.
        runPosition = max(runPosition, position)
      case .loop(let draft): guard add(draft, file, visibility, condition) else { return false }
      }
    }
    return true
  }

  private struct Frame {
    package let loop: Int?
    /// The same loop in the step's own file; `nil` if the loop is in a using file.
    package let own: Int?
    package let condition: CompiledExpression?
    package var outside: Visibility?
  }

  private mutating func add(
    _ drafts: [DraftStep], _ file: File, _ visibility: inout Visibility, _ frame: Frame,
    _ position: inout Int
  ) -> Bool {
    let drafts = copiesRanges ? drafts.flatMap(\.withRangeCopied) : drafts
    for draft in drafts where draft.turnOf == nil && draft.partOf == nil {
      if case .forEach? = draft.action {
        let parts = drafts.filter { $0.partOf == draft.index }
        guard add(draft, parts: parts, file, &visibility, frame, &position) else { return false }
        continue
      }
      let turn = drafts.filter { $0.turnOf == draft.index }
      let isAdded =
        turn.isEmpty
        ? add(draft, file, &visibility, frame, &position)
        : add(draft, turn: turn, file, &visibility, frame, &position)
      guard isAdded else { return false }
    }
    return true
  }

  private mutating func add(
    _ draft: DraftStep, turn: [DraftStep], _ file: File, _ visibility: inout Visibility,
    _ frame: Frame, _ position: inout Int
  ) -> Bool {
    guard let id = draft.id?.value else { return false }
    if frame.loop == nil { nodes.append(.step(steps.count)) }
    let draft = conditional(draft, &visibility, frame)
    guard let open = file.stepChecker.open(draft, loop: frame.own, position: position, visibility)
    else { return false }
    // It runs before its turn, but reads it, so it is created afterwards.
    let own = reserve(draft, file, &position)
    for (output, (label, type)) in open.outputs.enumerated() {
      declare("\(id).\(label)", type, at: (own, output), file, &visibility)
    }
    for inner in turn {
      guard add(inner, file, &visibility, frame, &position) else { return false }
    }
    guard
      let step = file.stepChecker.close(
        open, at: own, turn: steps[(own + 1)...].compactMap { $0 }, visibility)
    else { return false }
    steps[own] = step.with(loop: .some(frame.loop))
    return true
  }

  private mutating func add(
    _ draft: DraftStep, parts: [DraftStep], _ file: File, _ visibility: inout Visibility,
    _ frame: Frame, _ position: inout Int
  ) -> Bool {
    let draft = conditional(draft, &visibility, frame)
    guard
      var open = file.stepChecker.openInnerLoop(
        draft, loop: frame.own, position: position, visibility)
    else { return false }
    // It runs before its parts, but collects from them, so it is created afterwards.
    let own = reserve(draft, file, &position)
    var innerPosition = 0
    for part in parts {
      guard add(part, file, &open.inside, frame, &innerPosition) else { return false }
    }
    let (step, names) = file.stepChecker.close(
      open, at: own, parts: steps[(own + 1)...].compactMap { $0 })
    guard let step else { return false }
    steps[own] = step.with(loop: .some(frame.loop))
    for (output, (name, type)) in names.enumerated() {
      declare(String(name.dropFirst(6)), type, at: (own, output), file, &visibility)
    }
    return true
  }

  /// The index of a step that is created later.
  private mutating func reserve(_ draft: DraftStep, _ file: File, _ position: inout Int) -> Int {
    file.numbering.steps[draft.index] = [steps.count]
    file.numbering.makers[draft.index] = steps.count
    steps.append(nil)
    position += 1
    return steps.count - 1
  }

  private func conditional(
    _ draft: DraftStep, _ visibility: inout Visibility, _ frame: Frame
  ) -> DraftStep {
    guard let condition = frame.condition else { return draft }
    visibility.define(Self.conditionName, as: condition)
    let own = draft.condition.map { "(\($0.source)) && " } ?? ""
    return draft.with(
      condition: DraftExpression(
        source: own + Self.conditionName, origin: .constant, range: draft.range))
  }

  private mutating func add(
    _ draft: DraftStep, _ file: File, _ visibility: inout Visibility, _ frame: Frame,
    _ position: inout Int
  ) -> Bool {
    guard let id = draft.id?.value, collector.spend(200),
      collector.allows(steps.count + 1, .steps)
    else { return false }
    let name = file.numbering.prefix + id
    if frame.loop == nil, draft.use == nil { nodes.append(.step(steps.count)) }
    if let use = draft.use { return add(use, draft, file, name, &visibility, frame, &position) }
    let draft = conditional(draft, &visibility, frame)
    let (step, outputs) = file.stepChecker.check(
      draft, loop: frame.own, position: position, visibility, outside: frame.outside)
    guard let step = step?.with(loop: .some(frame.loop)) else { return false }
    file.numbering.steps[draft.index, default: []].append(steps.count)
    file.numbering.makers[draft.index] = steps.count
    for (output, (label, type)) in outputs.enumerated() {
      declare("\(id).\(label)", type, at: (steps.count, output), file, &visibility)
    }
    if step.makesFile {
      declare("\(id).file", .object(Variables.file), at: (steps.count, nil), file, &visibility)
    }
    steps.append(step)
    position += 1
    return true
  }

  /// The name of the condition under which the steps of a used file run; authors cannot write it.
  private static let conditionName = "use_condition"

  /// Makes `steps.LOCAL` visible to the file; in the linked pipeline it has the file's prefix.
  private func declare(
    _ local: String, _ type: ValueType, at place: (Int, Int?), _ file: File,
    _ visibility: inout Visibility
  ) {
    let name = "steps.\(file.numbering.prefix)\(local)"
    values.places[name] = place
    if file.numbering.prefix.isEmpty {
      visibility.declare(name, as: type)
    } else if let variable = Variables.base.declaring(name, as: type).compile(name).expression {
      visibility.define("steps.\(local)", as: variable)
    }
  }

  private mutating func add(
    _ use: DraftUse, _ draft: DraftStep, _ file: File, _ name: String,
    _ visibility: inout Visibility, _ frame: Frame, _ position: inout Int
  ) -> Bool {
    uses += 1
    guard let used = use.file, collector.allows(uses, .files),
      collector.spend(200 + 50 * used.draft.steps.count)
    else { return false }
    let place = ExpressionPlace(step: draft.index, loop: frame.own)
    var context = ExpressionChecker.Context(environment: visibility.asking, place: place)
    var condition = frame.condition
    if let own = draft.condition {
      if let outer = frame.condition {
        visibility.define(Self.conditionName, as: outer)
        context = ExpressionChecker.Context(environment: visibility.asking, place: place)
      }
      let source = "(\(own.source))" + (frame.condition == nil ? "" : " && \(Self.conditionName)")
      guard let compiled = context.environment.compile(source).expression else { return false }
      condition = compiled
    }
    let inner = File(
      used.draft, used.document, used.collector, prefix: name + ".", values)
    budgets.append(used.draft.budgets)
    var inside = Visibility(Variables.base)
    for (input, value) in file.expressions.inputs(of: use, &context) {
      switch value {
      case .constant(let value):
        // An audit shows the host of a URL only if it is an expression.
        if value.stringValue?.contains("://") == true,
          let expression = Variables.base.compile(value.description).expression
        {
          inside.define("inputs.\(input)", as: expression)
        } else {
          inside.declare("inputs.\(input)", constant: value)
        }
      case .expression(let expression): inside.define("inputs.\(input)", as: expression)
      }
    }
    let first = steps.count
    if frame.loop == nil {
      guard add(inner, &inside, condition: condition) else { return false }
    } else {
      let scope = Frame(loop: frame.loop, own: nil, condition: condition)
      let steps = used.draft.nodes.compactMap { if case .step(let step) = $0 { step } else { nil } }
      guard add(steps, inner, &inside, scope, &position) else { return false }
    }
    file.numbering.steps[draft.index] = Array(first..<steps.count)
    examples.add(inner.expressions.examples)
    return publish(used, inner, inside, draft, file, &visibility)
  }

  private func publish(
    _ used: UsedPipeline, _ inner: File, _ inside: Visibility, _ draft: DraftStep, _ file: File,
    _ visibility: inout Visibility
  ) -> Bool {
    var makers: Set<Int> = []
    for output in used.draft.outputs {
      let after = ExpressionPlace(step: .max, loop: nil)
      var context = ExpressionChecker.Context(environment: inside.asking, place: after)
      guard let value = inner.expressions.joined(output.value, &context) else { return false }
      visibility.define("steps.\(draft.id?.value ?? "").\(output.name.value)", as: value)
      for reference in value.references {
        if let place = values.places[reference.variable] { makers.insert(place.step) }
      }
    }
    // With several makers the last one is reissued; it reissues earlier ones that have expired.
    file.numbering.makers[draft.index] = makers.max()
    return true
  }

  private mutating func add(
    _ draft: DraftLoop, _ file: File, _ visibility: Visibility, _ condition: CompiledExpression?
  ) -> Bool {
    var (items, opening, inside) = file.stepChecker.opening(of: draft, visibility)
    guard let variable = draft.variable, let items,
      (draft.condition == nil) == (opening == nil)
    else { return false }
    let index = loops.count
    let number = file.draft.number(of: draft)
    nodes.append(.loop(index))
    let first = steps.count
    var position = 0
    let frame = Frame(loop: index, own: number, condition: condition, outside: visibility)
    guard add(draft.steps, file, &inside, frame, &position) else { return false }
    guard
      let onAbandon = file.stepChecker.abandonments(of: draft, own: number, index, inside)
        .complete()
    else { return false }
    let input = items.compiled.variable.flatMap { $0.hasPrefix("inputs.") ? $0.dropFirst(7) : nil }
    let isFiles = items.compiled.type == .list(.object(Variables.file))
    draftLoops.append(file.numbering.prefix.isEmpty ? draft : nil)
    loops.append(
      Loop(
        id: draft.id?.value, variable: variable.value, condition: opening, items: items,
        filesInput: isFiles && opening?.readsOnlyInputs != false ? input.map(String.init) : nil,
        concurrency: draft.concurrency, waiting: draft.waiting,
        steps: (first..<steps.count).filter { steps[$0]?.partOf == nil }, failures: draft.failures,
        onAbandon: onAbandon, location: file.expressions.collector.location(draft.range)))
    return true
  }
}
