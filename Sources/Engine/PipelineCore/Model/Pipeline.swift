/// A checked pipeline: the content of a YAML file with all names, types and references valid.
public struct Pipeline: Sendable {
  /// The name, from the key `pipeline`.
  public let name: String
  /// The author's description.
  public let description: String?
  /// Inputs in the order of the file.
  public let inputs: [InputDeclaration]
  /// The limits of the whole run.
  public let budgets: Budgets
  /// Identifier of the background session for transfers.
  public let backgroundSession: String
  /// The entries of `steps` at the top level, in order.
  public let nodes: [Node]
  /// Every step, run-level or in a loop, in the order of the file.
  public let steps: [Step]
  /// Every `for_each`, in the order of the file.
  public let loops: [Loop]
  /// Index in ``steps`` by step id.
  public let stepIndex: [StepID: Int]
  /// Names in expressions whose values are secret: secret inputs and outputs, as `inputs.NAME` and `steps.ID.NAME`.
  public let secretNames: Set<String>
  /// Indices in ``steps`` of the materializations with secrets: never written, but made in memory when sent.
  public let secretBodies: Set<Int>
  /// Indices in ``loops`` of the loops whose elements are derived from a secret.
  public let secretLoops: Set<Int>
  /// Indices in ``steps`` of the steps whose batch entries are derived from a secret.
  public let secretBatches: Set<Int>
  /// The targets of steps that replace what another item may have stored, by index in ``steps``; see ``TargetClaim``.
  public private(set) var targets: [Int: [Template]] = [:]
  /// The steps whose expressions read the results of their own last success, as `previous.NAME`.
  public let readsPrevious: Set<StepID>

  /// One entry of the top level: a run-level step, or a loop.
  public enum Node: Hashable, Sendable {
    /// Index in ``Pipeline/steps``.
    case step(Int)
    /// Index in ``Pipeline/loops``.
    case loop(Int)
  }

  /// Creates a pipeline of parts that were checked against each other.
  ///
  /// An output whose expression reads a secret is secret too, whether it is declared so or not.
  public init(
    name: String, description: String?, inputs: [InputDeclaration], budgets: Budgets,
    nodes: [Node], steps: [Step], loops: [Loop], backgroundSession: String? = nil
  ) {
    (self.name, self.description, self.inputs, self.budgets) = (name, description, inputs, budgets)
    self.nodes = nodes
    let secrecy = Secrecy(inputs: inputs, steps: steps, loops: loops)
    let steps = steps.map(secrecy.marked)
    self.steps = steps
    secretNames = secrecy.names
    secretBodies = secrecy.bodies
    secretLoops = secrecy.loops
    secretBatches = secrecy.batches
    readsPrevious = Set(steps.filter(\.readsPrevious).map(\.id))
    self.loops = loops
    self.backgroundSession = backgroundSession ?? name
    self.stepIndex = Dictionary(
      steps.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    for step in steps {
      precondition(step.uses.allSatisfy { steps.indices.contains($0.step) }, "a use is in range")
    }
    targets = ReplacingSteps(self).targets
  }

  /// Whether an output or a sign-in is stored encrypted, so that a store needs a key.
  public var sealsOutputs: Bool {
    steps.contains { $0.signIn != nil || $0.outputs.contains(where: \.isSealed) }
  }

  /// Indices of the steps that run in the turns of the `repeat` step at `index`, in order.
  public func turn(of index: Int) -> Range<Int> {
    let end = steps[(index + 1)...].firstIndex { $0.turnOf != index } ?? steps.endIndex
    return index + 1..<end
  }

  /// Indices of the steps that run for each part of the `for_each` step at `index`, in order.
  public func partSteps(of index: Int) -> Range<Int> {
    let end = steps[(index + 1)...].firstIndex { $0.partOf != index } ?? steps.endIndex
    return index + 1..<end
  }

  /// The name of the part in the steps of the `for_each` step at `index`.
  package func partVariable(of index: Int) -> String? {
    if case .forEach(let parts) = steps[index].action { parts.variable } else { nil }
  }

  /// Indices of the steps of the run's frame (`nil`), of an item's or of a part's, in order.
  public func steps(of key: ItemKey?) -> [Int] {
    guard let key else { return runSteps }
    return key.part.map { Array(partSteps(of: $0.step)) } ?? loops[key.loop].steps
  }

  /// The step that an effect works on, or `nil` for a compensation.
  public func step(of id: EffectID) -> Step? { id.step.map { steps[$0] } }
  /// The author's name for the object of an effect: the step's `id`, or `on_abandon`.
  public func name(of id: EffectID) -> String { step(of: id)?.id.rawValue ?? "on_abandon" }

  /// Whether a step is done once per run, and not by each shard of it: a run-level step that creates something, or comes after a loop.
  public func isOncePerRun(_ step: Int) -> Bool {
    steps[step].effect == .create && nodes.contains(.step(step)) || isAfterLoop(step)
  }

  /// Whether a run in shards needs a lead (``Shard/leadNumber``).
  public var hasLead: Bool { steps.indices.contains(where: isOncePerRun) }

  /// Whether a step is run-level, and a loop comes before it.
  public func isAfterLoop(_ step: Int) -> Bool {
    guard let place = nodes.firstIndex(of: .step(step)) else { return false }
    return nodes[..<place].contains { if case .loop = $0 { true } else { false } }
  }

  /// Indices in ``steps`` of the run-level steps, in order.
  public var runSteps: [Int] {
    nodes.compactMap { if case .step(let index) = $0 { index } else { nil } }
  }
}

/// A declared input.
public struct InputDeclaration: Hashable, Sendable {
  /// The types of inputs.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case string, int, bool, url, duration, size, file, files, folder, secret
  }

