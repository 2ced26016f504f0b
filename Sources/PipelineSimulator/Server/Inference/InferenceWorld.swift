import CEL
import PipelineCore
import PipelineDocument

/// Placeholder values for evaluating a pipeline's expressions before a run has any.
struct InferenceWorld {
  static let now = Instant(milliseconds: 1_767_600_000_000)
  static let file = FileValue(
    path: "/simulated/item.jpg", name: "item.jpg", size: 1 << 20, modified: 0,
    contentType: "image/jpeg",
    digests: Dictionary(
      uniqueKeysWithValues: DigestAlgorithm.allCases.map { ($0, ContentDigest.of([0], $0)) }))
  /// What examples can read of a request.
  static let locals: [String: Value] = [
    "request.method": "POST", "request.url": "https://server.example/", "request.headers": [:],
    "request.json": [:], "request.text": "", "request.size": 0, "request.number": 1,
    "request.elapsed": .duration(.zero), "now": .timestamp(now.timestamp),
  ]

  private let evaluator: Evaluator
  private var state: RunState
  /// The first item of each loop.
  private var items: [Item?]

  private var pipeline: Pipeline { evaluator.pipeline }

  init(_ evaluator: Evaluator) {
    self.evaluator = evaluator
    let pipeline = evaluator.pipeline
    var values: [String: Value] = [:]
    var secrets: [String: Value] = [:]
    for input in pipeline.inputs {
      if input.kind == .secret {
        secrets[input.name] = .string("secret")
      } else {
        values[input.name] = Self.value(of: input)
      }
    }
    state = RunState(
      id: RunID("inference"), pipeline: pipeline, inputs: values, secrets: secrets, seed: 1,
      began: Self.now)
    items = pipeline.loops.map { _ in nil }
  }

  static func value(of input: InputDeclaration) -> Value {
    if input.kind != .file, input.kind != .files,
      let fallback = (try? InputValues.fallback(input)) ?? nil, fallback != .string("")
    {
      return fallback
    }
    return switch input.kind {
    case .string: "text"
    case .secret: "secret"
    case .int: 1
    case .bool: true
    case .url: "https://server.example"
    case .duration: .duration(.seconds(60))
    case .size: .int(1 << 20)
    case .file: file.value
    case .files: .list([file.value])
    }
  }

  /// What the expressions of a step can read.
  mutating func scope(of index: Int) -> Scope {
    guard pipeline.steps.indices.contains(index), let loop = pipeline.steps[index].loop else {
      return Scope(state, item: nil, now: Self.now)
    }
    if items[loop] == nil { items[loop] = item(of: loop) }
    // A list without elements has no item.
    return Scope(state, item: items[loop], now: Self.now)
  }

  private func item(of loop: Int) -> Item? {
    let scope = Scope(state, item: nil, now: Self.now)
    var subject = Item.Subject.file(Self.file)
    if pipeline.loops[loop].filesInput == nil {
      let list = (try? evaluator.value(pipeline.loops[loop].items, scope))?.listValue
      if list?.isEmpty == true { return nil }
      let first = list?.first ?? .string("item")
      subject = FileValue(first).map(Item.Subject.file) ?? .value(first)
    }
    let frame = Frame(repeating: StepState(), count: pipeline.loops[loop].steps.count)
    return Item(
      key: ItemKey(loop: loop, ordinal: 0), subject: subject, status: .active, frame: frame)
  }

  /// The length of the first piece of a file that is as large as can be, where steps that run in turns send it in pieces.
  static func piece(_ evaluator: Evaluator) -> Int64? {
    let pipeline = evaluator.pipeline
    var world = InferenceWorld(evaluator)
    for (index, step) in pipeline.steps.enumerated() {
      guard let turns = step.turnOf, case .upload(let template) = step.action,
        let range = template.range, case .repeat(let repeated) = pipeline.steps[turns].action
      else { continue }
      var scope = world.scope(of: index).of(huge)
      scope.conclude(
        turns,
        repeated.from.map { OutputValue(value: try? evaluator.value($0.value, scope)) }, pipeline)
      guard case .int(let length)? = try? evaluator.value(range.length, scope), length > 0,
        length < huge.size / 4
      else { continue }
      return length
    }
    return nil
  }

  private static let huge = FileValue(
    path: file.path, name: file.name, size: 1 << 50, modified: 0, contentType: file.contentType,
    digests: file.digests)

  /// Stores a step's result.
  mutating func conclude(_ index: Int, _ result: StepResult) {
    _ = scope(of: index)
    let step = pipeline.steps[index]
    var current = StepState()
    current.status = .succeeded
    current.generation = 1
    current.attempt = 1
    current.outputs = result.outputs
    if step.makesFile { current.file = Self.file }
    if let loop = step.loop {
      items[loop]?.frame[step.position] = current
    } else {
      state.frame[step.position] = current
      for (loop, declaration) in pipeline.loops.enumerated()
      where declaration.steps.allSatisfy({ $0 > index }) {
        items[loop] = nil
      }
    }
  }

  /// The response of a source for the first commit.
  static func response(_ plan: ResponsePlan) -> Response {
    response(plan.response(.init(number: 1, now: now, life: ResponseShape.usualLife)))
  }

  static func response(_ response: SimulatedResponse) -> Response {
    Response(
      status: response.status, headers: response.headers, body: response.body,
      url: "https://server.example/", sent: now, received: now)
  }
}
