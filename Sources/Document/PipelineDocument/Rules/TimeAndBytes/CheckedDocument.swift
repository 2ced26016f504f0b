/// A linked pipeline without errors, for the rules about time, bytes and background transfers.
///
/// A rule only reports sums of constants, of numbers that the author wrote, or of limits that the message names: a false
/// alarm is worse than a miss.
struct CheckedDocument {
  /// The time that a process gets when the transfer service wakes it (BT2).
  package static let allowance: Duration = .seconds(30)
  package let pipeline: Pipeline
  package let constants: Constants
  package let sizes: BodySizes
  /// In the order of ``Pipeline/steps``; for a step of a used file, the one that uses it.
  package let steps: [DraftStep]
  /// In the order of ``Pipeline/loops``; `nil` for those of used files.
  package let loops: [DraftLoop?]
  package let root: YAMLNode
  private let reader: DocumentReader
  /// The first upload of each loop; under `nil` the first of all, because run-level steps run after loops.
  private let firstUploads: [Int?: Int]

  init(_ linked: LinkedPipeline, _ draft: DraftPipeline, _ reader: DocumentReader) {
    pipeline = linked.simulated.pipeline
    self.reader = reader
    root = draft.root
    steps = linked.steps
    loops = linked.loops
    constants = Constants(pipeline.inputs, reader.collector)
    sizes = BodySizes(pipeline, constants)
    firstUploads = Self.firstUploads(pipeline)
  }

  private static func firstUploads(_ pipeline: Pipeline) -> [Int?: Int] {
    var first: [Int?: Int] = [:]
    for (index, step) in pipeline.steps.enumerated() where step.transfer != nil {
      for scope in [nil, step.loop] where first[scope] == nil { first[scope] = index }
    }
    return first
  }

  /// Indices of the steps that read a file or its properties, by its name in expressions; `nil` is for loops and
  /// compensations.
  func readersOfFiles() -> [String: [Int?]] {
    var readers: [String: [Int?]] = [:]
    for step in pipeline.steps {
      guard step.makesFile else { continue }
      for name in ["file"] + step.outputs.map(\.name) { readers["steps.\(step.id).\(name)"] = [] }
    }
    func add(_ expressions: [Expression], _ step: Int?) {
      for expression in expressions {
        for reference in expression.compiled.references {
          guard let known = readers[reference.variable], known.last != .some(step) else { continue }
          readers[reference.variable]?.append(step)
        }
      }
    }
    for (index, step) in pipeline.steps.enumerated() { add(step.expressions, index) }
    for loop in pipeline.loops {
      add(
        [loop.items] + [loop.condition].compactMap(\.self)
          + loop.onAbandon.flatMap(\.request.expressions), nil)
    }
    return readers
  }

  package func range(of path: String..., in node: YAMLNode) -> TextRange? {
    range(of: path, in: node)
  }

  func range(of path: [String], in node: YAMLNode) -> TextRange? {
    path.reduce(node as YAMLNode?) { $0?[$1] }.map(reader.range)
  }

  func timeoutRange(_ step: Int) -> TextRange? {
    let kind = pipeline.steps[step].kind
    return range(
      of: kind.rawValue, kind.isTransfer ? "resource_timeout" : "timeout", in: steps[step].node)
  }

  /// The retry policy of a step as written in the file, and whether the step itself chose it; `nil` for the built-in one.
  package func policy(of step: Int) -> (node: YAMLNode, isChosen: Bool)? {
    guard let node = steps[step].node["retry"]
    else { return root["retry"]?["standard"].map { ($0, false) } }
    if node.mapping != nil { return (node, true) }
    return node.string.flatMap { root["retry"]?[$0] }.map { ($0, true) }
  }

  package func name(_ use: OutputUse) -> String {
    let step = pipeline.steps[use.step]
    guard let output = use.output else { return "steps.\(step.id).file" }
    return "steps.\(step.id).\(step.outputs[output].name)"
  }

  /// Whether a transfer may have ended before the step, so that the step runs within a resume's allowance.
  func followsUpload(_ step: Int) -> Bool {
    let first = firstUploads[pipeline.steps[step].loop] ?? firstUploads[nil]
    return first.map { $0 < step } ?? false
  }

  var hasUploads: Bool { !firstUploads.isEmpty }

  /// Indices of the steps of the item that `step` belongs to, with those of its parts, or of the run, in order.
  package func frame(of step: Int) -> [Int] {
    let loop = pipeline.steps[step].loop
    return pipeline.steps.indices.filter { pipeline.steps[$0].loop == loop }
  }

  struct KnownLife {
    /// From the response to the expiry.
    package let life: Duration
    /// The time before expiry in which the output is no longer used.
    package let skew: Duration
    package let inputs: [String]
    package let range: TextRange
    var usable: Duration { max(life - skew, .zero) }

    /// As in `1 h − 60 s skew = 59 min`.
    var arithmetic: String {
      let sum = "\(Quantity.text(life)) − \(Quantity.text(skew)) skew = \(Quantity.text(usable))"
      return sum + Constants.proviso(inputs)
    }
  }

  package func life(ofOutput output: Int, of step: Int) -> KnownLife? {
    let declaration = pipeline.steps[step].outputs[output]
    guard let lifetime = declaration.lifetime else { return nil }
    let (life, key) =
      switch lifetime.end {
      case .after(let expression): (constants.duration(expression), "in")
      case .at(let expression): (constants.timeLeft(to: expression), "at")
      case .url: (nil, "url")
      }
    guard let life,
      let range = range(of: "outputs", declaration.name, "expires", key, in: steps[step].node)
    else { return nil }
    return KnownLife(
      life: life.value, skew: lifetime.skew(of: life.value), inputs: life.inputs, range: range)
  }

  func mortalUses(of step: Int) -> [(use: OutputUse, life: KnownLife)] {
    pipeline.steps[step].uses.compactMap { use in
      guard let output = use.output, let life = life(ofOutput: output, of: use.step),
        life.usable > .zero
      else { return nil }
      return (use, life)
    }
  }
}

extension Step {
  /// How a server reports that an identifier or credential in a request has expired.
  package enum Refusal {
    case identifier, credential

    /// Statuses that servers use for it (RFC 9110 §15.5).
    package var statuses: [Int64] {
      switch self {
      case .identifier: [403, 404, 410]
      case .credential: [401, 403]
      }
    }
  }

  /// Whether `on` handles a response that reports an expired result of `producer`.
  ///
  /// In addition to `expired: PRODUCER`, that is any entry that repeats the step, because the engine checks the clock before
  /// it does, and any entry that does not treat such a response as a failure. When in doubt, the response counts as handled.
  func handles(_ refusal: Refusal, by producer: Int, _ constants: Constants) -> Bool {
    refusal.statuses.contains { status in
      for matcher in matchers {
        if matcher.outcome == .expired(producer) { return true }
        let holds = matcher.condition.map { constants.holds($0, onStatus: status) } ?? true
        guard holds != false else { continue }
        if matcher.outcome != .fail { return true }
        if holds == true { break }
      }
      return false
    }
  }
}
