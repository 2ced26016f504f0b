import Basics
import CEL

extension Evaluator {
  /// What `response` means for `step`: the first matcher that holds decides, otherwise the status does.
  ///
  /// No matcher sees a shortage or an interruption. Once a creating request may have been read,
  /// anything but success is ``Verdict/uncertain(_:)``,
  /// unless a matcher declares that it was refused before.
  public func verdict(
    of step: Step, response: Response, _ scope: Scope, earlierStatuses: [Int] = [],
    sent bytes: Int64 = 0
  ) -> Verdict {
    if let lack = shortageVerdict(response) { return lack }
    // If the process ends or is asked to stop, there is no response for a matcher.
    if response.error?.kind == .interrupted { return .interrupted }
    if let stale = staleVerdict(response) { return stale }
    let view = ResponseView(response, earlierStatuses: earlierStatuses)
    var decider: Matcher?
    let verdict = unlistedVerdict(response) ?? judge(step, view, scope, bytes, &decider)
    return isUncertain(verdict, step, response, decider) ? .uncertain(verdict) : verdict
  }

  private func judge(
    _ step: Step, _ view: ResponseView, _ scope: Scope, _ bytes: Int64, _ decider: inout Matcher?
  ) -> Verdict {
    let response = view.response
    do throws(EvaluationFailure) {
      let scope = try self.scope(scope, ofRequestOf: step)
      for matcher in step.matchers {
        guard try holds(matcher, view, scope) else { continue }
        decider = matcher
        guard matcher.outcome != .success
        else { return try provenSuccess(of: step, view, scope, bytes) }
        let what = quoting(
          view, scope, after: "\(summary(of: step, scope)) returned \(response.status)")
        return try verdict(
          of: matcher, in: step, view, scope, otherwise: response.error?.message ?? what)
      }
      return try usualVerdict(of: step, view, scope, bytes, what: summary(of: step, scope))
    } catch {
      let failure = Failure(error.failure.message, status: response.status)
      // It took effect, but its result is unreadable: the probe or a keyed repeat may reveal it.
      let isDone = response.error == nil && (200..<300).contains(response.status)
      // Sent again under its key, the file would get the same response.
      let isAsked =
        step.probe != nil || resync(of: step) != nil
      if isDone, view.isUndecodable, step.kind.isTransfer, step.keyPlace != nil, !isAsked {
        return .pause(failure)
      }
      // A page in place of the expected data may not come from the server at all: the server's action is unknown.
      let isOpen =
        step.effect == .create || view.isForeignPage || view.isPage || isAsked
        || step.keyPlace != nil
      return isDone && isOpen ? .unknown(failure) : .fail(failure)
    }
  }

  /// Whether the run may have sent the item already: by a step after `step`, or with an earlier attempt of it.
  private func hasSent(_ scope: Scope, by step: Step) -> Bool {
    let frame = scope.itemFrame
    let isRepeated =
      step.kind.isTransfer && frame.indices.contains(step.position)
      && frame[step.position].attempt > 1
    return isRepeated || frame.dropFirst(step.position + 1).contains { $0.generation > 0 }
  }

  /// The request that asks the server for the progress of the turns, if the step runs in one.
  private func resync(of step: Step) -> RequestTemplate? {
    step.turnOf.flatMap { pipeline.steps[$0].action.request }
  }

  private func shortageVerdict(_ response: Response) -> Verdict? {
    guard let error = response.error, !error.mayHaveBeenSent else { return nil }
    switch error.kind {
    case .networkUnavailable:
      return .unavailable(.network, Failure(error.message, lacking: .network))
    case .tooManyOpenFiles:
      return .unavailable(.openFiles, Failure(error.message, lacking: .openFiles))
    case .nameNotResolved, .connectionRefused, .connectionLost, .timeout, .tls, .badURL,
      .responseTooLarge, .fileChanged, .fileUnreadable, .notAllowed, .interrupted:
      return nil
    }
  }

  /// The verdict on a request for which the transport used a connection that the server was closing.
  private func staleVerdict(_ response: Response) -> Verdict? {
    guard let error = response.error, error.circumstance == .connectionWasStale else { return nil }
    return .stale(Failure(error.message))
  }

