import CEL

/// One step of a pipeline; a reference type, because the machine reads steps very often.
public final class Step: Sendable {
  public typealias Action = StepAction<Compiled>

  /// The effect of repeating the step at the server.
  public enum ServerEffect: String, Hashable, Sendable, CaseIterable {
    /// Repeating it is harmless.
    case repeatable
    /// Each repeat creates something new.
    case create
  }

  /// Whether several items may have the same target.
  public enum TargetSharing: String, Hashable, Sendable, CaseIterable {
    /// The step may replace what another item has stored.
    case allow
  }

  /// The author's name of the step.
  public let id: StepID
  /// Index of the step's loop; `nil` for a run-level step.
  public let loop: Int?
  /// Position of the step in its frame: among the run's steps, its loop's, or those of one part.
  public let position: Int
  /// The purpose of the step.
  public let action: Action
  /// `if`: the step is skipped if it is false.
  public let condition: Expression?
  /// `on`, in order; the first condition that is true decides.
  public let matchers: [Matcher]
  /// The condition for a 2xx response that proves that the step was carried out;
  /// `nil` if its status is proof enough.
  public let successIf: Expression?
  /// `outputs`, in order.
  public let outputs: [OutputDeclaration]
  /// Index of the `repeat` step in whose turns the step runs; `nil` if it runs once.
  public let turnOf: Int?
  /// Index of the `for_each` step for whose parts the step runs; `nil` if it runs for the item as a whole.
  public let partOf: Int?
  /// How the step acts once for many items; `nil` if it acts for each.
  public let batch: BatchPolicy?
  /// How failures are retried.
  public let retry: RetryPolicy
  /// The effect of a repeat.
  public let effect: ServerEffect
  /// Where the idempotency key is sent; `nil` if the step has no key.
  public let keyPlace: IdempotencyKeyPlace<String>?
  /// Whether an expression of the step reads the idempotency key.
  public let readsKey: Bool
  /// The author's own key, which is the same in all generations; `nil` if each generation has its own.
  public let idempotencyKey: Template?
  /// How to find out whether an unknown outcome was a success.
  public let probe: Probe?
  /// The object that the request replaces on the server,
  /// if neither its method and address nor its `Destination` shows it.
  public let target: Template?
  /// Whether it may replace what another item has stored, from `shared_target: allow`.
  public let sharesTarget: Bool
  /// Outputs of other steps that the step reads.
  public let uses: [OutputUse]
  /// How many times the step may be reissued because its result expired, before the item is paused.
  public let reissueLimit: Int
  /// The data that the credential store keeps of the step; `nil` if its result belongs to the run.
  public let signIn: SignIn?
  /// The position of the step.
  public let location: SourceLocation

  /// Creates a step from checked parts.
  public init(
    id: StepID, loop: Int?, position: Int, action: Action, condition: Expression? = nil,
    matchers: [Matcher] = [], successIf: Expression? = nil, outputs: [OutputDeclaration] = [],
    retry: RetryPolicy = .standard, effect: ServerEffect = .repeatable,
    keyPlace: IdempotencyKeyPlace<String>? = nil, idempotencyKey: Template? = nil,
    probe: Probe? = nil, target: Template? = nil, sharesTarget: Bool = false,
    uses: [OutputUse] = [], reissueLimit: Int = 10, batch: BatchPolicy? = nil, turnOf: Int? = nil,
    partOf: Int? = nil, signIn: SignIn? = nil, location: SourceLocation
  ) {
    (self.id, self.loop, self.position, self.action) = (id, loop, position, action)
    (self.condition, self.matchers, self.successIf) = (condition, matchers, successIf)
    (self.outputs, self.retry, self.effect, self.keyPlace) = (outputs, retry, effect, keyPlace)
    readsKey =
      keyPlace != nil
      && (action.expressions + matchers.flatMap(\.expressions)
        + outputs.flatMap(\.value.expressions)
        + (probe.map { $0.request.expressions + [$0.tookEffect] } ?? [])).contains { expression in
          expression.compiled.references.contains { $0.variable == IdempotencyKey.name }
        }
    (self.idempotencyKey, self.probe, self.uses) = (idempotencyKey, probe, uses)
    (self.target, self.sharesTarget) = (target, sharesTarget)
    (self.reissueLimit, self.batch, self.turnOf) = (reissueLimit, batch, turnOf)
    (self.partOf, self.signIn, self.location) = (partOf, signIn, location)
  }

  /// The same step in a loop of another number (`.some(nil)` for none), or with another action or other outputs.
  package func with(loop: Int?? = nil, action: Action? = nil, outputs: [OutputDeclaration]? = nil)
    -> Step
  {
    Step(
      id: id, loop: loop ?? self.loop, position: position, action: action ?? self.action,
      condition: condition, matchers: matchers, successIf: successIf,
      outputs: outputs ?? self.outputs, retry: retry, effect: effect, keyPlace: keyPlace,
      idempotencyKey: idempotencyKey, probe: probe, target: target, sharesTarget: sharesTarget,
      uses: uses, reissueLimit: reissueLimit, batch: batch, turnOf: turnOf, partOf: partOf,
      signIn: signIn, location: location)
  }

  /// The frame that the step belongs to when it is read from the frame `key`: the run's (`nil`), an item's, or a part's.
  public func owner(readFrom key: ItemKey?) -> ItemKey? {
    loop == nil ? nil : partOf == nil ? key?.whole : key
  }
}

