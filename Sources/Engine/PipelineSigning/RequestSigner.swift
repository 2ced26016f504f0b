import Basics
public import PipelineCore
public import PipelineEngine

/// Signs requests by the schemes of ``/PipelineCore/SigningScheme``, in real runs and in simulations.
public struct RequestSigner: RequestAuthorizer {
  /// Keys that the user passes, and where they may be used.
  public struct GivenKeys: Sendable {
    let values: [String: String]
    let host: String

    /// Keys for one host.
    public init(values: [String: String], host: String) {
      self.values = values
      self.host = host.lowercased()
    }
  }

  private let given: [String: GivenKeys]
  private let isSimulated: Bool

  /// A signer with the keys that the user passes, by the names of the credentials.
  public init(given: [String: GivenKeys] = [:]) {
    self.given = given
    isSimulated = false
  }

  private init(isSimulated: Bool) {
    given = [:]
    self.isSimulated = isSimulated
  }

  /// A signer for simulations, which have no real keys: the user need not pass any.
  public static let simulated = RequestSigner(isSimulated: true)

  /// Keys of the form that the scheme needs, in the place of a simulation's keys, which are any text.
  private static func placeholders(for signing: RenderedSigning) -> [String: String] {
    if signing.given != nil { return ["key": "simulated", "secret": "simulated"] }
    guard case .sharedKey = signing.scheme, let key = signing.values["key"] else { return [:] }
    return ["key": Base64.encode(Array(key.utf8))]
  }

  /// The signing parameters of the request, with the keys that the user passed.
  private func complete(
    _ signing: RenderedSigning, for url: String
  ) throws(AuthorizationFailure) -> RenderedSigning {
    if isSimulated { return signing.with(Self.placeholders(for: signing)) }
    guard let name = signing.given else { return signing }
    guard let keys = given[name] else {
      throw AuthorizationFailure(
        message: "the credentials '\(name)' have no keys (--credentials)")
    }
    let host = RequestTarget(url).host
    guard host == keys.host else {
      throw AuthorizationFailure(
        message:
          "the credentials '\(name)' are set for \(keys.host), and not for \(host) (--credentials)"
      )
    }
    return signing.with(keys.values)
  }

  /// Signs a request; see ``/PipelineEngine/RequestAuthorizer``.
  public func authorize(
    _ request: RenderedRequest, body: BodySummary, at now: Instant
  ) throws(AuthorizationFailure) -> RenderedRequest {
    guard let described = request.signing else { return request }
    let signing = try complete(described, for: request.url)
    let server = signing.serverTime(at: now)
    var signed = request
    switch signing.scheme {
    case .awsV4(let place, let payload, let life):
      let key = try AWSSignature.Key(signing)
      let hash = payload == .unsigned ? AWSSignature.unsignedPayload : body.digests[.sha256]
      try AWSSignature(key: key, time: server, payloadHash: hash).sign(
        &signed, in: place, life: life)
    case .sharedKey: try SharedKeySignature(signing, time: server).sign(&signed, size: body.size)
    case .oauth1: try OAuth1Signature(signing, time: server).sign(&signed)
    case .jwt(let algorithm, let life, let place):
      let token = try JSONWebToken(
        signing, algorithm, life: life, time: server, hasID: place != .bearer,
        isSimulated: isSimulated)
      token.write(to: &signed, in: place)
    // The evaluator computes them.
    case .expressions: break
    }
    signed.signed = server
    return signed
  }

  /// The digest of bytes; see ``/PipelineEngine/RequestAuthorizer``.
  public func digest(of bytes: [UInt8], _ algorithm: DigestAlgorithm) -> String {
    ContentDigest.of(bytes, algorithm)
  }
}

extension RenderedSigning {
  func with(_ further: [String: String]) -> RenderedSigning {
    var complete = RenderedSigning(
      scheme: scheme, values: values.merging(further) { _, new in new }, clockLead: clockLead,
      location: location)
    complete.claims = claims
    complete.fence = fence
    return complete
  }

  func required(_ name: String) throws(AuthorizationFailure) -> String {
    guard let value = values[name], !value.isEmpty else {
      throw AuthorizationFailure(message: "'\(name)' of '\(scheme.key)' is empty")
    }
    return value
  }

  func optional(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
}

extension RenderedRequest {
  func value(of name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }

  /// Sets a header in the place of any other with its name.
  mutating func set(_ name: String, _ value: String, isSecret: Bool = false) {
    let wanted = name.lowercased()
    headers.removeAll { $0.name.lowercased() == wanted }
    headers.append(.init(name: name, value: value))
    if isSecret { secretHeaders.insert(wanted) }
  }

  /// Adds items, already escaped, to the query; ``unsignedURL`` keeps the URL as it was.
  mutating func addQuery(_ items: [(name: String, value: String)]) {
    unsignedURL = unsignedURL ?? url
    var separator = url.contains("?") ? (url.hasSuffix("?") ? "" : "&") : "?"
    for item in items {
      url += "\(separator)\(item.name)=\(item.value)"
      separator = "&"
    }
  }
}

extension Instant {
  var wholeSeconds: Int64 { milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000 }
}

/// The items of a query: names and values without their escapes.
struct QueryItems {
  /// The items in order; a name without `=` has an empty value.
  let items: [(name: [UInt8], value: [UInt8])]

  init(_ query: String?, plusIsSpace: Bool) {
    func decoded(_ text: Substring) -> [UInt8] {
      let bytes = text.utf8.map { plusIsSpace && $0 == UInt8(ascii: "+") ? 0x20 : $0 }
      return PercentEncoding.decode(bytes, keepingMalformed: true) ?? bytes
    }
    items = (query ?? "").split(separator: "&").map { item in
      guard let equals = item.firstIndex(of: "=") else { return (decoded(item), []) }
      return (decoded(item[..<equals]), decoded(item[item.index(after: equals)...]))
    }
  }

  /// Names and values, escaped (RFC 3986 §2.1) and in order of the escaped bytes.
  var sortedAndEscaped: [(name: String, value: String)] {
    func escaped(_ bytes: [UInt8]) -> String {
      String(decoding: PercentEncoding.encode(bytes), as: UTF8.self)
    }
    return items.map { (name: escaped($0.name), value: escaped($0.value)) }.sorted {
      $0.name.utf8.elementsEqual($1.name.utf8)
        ? $0.value.utf8.lexicographicallyPrecedes($1.value.utf8)
        : $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
  }
}