  /// The name, as in `inputs.NAME`.
  public let name: String
  /// The type.
  public let kind: Kind
  /// The purpose of the input.
  public let description: String?
  /// The default value, as text in the form that `--input` accepts.
  public let defaultText: String?
  /// Whether a run can start without a value.
  public let isOptional: Bool
  /// Which files a `files` input includes in addition to those of its patterns.
  public let files: FileRules
  /// The position of the declaration.
  public let location: SourceLocation

  /// The files that a `files` input includes, and those that it leaves out.
  public struct FileRules: Hashable, Sendable {
    /// Patterns of files and folders that are left out.
    public var exclude: [String]
    /// Whether wildcards match hidden files and folders.
    public var includesHidden: Bool
    /// Whether `**` enters links to folders.
    public var followsLinks: Bool

    /// Makes rules; by default nothing is left out, and hidden files and links to folders need to be named.
    public init(exclude: [String] = [], includesHidden: Bool = false, followsLinks: Bool = false) {
      (self.exclude, self.includesHidden) = (exclude, includesHidden)
      self.followsLinks = followsLinks
    }
  }

  /// Declares an input.
  public init(
    name: String, kind: Kind, description: String? = nil, defaultText: String? = nil,
    isOptional: Bool = false, files: FileRules = FileRules(), location: SourceLocation
  ) {
    (self.name, self.kind, self.description) = (name, kind, description)
    (self.defaultText, self.isOptional, self.files) = (defaultText, isOptional, files)
    self.location = location
  }
}

/// Limits that a run never exceeds.
public struct Budgets: Hashable, Sendable {
  /// Bytes of materialized files on disk; `nil` means no limit.
  public let diskBytes: Int64?
  /// Uploads that the transfer service has and that have no response yet; `nil` means no limit.
  public let transfers: Int?
  /// How often requests may be sent; that of all requests first, if there is one.
  public let rates: [Rate]
  /// Bytes of bodies that all requests and transfers together send and receive in a second; `nil` means no limit.
  public let bytesPerSecond: Int64?
  /// Consecutive items with the same refusal that pause the run (``Failure/isRefusal(withCredentials:)``); 0 means never.
  public let refusals: Int
  /// 3.
  public static var defaultRefusals: Int { 3 }

  /// Sets the limits.
  public init(
    diskBytes: Int64? = nil, transfers: Int? = nil, rates: [Rate] = [],
    bytesPerSecond: Int64? = nil, refusals: Int = defaultRefusals
  ) {
    self.refusals = refusals
    precondition(Set(rates.map(\.name)).count == rates.count, "each rate has its own name")
    precondition(bytesPerSecond.map { $0 > 0 } ?? true, "some bytes may be sent")
    (self.diskBytes, self.transfers) = (diskBytes, transfers)
    self.rates =
      rates.filter { $0.name == Rate.ofAllRequests }
      + rates.filter { $0.name != Rate.ofAllRequests }
    self.bytesPerSecond = bytesPerSecond
  }

  func rates(named name: String?) -> [Int] {
    rates.indices.filter { rates[$0].name == Rate.ofAllRequests || rates[$0].name == name }
  }

  /// The same limits with the named rates of `others`; of two with one name, the first wins.
  public func with(ratesOf others: [Budgets]) -> Budgets {
    var all = rates
    for rate in others.flatMap(\.rates)
    where rate.name != Rate.ofAllRequests && !all.contains(where: { $0.name == rate.name }) {
      all.append(rate)
    }
    return Budgets(
      diskBytes: diskBytes, transfers: transfers, rates: all, bytesPerSecond: bytesPerSecond,
      refusals: refusals)
  }