  /// Whether it is unknown if the step took effect, although there is a verdict.
  private func isUncertain(
    _ verdict: Verdict, _ step: Step, _ response: Response, _ decider: Matcher?
  ) -> Bool {
    guard step.effect == .create, response.error?.mayHaveBeenSent != false else { return false }
    if let decider {
      // If nothing makes a repeat safe, only the author's assumption remains.
      if decider.isRefused || (step.probe == nil && step.keyPlace == nil) { return false }
    }
    switch verdict {
    case .retry, .expired, .fail, .pause, .pauseRun, .poll: return true
    case .success, .results, .unknown, .uncertain, .unavailable, .stale, .interrupted, .notDone,
      .itemDone, .itemSkipped:
      return false
    }
  }

  /// Whether the author declares that this response means the request was refused before anything was done.
  public func isRefused(by step: Step, response: Response, _ scope: Scope) -> Bool {
    guard step.effect == .create, step.matchers.contains(where: \.isRefused) else { return false }
    var decider: Matcher?
    _ = judge(step, ResponseView(response), scope, 0, &decider)
    return decider?.isRefused == true
  }

  /// Whether the matcher decides.
  ///
  /// A condition that cannot be evaluated on an unsuccessful response does not hold: a gateway's error page is no
  /// reason to fail permanently because it is not the JSON that the author expected. On a success it is the author's mistake,
  /// except in a comparison: a value that the server omits counts as different.
  private func holds(
    _ matcher: Matcher, _ view: ResponseView, _ scope: Scope
  ) throws(EvaluationFailure) -> Bool {
    guard let condition = matcher.condition else { return true }
    do throws(EvaluationFailure) { return try isTrue(condition, scope, response: view) } catch {
      guard
        matcher.isComparison || view.response.error != nil
          || !(200..<300).contains(view.response.status)
      else { throw error }
      return false
    }
  }

  /// Whether the probe's response shows that the step took effect.
  public func probeVerdict(of step: Step, probe: Probe, response: Response, _ scope: Scope)
    -> Verdict
  {
    let view = ResponseView(response)
    if let early = shortageVerdict(response) ?? staleVerdict(response) ?? unlistedVerdict(response)
    {
      return early
    }
    if let error = response.error {
      return error.kind == .interrupted ? .interrupted : .retry(Failure("probe: \(error.message)"))
    }
    do throws(EvaluationFailure) {
      let scope = try self.scope(scope, ofRequestOf: step)
      if (200..<300).contains(response.status) {
        guard try isTrue(probe.tookEffect, scope, response: view) else { return .notDone }
        return try success(of: step, view, scope, 0)
      }
      if view.tellsOfTheResource || (300..<400).contains(response.status) {
        let isDone = try? isTrue(probe.tookEffect, scope, response: view)
        if isDone == true { return try success(of: step, view, scope, 0) }
        // Something that does not exist, or no longer exists, cannot have been done; a 3xx without a target is
        // a response like any other if the author's condition can be evaluated on it. One with a target may come from a portal,
        // so it proves nothing unless the condition holds.
        let isAbsent = [404, 410].contains(response.status)
        if isAbsent || isDone == false && view.tellsOfTheResource && response.status < 400 {
          return .notDone
        }
      }
      let verdict = try usualVerdict(
        of: step, view, scope, 0, what: "step '\(step.id)': its probe's \(probe.request.method)")
      if case .unknown(let failure) = verdict {
        return .retry(failure, after: RetryAfterHeader.instant(of: response, atMost: step.retry))
      }
      if case .fail(let failure) = verdict { return .pause(failure) }
      return verdict
    } catch {
      let failure = Failure("probe: \(error.failure.message)", status: response.status)
      return view.isForeignPage ? .retry(failure) : .pause(failure)
    }
  }

  /// The meaning of a response by only its status: 501 and 505 mean that the request will never be
  /// served, and 401 for a credential that a step made means that the credential has expired.
  private func usualVerdict(
    of step: Step, _ view: ResponseView, _ scope: Scope, _ bytes: Int64, what: String
  ) throws(EvaluationFailure) -> Verdict {
    let response = view.response
    if let error = response.error { return verdict(of: error, step, scope) }
    let what = "\(what) returned \(response.status)" + redirection(of: response, scope)
    let failure = Failure(quoting(view, scope, after: what), status: response.status)
    switch response.status {
    case 200..<300: return try provenSuccess(of: step, view, scope, bytes)
    case 401:
      if let credential = step.uses.first(where: \.isCredential) {
        return .expired(step: credential.step, failure)
      }
      return .fail(failure)
    case 501, 505: return .fail(failure)
    // 423 (Locked, RFC 4918 §11.3): a lock is temporary.
    case 408, 423, 425, 429, 500...:
      return .retry(failure, after: RetryAfterHeader.instant(of: response, atMost: step.retry))
    default:
      let unmatched = Failure(
        quoting(view, scope, after: "\(what), and no `on` entry matches"), status: response.status)
      // What creates something may have done it and name it there: nothing is undone before that is known.
      let isOpen = step.effect == .create && response.status < 400
      return isOpen ? .pause(unmatched) : .fail(unmatched)
    }
  }

