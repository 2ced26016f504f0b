import PipelineSigning

/// Placeholder values for evaluating a pipeline's expressions before a run has any.
struct InferenceWorld {
  static let now = Instant(milliseconds: 1_767_600_000_000)
  static let file = file(of: 1 << 20)
  /// A file for pipelines that skip small ones.
  static let large = file(of: 1 << 30)
  static let locals: [String: Value] = [
    "request.method": "POST", "request.url": "https://server.example/", "request.headers": [:],
    "request.json": [:], "request.text": "", "request.size": 0, "request.number": 1,
    "request.elapsed": .duration(.zero), "now": .timestamp(now.timestamp),
  ]

  private let evaluator: Evaluator
  /// Each file that the user chose.
  private let file: FileValue
  private var state: RunState
  private var items: [Item?]
  /// The first part of the items' `for_each` steps, by the step; `nil` if its list has no elements.
  private var parts: [Int: Part?] = [:]

  private struct Part {
    let value: Value
    var frame: Frame
  }

  private var pipeline: Pipeline { evaluator.pipeline }

  init(_ evaluator: Evaluator, _ file: FileValue = Self.file) {
    (self.evaluator, self.file) = (evaluator, file)
    let pipeline = evaluator.pipeline
    var values: [String: Value] = [:]
    var secrets: [String: Value] = [:]
    for input in pipeline.inputs {
      if input.kind == .secret {
        secrets[input.name] = .string("secret")
      } else {
        values[input.name] = Self.value(of: input, file)
      }
    }
    state = RunState(
      id: RunID("inference"), pipeline: pipeline, inputs: values, secrets: secrets, seed: 1,
      began: Self.now)
    items = pipeline.loops.map { _ in nil }
  }