  /// The same limits with others for disk and transfers.
  public func with(diskBytes: Int64?, transfers: Int?) -> Budgets {
    Budgets(
      diskBytes: diskBytes, transfers: transfers, rates: rates, bytesPerSecond: bytesPerSecond,
      refusals: refusals)
  }
}

/// Steps repeated over a list.
public struct Loop: Hashable, Sendable {
  /// How failed items affect the steps after the loop.
  public enum Failures: String, Hashable, Sendable, CaseIterable {
    /// It does not start before they are retried and done.
    case stop
    /// It continues without them.
    case allow
  }

  /// The loop's ID; `nil` if it is called by its variable.
  public let id: String?
  /// The name of the item in the steps, from `for_each`.
  public let variable: String
  /// Whether the loop has items at all, from `if`; evaluated with the list.
  public let condition: Expression?
  /// The list, from `in`.
  public let items: Expression
  /// The `files` input whose files the loop processes one by one, if `in` is nothing but that input.
  ///
  /// Such a loop is read as a stream; any other list is evaluated as a whole.
  public let filesInput: String?
  /// Maximum number of items being worked on, at least 1.
  public let concurrency: Int
  /// Maximum number of items that wait after a failure in addition to those being worked on, from `waiting`; `nil` is as
  /// many as ``concurrency``.
  public let waiting: Int?
  /// Indices in ``Pipeline/steps``, in order.
  public let steps: [Int]
  /// How failed items affect the steps after the loop.
  public let failures: Failures
  /// Requests that undo an item's effects on the server when it is abandoned.
  public let onAbandon: [Abandonment]
  /// The position of the loop.
  public let location: SourceLocation

  /// What messages call the loop: its ID, or its variable.
  public var label: String { id ?? "for_each: \(variable)" }

  /// Makes a loop.
  public init(
    id: String? = nil, variable: String, condition: Expression? = nil, items: Expression,
    filesInput: String?, concurrency: Int, waiting: Int? = nil, steps: [Int],
    failures: Failures = .stop, onAbandon: [Abandonment], location: SourceLocation
  ) {
    precondition(concurrency >= 1, "concurrency is at least 1")
    self.waiting = waiting
    (self.id, self.variable, self.condition, self.items) = (id, variable, condition, items)
    (self.filesInput, self.concurrency, self.steps) = (filesInput, concurrency, steps)
    (self.failures, self.onAbandon, self.location) = (failures, onAbandon, location)
  }

  var waitingLimit: Int { waiting ?? concurrency }

  /// The same loop with another limit.
  package func with(concurrency: Int) -> Loop {
    Loop(
      id: id, variable: variable, condition: condition, items: items, filesInput: filesInput,
      concurrency: concurrency, waiting: waiting, steps: steps, failures: failures,
      onAbandon: onAbandon, location: location)
  }
}

/// A request of `on_abandon`; sent only if every output it names exists and is valid.
public struct Abandonment: Hashable, Sendable {
  public let request: RequestTemplate
  /// Outputs that the request names.
  public let uses: [OutputUse]
  /// How failures are retried: the pipeline's `standard` policy.
  public let retry: RetryPolicy
  /// Other steps whose effects it undoes, by their index in ``Pipeline/steps``, according to the author.
  public let undoes: [Int]
  /// Makes a compensation.
  public init(
    request: RequestTemplate, uses: [OutputUse], retry: RetryPolicy = .standard, undoes: [Int] = []
  ) { (self.request, self.uses, self.retry, self.undoes) = (request, uses, retry, undoes) }

  /// The item's steps whose outputs the request names, in order; credentials do not name anything.
  public func named(in pipeline: Pipeline) -> [Int] {
    Set(
      uses.filter { use in
        !use.isCredential && use.output != nil && pipeline.steps[use.step].loop != nil
      }.map(\.step)
    ).sorted()
  }
}

extension Pipeline {
  /// The steps whose effects a compensation undoes: those that it names, those that its author declares, and if a DELETE
  /// does not name one, the creating steps that no other compensation of the loop names.
  public func undone(by entry: Abandonment, of loop: Int) -> Set<Int> {
    let named = entry.named(in: self)
    var undone = Set(named + entry.undoes)
    if entry.request.method == "DELETE", named.isEmpty {
      let others = Set(loops[loop].onAbandon.flatMap { $0.named(in: self) })
      undone.formUnion(
        steps.indices.filter {
          steps[$0].loop == loop && steps[$0].effect == .create && !others.contains($0)
        })
    }
    return undone
  }
}