/// One step's use of another step's output.
public struct OutputUse: Hashable, Sendable {
  /// Index in ``Pipeline/steps`` of the step that makes the output.
  public let step: Int
  /// Index in that step's ``Step/outputs``; `nil` for `needs` or the whole file.
  public let output: Int?
  /// Whether the output only authorizes the request.
  ///
  /// A credential does not identify the result of the request: when it expires, results stay valid.
  /// Anything else that expires invalidates the results that were derived from it.
  public let isCredential: Bool

  /// Records a use.
  public init(step: Int, output: Int?, isCredential: Bool = false) {
    (self.step, self.output, self.isCredential) = (step, output, isCredential)
  }
}

/// An entry of `on`.
public struct Matcher: Hashable, Sendable {
  /// The meaning of a response.
  public enum Outcome: Hashable, Sendable {
    /// The step succeeded; its outputs are read.
    case success
    /// Try again after back-off.
    case retry
    /// The result of the step with this index in ``Pipeline/steps`` has expired.
    case expired(Int)
    /// The item is complete; its other steps are not needed.
    case finishItem
    /// The item is skipped.
    case skipItem
    /// The item fails permanently.
    case fail
    /// The item waits for the user.
    case pause
    /// The run waits for the user: the response concerns all its items.
    case pauseRun
    /// Not ready yet: ask again without counting an attempt.
    case poll
  }

  /// The condition; `nil` always holds.
  public let condition: Expression?
  /// The meaning of the response.
  public let outcome: Outcome
  /// Text for the user.
  public let message: Template?
  /// Delay before `retry` or `poll`, a duration.
  public let after: Expression?
  /// The delay of a poll in addition to its author's from now on.
  public let slower: Duration?
  /// Whether the server accepted something, so that counting attempts restarts.
  public let isProgress: Bool
  /// Whether the server refused the request before processing it: a creating step is repeated without a probe.
  public let isRefused: Bool
  /// Whether it compares a file with the one on the server; it does not hold if the server does not report it.
  public let isComparison: Bool
  /// The position of the matcher.
  public let location: SourceLocation

  /// Makes a matcher.
  public init(
    condition: Expression?, outcome: Outcome, message: Template? = nil, after: Expression? = nil,
    slower: Duration? = nil, isProgress: Bool = false, isRefused: Bool = false,
    isComparison: Bool = false, location: SourceLocation
  ) {
    (self.condition, self.isRefused, self.outcome) = (condition, isRefused, outcome)
    self.isComparison = isComparison
    (self.message, self.after, self.slower, self.isProgress) = (message, after, slower, isProgress)
    self.location = location
  }
}

/// An entry of `outputs`.
public struct OutputDeclaration: Hashable, Sendable {
  /// The name, as in `steps.STEP.NAME`.
  public let name: String
  /// The value, evaluated on the step's response.
  public let value: Template
  /// Whether the value must not appear in the store, logs and reports.
  public let isSecret: Bool
  /// Whether a secret value outlives the process: the store keeps it encrypted.
  public let isSealed: Bool
  /// The lifetime of the value.
  public let lifetime: Lifetime?

  /// Declares an output.
  public init(
    name: String, value: Template, isSecret: Bool = false, isSealed: Bool = false,
    lifetime: Lifetime? = nil
  ) {
    (self.name, self.value) = (name, value)
    self.isSecret = isSecret || isSealed
    (self.isSealed, self.lifetime) = (isSealed, lifetime)
  }
}

/// The key `expires` of an output.
public struct Lifetime: Hashable, Sendable {
  /// The form of the end of the lifetime.
  public enum End: Hashable, Sendable {
    /// A duration from the response on.
    case after(Expression)
    /// A timestamp on the server's clock.
    case at(Expression)
    /// A signed URL, whose query contains its expiry time.
    case url(Expression)

    public var expression: Expression {
      switch self {
      case .after(let expression), .at(let expression), .url(let expression): expression
      }
    }
  }

  /// The form of the end.
  public let end: End
  /// How long before its end the output is no longer used; `nil` is the smaller of 5 s and a tenth of the life.
  public let skew: Duration?
  /// Whether it starts over whenever a step that uses the output succeeds.
  public let slides: Bool

  /// How long before its end a value with the lifetime `life` is no longer used: at most half of it.
  public func skew(of life: Duration) -> Duration {
    let milliseconds = max(life.milliseconds, 0)
    guard let skew else { return min(.seconds(5), .milliseconds(milliseconds / 10)) }
    return min(skew, .milliseconds(milliseconds / 2))
  }

  /// Makes a lifetime.
  public init(end: End, skew: Duration? = nil, slides: Bool = false) {
    (self.end, self.slides, self.skew) = (end, slides, skew)
  }
}

/// The key `probe`: a request that reveals whether the step took effect.
public struct Probe: Hashable, Sendable {
  public let request: RequestTemplate
  /// True for the probe's response if the step took effect.
  public let tookEffect: Expression
  /// Outputs that the probe's request reads, in addition to the step's own.
  public let uses: [OutputUse]
  /// Time from an attempt's unknown end until the first probe.
  public let after: Duration
  /// Time between probes that report "not done", while that may be too early.
  public let interval: Duration
  /// Time from an attempt's unknown end during which the server may still be working on the request.
  public let until: Duration
  /// 5 s.
  public static let defaultInterval: Duration = .seconds(5)

  /// Makes a probe.
  public init(
    request: RequestTemplate, tookEffect: Expression, uses: [OutputUse], after: Duration = .zero,
    interval: Duration = defaultInterval, until: Duration = .zero
  ) {
    (self.after, self.interval, self.until, self.request) = (after, interval, until, request)
    (self.tookEffect, self.uses) = (tookEffect, uses)
  }
}