  /// See ``Redirection/note(of:shown:)``; secrets are masked.
  public func redirection(of response: Response, _ scope: Scope) -> String {
    Redirection.note(of: response) { redact($0, scope) }
  }

  /// The redirects that were followed, with addresses that can be shown.
  public func hops(of response: Response, _ scope: Scope) -> [Response.Hop] {
    response.hops.map {
      Response.Hop(status: $0.status, url: redact(Redirection.address($0.url), scope).visibleLine)
    }
  }

  func verdict(
    of matcher: Matcher, in step: Step, _ view: ResponseView, _ scope: Scope, otherwise text: String
  ) throws(EvaluationFailure) -> Verdict {
    let response = view.response
    var message = text
    if let template = matcher.message {
      message = redact(try self.text(template, scope, response: view), scope)
    }
    let failure = Failure(message, status: response.status == 0 ? nil : response.status)
    var after: Instant?
    if let expression = matcher.after,
      case .duration(let delay) = try value(expression, scope, response: view)
    {
      after = response.received + delay
    }
    switch matcher.outcome {
    // The caller handles a success, with its outputs.
    case .success: return .success(StepResult(status: response.status))
    case .retry:
      let wished = [after, RetryAfterHeader.instant(of: response, atMost: step.retry)].compactMap {
        $0
      }.max()
      return .retry(failure, after: wished, progressed: matcher.isProgress)
    case .expired(let index):
      // The server's request for patience does not cover the query for progress.
      let isAsked = pipeline.steps[index].kind == .repeat || step.retry.retryAfter == .ignore
      let wished = isAsked ? nil : RetryAfterHeader.instant(of: response, atMost: step.retry)
      return .expired(step: index, failure, after: [after, wished].compactMap { $0 }.max())
    case .finishItem: return .itemDone
    case .skipItem:
      // A target that the run itself has sent, and finds on the server after a lost response, is done.
      return matcher.isComparison && hasSent(scope, by: step) ? .itemDone : .itemSkipped(failure)
    case .fail: return .fail(failure)
    case .pause: return .pause(failure)
    case .pauseRun: return .pauseRun(failure)
    case .poll:
      let status = response.status == 0 ? nil : response.status
      let wished = RetryAfterHeader.instant(of: response, atMost: step.retry)
      guard step.kind == .poll else { return .poll(at: after ?? wished, status: status) }
      // A server that asks for patience has more information than the author.
      return .poll(
        at: [after, wished].compactMap { $0 }.max(), status: status,
        words: matcher.message == nil ? words(of: step, view, scope) : message,
        slower: matcher.slower)
    }
  }

  private func verdict(of error: TransportFailure, _ step: Step, _ scope: Scope) -> Verdict {
    let failure = Failure(error.message)
    if error.circumstance == .responseOverdue, step.kind == .upload, step.effect == .repeatable,
      step.keyPlace == nil, resync(of: step) == nil,
      failures(of: step, in: scope) > 0
    {
      // Only another transfer of the file would show it, and the last one did not.
      return .pause(
        failure.saying(
          "\(error.message), although the server has the whole file: check whether it is there, or raise "
            + "`response_timeout`, before `pipeline retry` sends the file again"))
    }
    switch error.kind {
    case .interrupted: return .interrupted
    case .responseTooLarge:
      // There was a response, but it is unusable: the probe may get a usable one.
      let isAsked = step.effect == .create && step.probe != nil && error.mayHaveBeenSent
      return isAsked ? .unknown(failure) : .fail(failure)
    case .fileChanged, .fileUnreadable: return .fail(Failure(error.message, lacking: .files))
    case .badURL: return .fail(failure)
    // The user may allow it, and nothing is lost until then.
    case .tls, .notAllowed: return .pause(failure)
    case .nameNotResolved, .connectionRefused, .networkUnavailable, .tooManyOpenFiles:
      return error.mayHaveBeenSent ? .unknown(failure) : .retry(failure)
    case .connectionLost, .timeout:
      return error.mayHaveBeenSent ? .unknown(failure) : .retry(failure)
    }
  }

  private func failures(of step: Step, in scope: Scope) -> Int {
    let frame = scope.frame(of: step)
    return frame.indices.contains(step.position) ? frame[step.position].failures : 0
  }

