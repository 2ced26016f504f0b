import CEL
public import PipelineCore

/// Builds small pipelines in code, in the words of the YAML language: texts with `${{ … }}` become templates, and what
/// a step reads is found in its expressions.
///
/// Names are not checked against each other; a text that does not compile is a mistake in the test and stops it.
public struct PipelineBuilder {
  private var inputs: [InputDeclaration] = []
  private var nodes: [Pipeline.Node] = []
  private var steps: [Step] = []
  private var loops: [OpenLoop] = []
  /// The limits of the whole run.
  public var budgets: Budgets
  private var line = 1

  private struct OpenLoop {
    let variable: String
    let list: Expression
    let filesInput: String?
    let concurrency: Int
    let waiting: Int?
    let failures: Loop.Failures
    var steps: [Int] = []
    var onAbandon: [Abandonment] = []
  }

  /// Starts a pipeline.
  public init(budgets: Budgets = Budgets()) { self.budgets = budgets }

  /// Declares an input.
  public mutating func input(_ name: String, _ kind: InputDeclaration.Kind) {
    inputs.append(InputDeclaration(name: name, kind: kind, location: place()))
  }

  /// Opens a loop; the steps that follow belong to it until ``endLoop()``.
  public mutating func loop(
    _ variable: String, in list: String = "inputs.files", concurrency: Int = 2,
    waiting: Int? = nil, failures: Loop.Failures = .stop
  ) {
    let expression = expression(list)
    let name = "inputs."
    loops.append(
      OpenLoop(
        variable: variable, list: expression,
        filesInput: list.hasPrefix(name) ? String(list.dropFirst(name.count)) : nil,
        concurrency: concurrency, waiting: waiting, failures: failures))
    nodes.append(.loop(loops.count - 1))
    current = loops.count - 1
  }

  private var current: Int?
  /// Index of the `repeat` step that is open.
  private var turnOf: Int?
  /// The inner loop that is open.
  private var inner: (step: Int, variable: String, position: Int)?

  /// Ends the open loop.
  public mutating func endLoop() { current = nil }

  /// Adds a step to the open loop, or to run scope.
  public mutating func step(
    _ id: String, _ action: Step.Action, if condition: String? = nil, on matchers: [Matcher] = [],
    outputs: [OutputDeclaration] = [], retry: RetryPolicy = .prompt,
    effect: Step.ServerEffect = .repeatable, key: String? = nil, probe: Probe? = nil,
    dependsOn: [String] = [], reissueLimit: Int = 10, batch: BatchPolicy? = nil
  ) {
    let position =
      inner?.position ?? current.map { loops[$0].steps.count }
      ?? nodes.count { if case .step = $0 { true } else { false } }
    var uses = UseList(steps)
    let condition = condition.map { expression($0) }
    if let condition { uses.add(condition) }
    uses.add(action)
    if let turnOf { uses.addOrder(steps[turnOf].id.rawValue) }
    for expression in batch?.entry.expressions ?? [] { uses.add(expression) }
    for need in dependsOn { uses.addOrder(need) }
    steps.append(
      Step(
        id: StepID(id), loop: current, position: position, action: action, condition: condition,
        matchers: matchers, outputs: outputs, retry: retry, effect: effect,
        keyPlace: key.map { .header($0) }, probe: probe, uses: uses.uses,
        reissueLimit: reissueLimit,
        batch: batch, turnOf: turnOf, partOf: inner?.step, location: place()))
    if inner != nil {
      inner?.position += 1
    } else if let current {
      loops[current].steps.append(steps.count - 1)
    } else {
      nodes.append(.step(steps.count - 1))
    }
  }

  /// Opens a `repeat` step that counts from 0 up to `count`; the steps that follow run in its turns until ``endTurns()``.
  ///
  /// With `resync`, the server reports its progress: the first number of its response.
  public mutating func turns(
    _ id: String, to count: Int, next: String, resync: RequestTemplate? = nil,
    on matchers: [Matcher] = [], dependsOn: [String] = [], reissueLimit: Int = 10
  ) {
    let number = OutputDeclaration(name: "n", value: template("${{ response.json.n }}"))
    var visible = self
    visible.steps.append(
      Step(
        id: StepID(id), loop: current, position: 0, action: .request(resync ?? Self.nothing),
        outputs: [number], location: place()))
    let own = "steps.\(id).n"
    func value(_ text: String) -> NamedTemplate<Compiled> {
      NamedTemplate(name: "n", value: visible.template(text))
    }
    let action = RepeatTemplate(
      from: [value("${{ 0 }}")], until: visible.expression("\(own) >= \(count)"),
      next: [value(next)], resync: resync,
      found: resync == nil ? [] : [NamedTemplate(name: "n", value: number.value)])
    step(
      id, .repeat(action), on: matchers, outputs: [number], dependsOn: dependsOn,
      reissueLimit: reissueLimit)
    turnOf = steps.count - 1
  }

  /// Ends the turns of the open `repeat` step.
  public mutating func endTurns() { turnOf = nil }

  /// Opens an inner loop over `list`; the steps that follow run for each part until ``endParts(collect:dependsOn:)``.
  public mutating func parts(
    _ id: String, _ variable: String, in list: String, concurrency: Int = 2
  ) {
    let items = expression(list)
    step(
      id,
      .forEach(
        PartsTemplate(variable: variable, items: items, concurrency: concurrency, collect: [])))
    inner = (steps.count - 1, variable, 0)
  }

