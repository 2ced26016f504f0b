public import CEL

/// The values that a request is signed with when it is sent.
public struct RenderedSigning: Hashable, Sendable {
  /// How the signature is computed.
  public let scheme: SigningScheme
  /// Its parameters, by the scheme's keys.
  public let values: [String: String]
  /// The name of the credentials whose keys the user passes; they are not among the values.
  public var given: String?
  /// The claims of a token, or the further parameters of OAuth 1.0a, in the order of the file.
  public var claims: [Claim] = []
  /// By how many milliseconds the server's clock is ahead of ours, according to its responses.
  public var clockLead: Int64
  /// A text that no other attempt has, in any run: a nonce is derived from it.
  public var fence = ""
  /// The headers that ``SigningScheme/expressions`` computes; their expressions read the finished request.
  public var headers: [RequestTemplate.Field] = []
  /// The other values that those expressions read.
  public var scope: Scope?
  /// The position of the step, for messages.
  public let location: SourceLocation

  /// A claim of a token, or a parameter.
  public struct Claim: Hashable, Sendable {
    public let name: String
    /// Its value; anything that JSON can hold.
    public let value: Value

    /// Makes a claim.
    public init(name: String, value: Value) { (self.name, self.value) = (name, value) }
  }

  /// Describes a signature.
  public init(
    scheme: SigningScheme, values: [String: String], clockLead: Int64 = 0, location: SourceLocation
  ) {
    (self.scheme, self.values, self.clockLead) = (scheme, values, clockLead)
    self.location = location
  }

  /// The server's time at an instant of ours.
  public func serverTime(at now: Instant) -> Instant { now + .milliseconds(clockLead) }

  /// The digests of the body that the signature covers; only these are computed.
  public var bodyDigests: [DigestAlgorithm] {
    switch scheme {
    case .awsV4(_, .signed, _): [.sha256]
    case .awsV4(_, .unsigned, _), .sharedKey, .oauth1, .jwt: []
    case .expressions:
      DigestAlgorithm.allCases.filter { algorithm in
        headers.contains { header in
          header.value.expressions.contains { expression in
            expression.compiled.references.contains {
              $0.variable == "request.body.\(algorithm.rawValue)"
            }
          }
        }
      }
    }
  }
}

extension Evaluator {
  /// The signing parameters of a template's request.
  func signing(
    _ signing: RequestSigning<Compiled>, for url: String, _ scope: Scope,
    at location: SourceLocation
  ) throws(EvaluationFailure) -> RenderedSigning {
    var values: [String: String] = [:]
    for value in signing.values { values[value.name] = try text(value.value, scope) }
    var rendered = RenderedSigning(
      scheme: signing.scheme, values: values,
      clockLead: scope.clockLead(of: url), location: location)
    rendered.given = signing.given
    switch signing.scheme {
    case .jwt:
      for claim in signing.entries {
        rendered.claims.append(.init(name: claim.name, value: try value(claim.value, scope)))
      }
    case .oauth1:
      for parameter in signing.entries {
        let value = try text(parameter.value, scope)
        rendered.claims.append(.init(name: parameter.name, value: .string(value)))
      }
    case .expressions:
      rendered.headers = signing.entries
      rendered.scope = scope
    case .awsV4, .sharedKey: break
    }
    return rendered
  }