  /// Success, unless a 2xx response lacks something that the author requires: then the server's action is unknown.
  private func provenSuccess(
    of step: Step, _ view: ResponseView, _ scope: Scope, _ bytes: Int64
  ) throws(EvaluationFailure) -> Verdict {
    let status = view.response.status
    guard let condition = step.successIf, (200..<300).contains(status)
    else { return try success(of: step, view, scope, bytes) }
    // A condition that cannot be evaluated, such as on a page in place of JSON, proves nothing either.
    if (try? isTrue(condition, scope, response: view)) == true {
      return try success(of: step, view, scope, bytes)
    }
    let what = "\(summary(of: step, scope)) returned \(status), but not what 'success_if' requires"
    return .unknown(Failure(quoting(view, scope, after: what), status: status))
  }

  private func success(
    of step: Step, _ view: ResponseView, _ scope: Scope, _ bytes: Int64
  ) throws(EvaluationFailure) -> Verdict {
    guard let batch = step.batch else { return .success(try result(of: step, view, scope, bytes)) }
    let response = view.response
    let whole = StepResult(
      status: response.status, clock: hostClock(of: response),
      duration: response.received - response.sent, bytes: bytes)
    let results = results(batch, step, view, scope, whole)
    guard view.isForeignPage, let text = view.bodyFailure else { return results }
    return .unknown(Failure(text, status: response.status))
  }

  func result(
    of step: Step, _ view: ResponseView, _ scope: Scope, _ bytes: Int64
  ) throws(EvaluationFailure) -> StepResult {
    let response = view.response
    var result = StepResult(
      status: response.status, clock: hostClock(of: response),
      duration: response.received - response.sent, bytes: bytes)
    for output in step.outputs {
      result.outputs.append(try self.output(output, view, scope, clock: result.clock))
    }
    return result
  }

  private func output(
    _ declaration: OutputDeclaration, _ view: ResponseView, _ scope: Scope,
    clock: StepResult.HostClock?
  ) throws(EvaluationFailure) -> OutputValue {
    let value = try value(declaration.value, scope, response: view)
    guard let lifetime = declaration.lifetime else {
      return OutputValue(
        value: value, isSecret: declaration.isSecret, isSealed: declaration.isSealed)
    }
    let expires = try end(of: lifetime, view, scope, clock)
    let skew = lifetime.skew(of: expires - view.response.received)
    let life = expires - view.response.sent
    return OutputValue(
      value: value, isSecret: declaration.isSecret, isSealed: declaration.isSealed,
      expires: expires, staleFrom: expires - skew, slide: lifetime.slides ? life : nil)
  }

  private func end(
    of lifetime: Lifetime, _ view: ResponseView, _ scope: Scope, _ clock: StepResult.HostClock?
  ) throws(EvaluationFailure) -> Instant {
    switch lifetime.end {
    case .after(let expression):
      guard case .duration(let life) = try value(expression, scope, response: view)
      else { throw EvaluationFailure("expected a duration", at: expression.location) }
      // The server started counting when we received at the latest, when we sent at the earliest.
      return view.response.sent + life
    case .at(let expression):
      guard case .timestamp(let moment) = try value(expression, scope, response: view)
      else { throw EvaluationFailure("expected a timestamp", at: expression.location) }
      return clock?.offset.earliestLocal(ofServer: Instant(moment)) ?? Instant(moment)
    case .url(let expression):
      guard let url = try value(expression, scope, response: view).stringValue
      else { throw EvaluationFailure("expected a URL", at: expression.location) }
      guard let moment = SignedURL.expiry(of: url) else {
        throw EvaluationFailure(
          "the URL does not contain its expiry time: \(SignedURL.forms)", at: expression.location)
      }
      return clock?.offset.earliestLocal(ofServer: Instant(moment)) ?? Instant(moment)
    }
  }

  func hostClock(of response: Response) -> StepResult.HostClock? {
    guard let text = response.header("date"), let date = HTTPDate.parse(text, at: response.received)
    else { return nil }
    return StepResult.HostClock(
      host: Self.host(of: response.url),
      offset: ClockOffset(date: date, sent: response.sent, received: response.received))
  }

  /// Host and port of an absolute URL.
  static func host(of url: String) -> String {
    guard let start = url.authorityStart else { return url }
    return String(url[start..<url.authorityEnd(after: start)])
  }

  private func summary(of step: Step, _ scope: Scope) -> String {
    "step '\(step.id)'" + (step.action.request.map { ": \($0.method)" } ?? "")
  }
}
