/// One step of a pipeline; a reference, because the machine looks at steps far more often than a
/// pipeline is made.
public final class Step: Sendable {
  /// What a step does.
  public enum Action: Hashable, Sendable {
    /// A short exchange that runs inside the execution allowance.
    case request(RequestTemplate)
    /// Makes a body file inside the disk budget.
    case materialize(MaterializeTemplate)
    /// Hands a file to the transfer service.
    case upload(UploadTemplate)
    /// Takes a file in through the transfer service.
    case download(DownloadTemplate)
  }

  /// What a repeat of the step would do at the server.
  public enum ServerEffect: String, Hashable, Sendable, CaseIterable {
    /// Repeating it is harmless.
    case repeatable
    /// Each time makes something new.
    case create
  }

  /// The author's name of the step.
  public let id: StepID
  /// Index of the loop the step stands in, `nil` in run scope.
  public let loop: Int?
  /// Place of the step in its frame: among the run's steps, or among its loop's.
  public let position: Int
  /// What the step does.
  public let action: Action
  /// `if`: the step is skipped where it is false.
  public let condition: Expression?
  /// `on`: ordered; the first that is true decides.
  public let matchers: [Matcher]
  /// `outputs`, in order.
  public let outputs: [OutputDeclaration]
  /// How the step acts once for many items; `nil` where it acts for each.
  public let batch: BatchPolicy?
  /// How failures are retried.
  public let retry: RetryPolicy
  /// What a repeat does.
  public let effect: ServerEffect
  /// Header that carries the idempotency key.
  public let idempotencyHeader: String?
  /// The author's own key, which outlives generations; `nil` where each generation has one of its own.
  public let idempotencyKey: Template?
  /// How to learn whether an unknown outcome was a success.
  public let probe: Probe?
  /// Outputs of other steps that the step reads.
  public let uses: [OutputUse]
  /// Times the step may be issued anew because its result died, before the item is paused.
  public let reissueLimit: Int
  /// Where the step stands.
  public let location: SourceLocation

  /// Makes a step of checked parts.
  public init(
    id: StepID, loop: Int?, position: Int, action: Action, condition: Expression? = nil,
    matchers: [Matcher] = [], outputs: [OutputDeclaration] = [], retry: RetryPolicy = .standard,
    effect: ServerEffect = .repeatable, idempotencyHeader: String? = nil,
    idempotencyKey: Template? = nil, probe: Probe? = nil,
    uses: [OutputUse] = [], reissueLimit: Int = 10, batch: BatchPolicy? = nil,
    location: SourceLocation
  ) {
    self.id = id
    self.loop = loop
    self.position = position
    self.action = action
    self.condition = condition
    self.matchers = matchers
    self.outputs = outputs
    self.retry = retry
    self.effect = effect
    self.idempotencyHeader = idempotencyHeader
    self.idempotencyKey = idempotencyKey
    self.probe = probe
    self.uses = uses
    self.reissueLimit = reissueLimit
    self.batch = batch
    self.location = location
  }
}

/// One step's reading of another step's output.
public struct OutputUse: Hashable, Sendable {
  /// Index in ``Pipeline/steps`` of the step that makes the output.
  public let step: Int
  /// Index in that step's ``Step/outputs``; `nil` where the step only has to come first (`needs`)
  /// or the whole file is meant.
  public let output: Int?
  /// Whether the output only authorizes the request.
  ///
  /// A credential does not identify what the request made: when it dies, results stay. Anything
  /// else that dies takes
  /// with it the results that were made from it.
  public let isCredential: Bool

  /// Records a use.
  public init(step: Int, output: Int?, isCredential: Bool = false) {
    self.step = step
    self.output = output
    self.isCredential = isCredential
  }
}

/// An entry of `on`.
public struct Matcher: Hashable, Sendable {
  /// What an answer means.
  public enum Outcome: Hashable, Sendable {
    /// The step succeeded; its outputs are taken.
    case success
    /// Try again after back-off.
    case retry
    /// The result of the step with this index in ``Pipeline/steps`` is dead.
    case expired(Int)
    /// The item is complete; its other steps are not needed.
    case done
    /// The item is left out.
    case skip
    /// The item failed for good.
    case fail
    /// The item waits for a person.
    case pause
    /// Not ready yet: ask again; no attempt is counted.
    case poll
  }

