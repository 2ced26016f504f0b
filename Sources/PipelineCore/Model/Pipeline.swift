/// A checked pipeline: what a YAML file says after every name, type and reference in it is known
/// to be right.
public struct Pipeline: Sendable {
  /// The name, from the key `pipeline`.
  public let name: String
  /// The author's description.
  public let description: String?
  /// Inputs in the order of the file.
  public let inputs: [InputDeclaration]
  /// The limits that the whole run keeps.
  public let budgets: Budgets
  /// Identifier of the background session that carries transfers.
  public let session: String
  /// What stands at the top level of `steps`, in order.
  public let nodes: [Node]
  /// Every step, of run scope and of loops, in the order of the file.
  public let steps: [Step]
  /// Every `for_each`, in the order of the file.
  public let loops: [Loop]
  /// Index in ``steps`` by step id.
  public let stepIndex: [StepID: Int]
  /// Names of expressions whose values are secret: secret inputs and outputs, as `inputs.NAME` and `steps.ID.NAME`.
  public let secretNames: Set<String>
  /// Indices in ``steps`` of the materializations whose files hold a secret: they are never written, and made in memory when
  /// they are sent.
  public let secretBodies: Set<Int>
  /// Indices in ``loops`` of the loops whose elements are made of a secret.
  public let secretLoops: Set<Int>
  /// Indices in ``steps`` of the steps whose batch entries are made of a secret.
  public let secretBatches: Set<Int>

  /// One entry of the top level: a step of run scope, or a loop.
  public enum Node: Hashable, Sendable {
    /// Index in ``Pipeline/steps``.
    case step(Int)
    /// Index in ``Pipeline/loops``.
    case loop(Int)
  }

  /// Makes a pipeline of parts that were checked against each other; without a `session` the name
  /// is the identifier.
  ///
  /// An output whose expression reads a secret becomes one, whether it is declared so or not.
  ///
  /// - Precondition: indices in `nodes`, `loops` and each step's ``Step/uses`` are in range.
  public init(
    name: String, description: String?, inputs: [InputDeclaration], budgets: Budgets,
    nodes: [Node], steps: [Step], loops: [Loop], session: String? = nil
  ) {
    self.name = name
    self.description = description
    self.inputs = inputs
    self.budgets = budgets
    self.nodes = nodes
    let secrecy = Secrecy(inputs: inputs, steps: steps, loops: loops)
    let steps = steps.map(secrecy.marked)
    self.steps = steps
    secretNames = secrecy.names
    secretBodies = secrecy.bodies
    secretLoops = secrecy.loops
    secretBatches = secrecy.batches
    self.loops = loops
    self.session = session ?? name
    self.stepIndex = Dictionary(
      steps.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    for step in steps {
      precondition(step.uses.allSatisfy { steps.indices.contains($0.step) }, "a use is in range")
    }
  }

  /// Indices in ``steps`` of the steps of run scope, in order.
  public var runSteps: [Int] {
    nodes.compactMap { if case .step(let index) = $0 { index } else { nil } }
  }
}

/// A declared input.
public struct InputDeclaration: Hashable, Sendable {
  /// The types an input can have.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case string, int, bool, url, duration, size, file, files, secret
  }

  /// The name, as in `inputs.NAME`.
  public let name: String
  /// The type.
  public let kind: Kind
  /// What the input is for.
  public let description: String?
  /// The value where the user gives none, as text in the form that `--input` takes.
  public let defaultText: String?
  /// Whether a run can begin without a value.
  public let isOptional: Bool
  /// Where the declaration stands.
  public let location: SourceLocation

  /// Declares an input.
  public init(
    name: String, kind: Kind, description: String? = nil, defaultText: String? = nil,
    isOptional: Bool = false, location: SourceLocation
  ) {
    self.name = name
    self.kind = kind
    self.description = description
    self.defaultText = defaultText
    self.isOptional = isOptional
    self.location = location
  }
}

/// Limits that a run keeps at any moment.
public struct Budgets: Hashable, Sendable {
  /// Bytes of materialized files on disk; `nil` is without limit.
  public let diskBytes: Int64?
  /// Uploads handed to the transfer service and not yet answered; `nil` is without limit.
  public let transfers: Int?

  /// Sets both limits.
  public init(diskBytes: Int64? = nil, transfers: Int? = nil) {
    self.diskBytes = diskBytes
    self.transfers = transfers
  }
}

/// Steps repeated over a list.
public struct Loop: Hashable, Sendable {
  /// What failed items mean for what stands after the loop.
  public enum Failures: String, Hashable, Sendable, CaseIterable {
    /// It is not begun before they are retried and done.
    case stop
    /// It is done without them.
    case allow
  }

  /// The name of the item inside the steps, from `for_each`.
  public let variable: String
  /// The list, from `in`.
  public let items: Expression
  /// The `files` input whose items the loop takes one by one, where `in` names nothing else.
  ///
  /// Such a loop is enumerated as a stream; any other list is evaluated whole.
  public let filesInput: String?
  /// Items that may be worked on at once, at least 1.
  public let concurrency: Int
  /// Indices in ``Pipeline/steps``, in order.
  public let steps: [Int]
  /// What failed items mean for what stands after the loop.
  public let failures: Failures
  /// Requests that undo what an item left on the server when it is given up.
  public let onAbandon: [Abandonment]
  /// Where the loop stands.
  public let location: SourceLocation

  /// Makes a loop.
  public init(
    variable: String, items: Expression, filesInput: String?, concurrency: Int, steps: [Int],
    failures: Failures = .stop, onAbandon: [Abandonment], location: SourceLocation
  ) {
    precondition(concurrency >= 1, "concurrency is at least 1")
    self.variable = variable
    self.items = items
    self.filesInput = filesInput
    self.concurrency = concurrency
    self.steps = steps
    self.failures = failures
    self.onAbandon = onAbandon
    self.location = location
  }
}

/// A request of `on_abandon`; sent only when every output it names is there and alive.
public struct Abandonment: Hashable, Sendable {
  /// The request.
  public let request: RequestTemplate
  /// Outputs the request names.
  public let uses: [OutputUse]
  /// How failures are retried: the pipeline's `standard` policy.
  public let retry: RetryPolicy

  /// Makes a compensation.
  public init(request: RequestTemplate, uses: [OutputUse], retry: RetryPolicy = .standard) {
    self.request = request
    self.uses = uses
    self.retry = retry
  }
}