  /// The request with the headers that its author's expressions compute from it; unchanged without such expressions.
  public func signed(
    _ request: RenderedRequest, size: Int64, digests: [DigestAlgorithm: String], at now: Instant
  ) throws(EvaluationFailure) -> RenderedRequest {
    guard let signing = request.signing, var scope = signing.scope else { return request }
    let server = signing.serverTime(at: now)
    let target = RequestTarget(request.url)
    var headers: [(String, Value)] = [("host", .string(target.host))]
    for header in request.headers {
      headers.append((header.name.lowercased(), .string(header.value)))
    }
    scope.locals.merge([
      "request.method": .string(request.method), "request.url": .string(request.url),
      "request.host": .string(target.host), "request.path": .string(target.path),
      "request.query": .string(target.query ?? ""), "request.headers": .map(MapValue(headers)),
      "request.body.size": .int(size), "clock.server": .timestamp(server.timestamp),
    ]) { _, new in new }
    for (algorithm, digest) in digests {
      scope.locals["request.body.\(algorithm.rawValue)"] = .string(digest)
    }
    var signed = request
    for field in signing.headers {
      let value = try header(field, scope, at: signing.location) ?? ""
      signed.headers.removeAll { $0.name.lowercased() == field.name.lowercased() }
      signed.headers.append(.init(name: field.name, value: value))
      signed.secretHeaders.insert(field.name.lowercased())
    }
    signed.signed = server
    return signed
  }

  /// A text that no other attempt has, in any run; for ``RenderedSigning/fence``.
  public func fence(_ id: EffectID, _ scope: Scope) -> String { "\(scope.keyPrefix) \(id)" }

  /// The verdict on a refusal that a wrong or old signing time explains: the request is signed again; `nil` for any other response.
  ///
  /// Servers compare a signature's time with their clock. If the clock in the response's `Date` is not the one that the
  /// request was signed with, or if the signature waited longer in a queue than servers accept,
  /// the refusal contains no other information.
  public func verdict(
    onRefusalOf signed: Instant?, lead: Int64, isQueued: Bool, _ response: Response
  ) -> (verdict: Verdict, clock: StepResult.HostClock)? {
    guard let signed, response.error == nil, [400, 401, 403].contains(response.status),
      let clock = hostClock(of: response)
    else { return nil }
    let error = clock.offset.distance(to: lead)
    if error >= Self.toleratedClockError {
      return (
        .retry(
          Failure(
            "the server refused a request that was signed with a clock \(error / 1000) s away from its own; "
              + "it is signed with the server's time", status: response.status)), clock
      )
    }
    let age = response.received + .milliseconds(clock.offset.middle) - signed
    guard isQueued, age > SigningScheme.oldestSignature else { return nil }
    return (
      .retry(
        Failure(
          "the server refused a request that was signed \(age.milliseconds / 60_000) min before it was sent",
          status: response.status)), clock
    )
  }

  /// A clock that is wrong by less does not explain a refusal: servers allow at least some minutes.
  private static let toleratedClockError: Int64 = 30_000
}

/// The parts of a URL that signatures cover.
public struct RequestTarget: Hashable, Sendable {
  /// The host as the header `Host` has it: with the port only if it is not the scheme's own.
  public let host: String
  /// The path as it is sent; `/` if the URL has no path.
  public let path: String
  /// The query as it is sent, without `?`; `nil` if the URL has no query.
  public let query: String?

  /// Reads an absolute URL.
  public init(_ url: String) {
    let isTLS = url.prefix(8).lowercased() == "https://"
    let start = url.authorityStart ?? url.startIndex
    let end = url.authorityEnd(after: start)
    let usual = isTLS ? ":443" : ":80"
    let authority = url[start..<end].lowercased()
    host = authority.hasSuffix(usual) ? String(authority.dropLast(usual.count)) : authority
    let target = url[end...].prefix { $0 != "#" }
    let mark = target.firstIndex(of: "?")
    let path = target[..<(mark ?? target.endIndex)]
    self.path = path.isEmpty ? "/" : String(path)
    query = mark.map { String(target[target.index(after: $0)...]) }
  }
}

extension ClockOffset {
  /// The middle of the bounds.
  public var middle: Int64 { low / 2 + high / 2 + (low % 2 + high % 2) / 2 }
  func distance(to lead: Int64) -> Int64 { max(low - lead, lead - high, 0) }
}

extension Scope {
  /// By how many milliseconds the clock of a URL's host is ahead of ours; 0 if unknown.
  public func clockLead(of url: String) -> Int64 { clocks[Evaluator.host(of: url)]?.middle ?? 0 }
}