  /// The condition; `nil` always holds.
  public let condition: Expression?
  /// What the answer means.
  public let outcome: Outcome
  /// Text for the user.
  public let message: Template?
  /// Delay before `retry` or `poll`, a duration.
  public let after: Expression?
  /// Whether the server took something in, so that counting attempts begins anew.
  public let isProgress: Bool
  /// Whether the server refused the request before it processed it, by the author's word: then a creating step
  /// is repeated without its probe being asked.
  public let isRefused: Bool
  /// Where the matcher stands.
  public let location: SourceLocation

  /// Makes a matcher.
  public init(
    condition: Expression?, outcome: Outcome, message: Template? = nil, after: Expression? = nil,
    isProgress: Bool = false, isRefused: Bool = false, location: SourceLocation
  ) {
    self.condition = condition
    self.isRefused = isRefused
    self.outcome = outcome
    self.message = message
    self.after = after
    self.isProgress = isProgress
    self.location = location
  }
}

/// An entry of `outputs`.
public struct OutputDeclaration: Hashable, Sendable {
  /// The name, as in `steps.STEP.NAME`.
  public let name: String
  /// The value, evaluated on the step's answer.
  public let value: Template
  /// Whether the value is kept out of the store, logs and reports.
  public let isSecret: Bool
  /// How long the value lives.
  public let lifetime: Lifetime?

  /// Declares an output.
  public init(name: String, value: Template, isSecret: Bool = false, lifetime: Lifetime? = nil) {
    self.name = name
    self.value = value
    self.isSecret = isSecret
    self.lifetime = lifetime
  }
}

/// The key `expires` of an output.
public struct Lifetime: Hashable, Sendable {
  /// How the end of life is told.
  public enum End: Hashable, Sendable {
    /// A duration from the answer on.
    case after(Expression)
    /// A timestamp on the server's clock.
    case at(Expression)
  }

  /// How the end is told.
  public let end: End
  /// How long before the end the output is no longer used, at most half of the lifetime; `nil` is
  /// the smaller of 5 s and a tenth of the lifetime.
  public let skew: Duration?

  /// How long before its end a value that lives for `life` is no longer used: never more than half of its life, so that
  /// a life shorter than the author thought of leaves something to use.
  public func skew(of life: Duration) -> Duration {
    let milliseconds = max(life.milliseconds, 0)
    guard let skew else { return min(.seconds(5), .milliseconds(milliseconds / 10)) }
    return min(skew, .milliseconds(milliseconds / 2))
  }

  /// Makes a lifetime.
  public init(end: End, skew: Duration? = nil) {
    self.end = end
    self.skew = skew
  }
}

/// The key `probe`: a request that tells whether the step took effect.
public struct Probe: Hashable, Sendable {
  /// The request.
  public let request: RequestTemplate
  /// True on the probe's answer when the step took effect.
  public let done: Expression
  /// Outputs the probe's request reads, besides the step's own.
  public let uses: [OutputUse]
  /// Time from an attempt's unknown end until the probe is asked first.
  public let after: Duration
  /// Time from one probe that said "not done" to the next, while that may be too early.
  public let interval: Duration
  /// Time from an attempt's unknown end until "not done" is believed: as long as the server may still be at work
  /// on the request.
  public let until: Duration
  /// 5 s.
  public static let defaultInterval: Duration = .seconds(5)
  /// What the answer looks like where the step took effect; for readers and simulations alone.
  public let doneExample: ResponseTemplate?
  /// What the answer looks like where it did not.
  public let openExample: ResponseTemplate?

  /// Makes a probe.
  public init(
    request: RequestTemplate, done: Expression, uses: [OutputUse], after: Duration = .zero,
    interval: Duration = defaultInterval, until: Duration = .zero,
    doneExample: ResponseTemplate? = nil, openExample: ResponseTemplate? = nil
  ) {
    self.after = after
    self.interval = interval
    self.until = until
    self.request = request
    self.done = done
    self.uses = uses
    self.doneExample = doneExample
    self.openExample = openExample
  }
}
