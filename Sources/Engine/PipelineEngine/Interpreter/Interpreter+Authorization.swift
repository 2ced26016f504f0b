/// The one place where rendered requests are signed (docs/decisions/0025-requests-are-signed-when-they-are-sent.md).
extension Interpreter {
  /// The body that must be read before the operation's request can be signed, with the digests to compute;
  /// `nil` if none has to be.
  public func bodyToDigest(for operation: PortOperation) -> MaterializationPlan? {
    guard case .upload(let request, let file, let body) = operation, let signing = request.signing
    else { return nil }
    let wanted = signing.bodyDigests
    let known = body == Body(file) ? file.digests : body.digests
    guard wanted.contains(where: { known[$0] == nil }) else { return nil }
    return MaterializationPlan(
      pieces: body.pieces, digests: wanted, name: file.name, contentType: nil,
      unwritten: Instant(milliseconds: 0))
  }

  /// The operation with its request signed for `now`; unchanged if it needs no signature.
  public func authorized(
    _ operation: PortOperation, digests: [DigestAlgorithm: String] = [:], at now: Instant,
    by authorizer: (any RequestAuthorizer)?
  ) -> PortOperation {
    guard let request = operation.request, let signing = request.signing else { return operation }
    do throws(AuthorizationFailure) {
      guard let authorizer else {
        throw AuthorizationFailure(
          message: "this program has no authorizer for '\(signing.scheme.key)'")
      }
      let body = summary(of: operation, signing, digests, authorizer)
      var signed: RenderedRequest
      if signing.scheme == .expressions {
        do throws(EvaluationFailure) {
          signed = try evaluator.signed(request, size: body.size, digests: body.digests, at: now)
        } catch { return .none(.fail(error.failure)) }
      } else {
        signed = try authorizer.authorize(request, body: body, at: now)
      }
      signed.carriesSecret = true
      return operation.with(request: signed)
    } catch { return .none(.fail(Failure("\(signing.location): \(error.message)"))) }
  }

  private func summary(
    of operation: PortOperation, _ signing: RenderedSigning, _ digests: [DigestAlgorithm: String],
    _ authorizer: any RequestAuthorizer
  ) -> BodySummary {
    if case .upload(_, let file, let body) = operation {
      let known = body == Body(file) ? file.digests : body.digests
      return BodySummary(size: body.size, digests: known.merging(digests) { _, new in new })
    }
    let bytes = operation.request?.body ?? []
    var digests = digests
    for algorithm in signing.bodyDigests {
      digests[algorithm] = authorizer.digest(of: bytes, algorithm)
    }
    return BodySummary(size: Int64(bytes.count), digests: digests)
  }

  /// A response's information about the time of a server, for ``/PipelineCore/Event/serverTimeRead(_:)``;
  /// `nil` if it refuses no signature.
  public func serverTime(
    in response: Response, to operation: PortOperation, of command: Command
  ) -> StepResult.HostClock? { refusal(in: response, to: operation, of: command)?.clock }

  /// The verdict on a response that refuses a signature because of its time,
  /// with the response's information about the server's clock.
  func refusal(
    in response: Response, to operation: PortOperation, of command: Command
  ) -> (verdict: Verdict, clock: StepResult.HostClock)? {
    switch operation {
    case .send(let request):
      return evaluator.verdict(
        onRefusalOf: request.signed, lead: request.signing?.clockLead ?? 0, isQueued: false,
        response)
    case .upload(let request, _, _), .download(let request, _, _):
      return evaluator.verdict(
        onRefusalOf: request.signed, lead: request.signing?.clockLead ?? 0, isQueued: true,
        response)
    case .adopt:
      // The process that signed it is gone; the state contains when it handed the request over.
      guard let step = evaluator.pipeline.step(of: command.id),
        case .signing? = step.action.request?.authorization
      else { return nil }
      let frame = command.scope.frame(of: step)
      guard frame.indices.contains(step.position) else { return nil }
      let lead = command.scope.clockLead(of: response.url)
      return evaluator.verdict(
        onRefusalOf: frame[step.position].since + .milliseconds(lead), lead: lead, isQueued: true,
        response)
    case .materialize, .none: return nil
    }
  }

  /// The response as the step's expressions may see it: without the signature in a URL.
  func unsigned(_ response: Response, to operation: PortOperation) -> Response {
    guard let request = operation.request, let plain = request.unsignedURL,
      response.url == request.url
    else { return response }
    return Response(
      status: response.status, headers: response.headers, body: response.body, url: plain,
      error: response.error, sent: response.sent, received: response.received)
  }
}

extension PortOperation {
  /// The request that it sends.
  public var request: RenderedRequest? {
    switch self {
    case .send(let request), .upload(let request, _, _), .download(let request, _, _): request
    case .adopt, .materialize, .none: nil
    }
  }

  /// The same operation with another request; unchanged if it does not send a request.
  public func with(request: RenderedRequest) -> PortOperation {
    switch self {
    case .send: .send(request)
    case .upload(_, let file, let body): .upload(request, file, body)
    case .download(_, let plan, let path): .download(request, plan, path: path)
    case .adopt, .materialize, .none: self
    }
  }
}