  /// Ends the open inner loop, which collects a text for each name, and is reissued if a step named in `dependsOn` is.
  public mutating func endParts(collect: [String: String], dependsOn: [String] = []) {
    guard let inner, case .forEach(let opened) = steps[inner.step].action else { return }
    let collect = collect.sorted { $0.key < $1.key }.map { name, text in
      NamedTemplate<Compiled>(name: name, value: template(text))
    }
    self.inner = nil
    var uses = UseList(Array(steps.prefix(inner.step)))
    uses.add(opened.items)
    for need in dependsOn { uses.addOrder(need) }
    let old = steps[inner.step]
    steps[inner.step] = Step(
      id: old.id, loop: old.loop, position: old.position,
      action: .forEach(
        PartsTemplate(
          variable: opened.variable, items: opened.items, concurrency: opened.concurrency,
          collect: collect)),
      outputs: collect.map { OutputDeclaration(name: $0.name, value: $0.value) },
      retry: old.retry, uses: uses.uses, location: old.location)
  }

  private static let nothing = RequestTemplate(url: Template(text: "http://server/"))

  /// Adds a compensation to the open loop, which also undoes the effects of the steps in `undoes`.
  public mutating func onAbandon(_ request: RequestTemplate, undoes: [String] = []) {
    guard let current else { return }
    var uses = UseList(steps)
    uses.add(request)
    loops[current].onAbandon.append(
      Abandonment(
        request: request, uses: uses.uses, retry: .prompt, undoes: undoes.map(index)))
  }

  /// The probe of a step that is about to be added.
  public mutating func probe(
    _ request: RequestTemplate, tookEffect: String, after: Duration = .zero,
    interval: Duration = Probe.defaultInterval, until: Duration = .zero
  ) -> Probe {
    var uses = UseList(steps)
    uses.add(request)
    return Probe(
      request: request, tookEffect: expression(tookEffect), uses: uses.uses, after: after,
      interval: interval,
      until: until)
  }

  /// An entry of `on`; `expired` names a step that was added before.
  public mutating func matcher(
    _ condition: String?, _ outcome: Matcher.Outcome, message: String? = nil, after: String? = nil,
    isProgress: Bool = false, isRefused: Bool = false
  ) -> Matcher {
    Matcher(
      condition: condition.map { expression($0) }, outcome: outcome,
      message: message.map { template($0) }, after: after.map { expression($0) },
      isProgress: isProgress, isRefused: isRefused, location: place())
  }

  /// The index of the step `id`, for ``Matcher/Outcome/expired(_:)``.
  public func index(_ id: String) -> Int { steps.firstIndex { $0.id.rawValue == id } ?? 0 }

  /// The finished pipeline.
  public func pipeline(_ name: String = "small") -> Pipeline {
    Pipeline(
      name: name, description: nil, inputs: inputs, budgets: budgets, nodes: nodes, steps: steps,
      loops: loops.enumerated().map { _, loop in
        Loop(
          variable: loop.variable, items: loop.list, filesInput: loop.filesInput,
          concurrency: loop.concurrency, waiting: loop.waiting, steps: loop.steps,
          failures: loop.failures,
          onAbandon: loop.onAbandon,
          location: SourceLocation(file: "small.yaml", line: 1, column: 1))
      })
  }

  // MARK: Texts

  /// A compiled expression; any variable may occur in it.
  public func expression(_ source: String) -> Expression {
    let compilation = Self.environment(
      steps, loops.map(\.variable) + [inner?.variable].compactMap { $0 }
    )
    .compile(source)
    guard let compiled = compilation.expression else {
      preconditionFailure("'\(source)': \(compilation.issues)")
    }
    return Expression(compiled, at: SourceLocation(file: "small.yaml", line: line, column: 1))
  }

  /// A text in which `${{ … }}` may stand.
  public func template(_ text: String) -> Template {
    var parts: [Template.Part] = []
    var rest = text[...]
    while let open = rest.firstRange(of: "${{"), let close = rest.firstRange(of: "}}") {
      if open.lowerBound > rest.startIndex {
        parts.append(.text(String(rest[..<open.lowerBound])))
      }
      parts.append(.expression(expression(String(rest[open.upperBound..<close.lowerBound]))))
      rest = rest[close.upperBound...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return Template(parts)
  }

  private mutating func place() -> SourceLocation {
    line += 1
    return SourceLocation(file: "small.yaml", line: line, column: 1)
  }

  private static func environment(_ steps: [Step], _ variables: [String]) -> Environment {
    var environment = Environment.standard
    let names = [
      "inputs", "response.headers", "response.json", "response.xml", "now", "batch.entry",
      "batch.result", "previous.token",
    ]
    for name in names + variables {
      environment.declare(name, as: .dyn)
    }
    for name in [
      "server", "password", "files", "file", "flag", "text",
    ] { environment.declare("inputs.\(name)", as: .dyn) }
    environment.declare("response.status", as: .int)
    for name in ["response.text", "response.url", "response.error", "run.id", "item.key"] {
      environment.declare(name, as: .string)
    }
    environment.declare("item.index", as: .int)
    environment.declare("batch.index", as: .int)
    environment.declare("batch.entries", as: .list(.dyn))
    environment.declare("history.statuses", as: .list(.int))
    for step in steps {
      for output in step.outputs {
        environment.declare("steps.\(step.id).\(output.name)", as: .dyn)
      }
      if step.makesFile {
        environment.declare("steps.\(step.id).file", as: .dyn)
      }
    }
    return environment
  }
}

extension RetryPolicy {
  /// Three attempts, 1 s doubling to 10 s without jitter, then pause.
  public static let prompt = RetryPolicy(
    attempts: 3, initial: .seconds(1), factor: 2, maximum: .seconds(10), jitter: .none)
}