  static func value(of input: InputDeclaration, _ file: FileValue = file) -> Value {
    if input.kind != .file, input.kind != .files, input.kind != .folder,
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
    case .folder: "/target"
    case .file: file.value
    case .files: .list([file.value])
    }
  }

  mutating func scope(of index: Int) -> Scope {
    guard pipeline.steps.indices.contains(index), let loop = pipeline.steps[index].loop
    else { return Scope(state, item: nil, now: Self.now) }
    if items[loop] == nil { items[loop] = item(of: loop) }
    // A list without elements has no item.
    let scope = Scope(state, item: items[loop], now: Self.now)
    guard let step = pipeline.steps[index].partOf, let key = items[loop]?.key,
      let part = part(of: step, scope)
    else { return scope }
    return scope.of(key.part(0, of: step, generation: 1), part: part.value, part.frame)
  }

  private mutating func part(of step: Int, _ scope: Scope) -> Part? {
    if let known = parts[step] { return known }
    let list = parts(of: step, scope)
    let frame = Frame(repeating: StepState(), count: pipeline.partSteps(of: step).count)
    let part = list?.first.map { Part(value: $0, frame: frame) }
    parts[step] = .some(part)
    return part
  }

  private func parts(of step: Int, _ scope: Scope) -> [Value]? {
    guard case .forEach(let template) = pipeline.steps[step].action else { return nil }
    return (try? evaluator.value(template.items, scope))?.listValue.map(Array.init)
  }

  /// The values collected from the only part so far.
  private mutating func collect(_ step: Int, _ index: Int) {
    guard case .forEach(let template) = pipeline.steps[step].action,
      let loop = pipeline.steps[step].loop
    else { return }
    let scope = scope(of: index)
    let position = pipeline.steps[step].position
    items[loop]?.frame[position].outputs = template.collect.map { one in
      OutputValue(value: (try? evaluator.value(one.value, scope)).map { .list([$0]) })
    }
  }

  private func item(of loop: Int) -> Item? {
    let scope = Scope(state, item: nil, now: Self.now)
    var subject = Item.Subject.file(file)
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

  /// The length of the first piece of a large file, where steps send a range of it.
  ///
  /// It may come from a response that the world has.
  mutating func piece() -> Int64? {
    for (index, step) in pipeline.steps.enumerated() {
      if let outer = step.partOf, pipeline.rangeSent(by: index) != nil,
        let length = length(ofPartsOf: outer, index)
      {
        return length
      }
      guard step.partOf == nil, let range = pipeline.rangeSent(by: index)?.range else { continue }
      var scope = scope(of: index).of(Self.huge)
      if let turns = step.turnOf, case .repeat(let repeated) = pipeline.steps[turns].action {
        scope.conclude(
          turns,
          repeated.from.map { OutputValue(value: try? evaluator.value($0.value, scope)) }, pipeline)
      }
      guard case .int(let length)? = try? evaluator.value(range.length, scope), length > 0,
        length < Self.huge.size / 4
      else { continue }
      return length
    }
    return nil
  }

  /// The length of the first part of the smallest file that has several.
  private mutating func length(ofPartsOf step: Int, _ index: Int) -> Int64? {
    let whole = scope(of: step)
    for size in (1...50).map({ Self.file(of: 1 << $0) }) {
      guard let list = parts(of: step, whole.of(size)), list.count > 1, let first = list.first,
        let range = pipeline.rangeSent(by: index)?.range
      else { continue }
      let key = ItemKey(loop: pipeline.steps[step].loop ?? 0, ordinal: 0)
      let scope = whole.of(size).of(
        key.part(0, of: step, generation: 1), part: first, scope(of: index).partFrame)
      guard case .int(let length)? = try? evaluator.value(range.length, scope), length > 0
      else { return nil }
      return length
    }
    return nil
  }

  /// A file of which a piece is a small part.
  static let huge = file(of: 1 << 50)

  private static func file(of size: Int64) -> FileValue {
    FileValue(
      path: "/simulated/item.jpg", name: "item.jpg", size: size, modified: 0,
      contentType: "image/jpeg", digests: digests)
  }

  private static let digests = Dictionary(
    uniqueKeysWithValues: DigestAlgorithm.allCases.map { ($0, ContentDigest.of([0], $0)) })

  mutating func conclude(_ index: Int, _ result: StepResult) {
    _ = scope(of: index)
    let step = pipeline.steps[index]
    var current = StepState()
    current.status = .succeeded
    current.generation = 1
    current.attempt = 1
    current.outputs = result.outputs
    if step.makesFile { current.file = file }
    if let outer = step.partOf {
      guard var part = parts[outer] ?? nil else { return }
      part.frame[step.position] = current
      parts[outer] = .some(part)
      collect(outer, index)
    } else if let loop = step.loop {
      items[loop]?.frame[step.position] = current
      // Their lists may read the step's result.
      parts = parts.filter { $0.key < index }
    } else {
      state.frame[step.position] = current
      for (loop, declaration) in pipeline.loops.enumerated()
      where declaration.steps.allSatisfy({ $0 > index }) { items[loop] = nil }
      parts = parts.filter { $0.key < index }
    }
  }

  /// The response of a source for the first commit.
  static func response(_ plan: ResponsePlan, _ values: ResponseShape.Values) -> Response {
    plan.response(values).response(at: now)
  }
}

extension Pipeline {
  /// The bytes of a user's file that the step at `index` uploads, with or without a copy of them; `nil` if it sends a whole file.
  func rangeSent(by index: Int) -> (file: Expression, range: Materialize<Compiled>.ByteRange)? {
    guard case .upload(let upload) = steps[index].action else { return nil }
    if let range = upload.range { return (upload.file, range) }
    guard let name = upload.file.compiled.variable, name.hasPrefix("steps."),
      name.hasSuffix(".file"), let copy = stepIndex[StepID(String(name.dropFirst(6).dropLast(5)))],
      case .materialize(let body) = steps[copy].action
    else { return nil }
    return body.source.onlyRange
  }
}

extension Materialize<Compiled>.Source {
  /// The bytes of a user's file that the body contains; `nil` if it contains a whole file, or ranges of several.
  fileprivate var onlyRange: (file: Expression, range: Materialize<Compiled>.ByteRange)? {
    let ranges: [(file: Expression, range: Materialize<Compiled>.ByteRange)] =
      switch self {
      case .file(let file, let range?): [(file, range)]
      case .multipart(let parts):
        parts.compactMap { part in
          if case .file(let file, let range?, _) = part.content { (file, range) } else { nil }
        }
      case .concat(let pieces):
        pieces.compactMap { piece in
          if case .file(let file, let range?) = piece { (file, range) } else { nil }
        }
      default: []
      }
    return ranges.count == 1 ? ranges[0] : nil
  }
}
