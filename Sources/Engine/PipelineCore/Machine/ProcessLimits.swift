/// The limits of the process that works on a run; set by ``Event/limitsKnown(_:)``, and not part of the state.
public struct ProcessLimits: Hashable, Sendable {
  /// Maximum number of requests and transfers in flight; `nil` means no limit.
  public var exchanges: Int?
  /// Time after which a run ends for lack of a network if no host has responded yet; `nil` means never.
  public var networkTimeout: Duration?
  /// Whether bodies are sent in pieces from where their content is, so that none is written to the disk first.
  public var sendsPieces: Bool
  /// Who works on the run, if others could: work that this machine cannot do is then left to them (``Lack``).
  public var worker: String?
  /// Among how many shards the server's rates and transfers are divided; set again by ``Event/sharesChanged(_:)``.
  public var shares: Int

  /// Creates limits; omitted ones do not limit.
  public init(
    exchanges: Int? = nil, networkTimeout: Duration? = nil, sendsPieces: Bool = false,
    worker: String? = nil, shares: Int = 1
  ) {
    self.exchanges = exchanges
    self.networkTimeout = networkTimeout
    self.sendsPieces = sendsPieces
    self.worker = worker
    self.shares = shares
  }
}

/// What this process may use, and what it lacks.
extension ProcessLimits {
  /// Maximum size of the step's file.
  func fileSize(_ place: StepPlace, in frames: Frames, at now: Instant) throws(EvaluationFailure)
    -> Int64
  {
    let step = frames.pipeline.steps[place.step]
    let reserved = frames.stepState(place.step, for: place.key, \.reservedBytes) ?? 0
    guard
      step.kind != .materialize || isWritten(place.step, reserved: reserved, in: frames.pipeline)
    else { return 0 }
    let scope = frames.scope(of: place.key, at: now)
    switch step.action {
    case .materialize(let template):
      return try frames.evaluator.plan(template, scope, id: frames.nextEffectID(place)).size
    // It uses the user's space, not that of the run.
    case .download(let template) where template.save != nil: return 0
    case .download(let template):
      let plan = try frames.evaluator.plan(template, scope, at: step.location)
      guard plan.limit == .max else { return plan.limit }
      // The checker requires one of them, but a shared file is checked without the budget.
      guard frames.pipeline.budgets.diskBytes == nil else {
        throw EvaluationFailure(
          message: "the disk budget needs 'size' or 'max_size'", location: step.location)
      }
      return 0
    case .request, .poll, .digest, .upload, .repeat, .forEach: return 0
    }
  }

  /// Whether a file is written for the step; otherwise its body is created again each time it is sent.
  ///
  /// The reservation of an earlier process is for a file that exists, or may exist: it is written again in its place.
  func isWritten(_ step: Int, reserved: Int64, in pipeline: Pipeline) -> Bool {
    !pipeline.secretBodies.contains(step) && (!sendsPieces || reserved > 0)
  }

  /// Whether the command changes something outside of the state.
  ///
  /// The source of a digest, and the parts of a body that is never written, are only read. If a power cut makes the store forget it, it
  /// is read again.
  func hasEffect(_ command: Command, in pipeline: Pipeline) -> Bool {
    guard case .attempt(let reservedBytes) = command.action, let index = command.id.step else {
      return true
    }
    switch pipeline.steps[index].kind {
    case .digest: return false
    case .materialize: return isWritten(index, reserved: reservedBytes, in: pipeline)
    case .request, .upload, .download, .poll, .repeat, .forEach: return true
    }
  }

  /// The resource missing on this machine, if another worker may succeed where this one failed;
  /// `nil` if the failure is the item's or the server's, or if there are no others.
  ///
  /// - Parameter isExhausted: Whether all attempts failed. If none of them got a response, there may be no route from here.
  func lack(_ failure: Failure, at step: Int, isExhausted: Bool = false, in pipeline: Pipeline)
    -> Lack?
  {
    guard worker != nil else { return nil }
    if let lack = failure.lacking { return lack }
    if failure.status == 401, pipeline.hasCredentials(step) { return .credentials }
    return isExhausted && failure.status == nil && pipeline.steps[step].kind.hasResponse
      ? .network : nil
  }

  /// The part of a rate that this process may use.
  func share(of rate: Int, in pipeline: Pipeline) -> Rate {
    pipeline.budgets.rates[rate].share(of: shares)
  }

  /// When there is a token; `nil` if none has been consumed yet.
  func nextToken(of rate: Int, in frames: Frames) -> Instant? {
    let rate = share(of: rate, in: frames.pipeline)
    return frames.state.buckets[rate.name]?.next(rate)
  }

  /// The rate whose token comes last; `nil` if there are tokens of all.
  func lackingToken(of rates: [Int], in frames: Frames, at now: Instant) -> (
    rate: Int, until: Instant
  )? {
    var lacking: (rate: Int, until: Instant)?
    for rate in rates {
      guard let moment = nextToken(of: rate, in: frames), moment > lacking?.until ?? now else {
        continue
      }
      lacking = (rate, moment)
    }
    return lacking
  }

  func haveTokens(_ rates: [Int], in frames: Frames, at now: Instant) -> Bool {
    rates.allSatisfy { nextToken(of: $0, in: frames).map { $0 <= now } ?? true }
  }

  /// Consumes the tokens of a request that is about to be sent.
  func takeTokens(for id: EffectID, probing: Bool = false, in frames: inout Frames, at now: Instant)
  {
    let pipeline = frames.pipeline
    guard !pipeline.budgets.rates.isEmpty else { return }
    let counted =
      id.step.map { pipeline.rates(of: $0, probing: probing) } ?? id.item.map {
        frames.rates(ofCompensation: $0)
      } ?? []
    for index in counted {
      let rate = share(of: index, in: pipeline)
      let bucket = frames.state.buckets[rate.name] ?? TokenBucket(full: now)
      frames.state.buckets[rate.name] = bucket.taken(rate, at: now)
    }
    if !counted.isEmpty { frames.changes.isRunChanged = true }
  }

  /// Checks the buckets of the last process against the clock of this one.
  ///
  /// One of several shards starts without tokens, since it has a part of the rates only while a worker holds it.
  func recoverBuckets(in frames: inout Frames, at now: Instant) {
    for rate in frames.pipeline.budgets.rates.map({ $0.share(of: shares) }) {
      let known = frames.state.buckets[rate.name]?.checked(rate, at: now)
      let isEmptied = isDivided(frames.state.shard) && known.map { $0.next(rate) <= now } ?? true
      frames.state.buckets[rate.name] = isEmptied ? .empty(rate, at: now) : known
    }
  }

  /// Whether other workers use the rates as well, for other shards.
  func isDivided(_ shard: Shard?) -> Bool { worker != nil && shard.map { $0.count > 1 } ?? false }
}
