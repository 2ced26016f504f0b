/// A signature of a request, made of the finished request when it is sent.
///
/// The core evaluates the parameters; an authorizer outside it computes the signature.
public struct RequestSigning<S: Stage>: Sendable {
  /// How it is computed.
  public let scheme: SigningScheme
  /// Its parameters, by the scheme's keys: `key`, `secret`, `region` and so on.
  public let values: [NamedTemplate<S>]
  /// The values that the author names: the claims of a JSON Web Token,
  /// or the headers of ``SigningScheme/expressions``.
  public let entries: [NamedTemplate<S>]
  /// The name of the credentials, if the user passes their keys to the program that runs the pipeline.
  ///
  /// The pipeline never has them, so no expression can send them anywhere.
  public let given: String?

  /// Describes a signature.
  public init(
    scheme: SigningScheme, values: [NamedTemplate<S>] = [], entries: [NamedTemplate<S>] = [],
    given: String? = nil
  ) { (self.scheme, self.values, self.entries, self.given) = (scheme, values, entries, given) }
}

extension RequestSigning: Equatable, Hashable where S == Compiled {}

/// The ways to sign a request, by the names of their standards.
public enum SigningScheme: Hashable, Sendable {
  /// AWS Signature Version 4, in a header or in the query; `life` is how long a URL with a signature is valid.
  case awsV4(place: SignaturePlace, payload: SignedPayload, life: Duration)
  /// Shared Key, of storage services.
  case sharedKey
  /// OAuth 1.0a with HMAC-SHA1 (RFC 5849).
  case oauth1
  /// A JSON Web Token (RFC 7519), valid for `life`.
  case jwt(JWTAlgorithm, life: Duration, in: JWTPlace = .bearer)
  /// Headers that the author's own expressions compute from the finished request.
  case expressions

  /// The key that the author writes.
  public var key: String {
    switch self {
    case .awsV4: "aws_v4"
    case .sharedKey: "shared_key"
    case .oauth1: "oauth1"
    case .jwt: "jwt"
    case .expressions: "sign"
    }
  }

  /// The maximum life of a signed URL with AWS Signature Version 4: seven days.
  public static let longestURLLife: Duration = .seconds(7 * 86400)
  /// The life of a signed URL or token, if the author does not specify it.
  public static let defaultLife: Duration = .seconds(15 * 60)
  /// The age at which services refuse a signature: those of AWS and Azure allow 15 minutes.
  public static let oldestSignature: Duration = .seconds(15 * 60)
}

/// Where a signature is written.
public enum SignaturePlace: String, Hashable, Sendable, CaseIterable {
  /// In the header `Authorization`.
  case header
  /// In the query of the URL.
  case query
}

/// Whether a signature covers the body.
public enum SignedPayload: String, Hashable, Sendable, CaseIterable {
  /// The digest of the body is signed, so that the body is read before it is sent.
  case signed
  /// The body is not signed, and read once.
  case unsigned
}

/// The algorithms of JSON Web Tokens (RFC 7518 §3.1).
public enum JWTAlgorithm: String, Hashable, Sendable, CaseIterable {
  /// ECDSA with P-256 and SHA-256.
  case es256 = "ES256"
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  case rs256 = "RS256"
}

/// Where a JSON Web Token is written.
public enum JWTPlace: String, Hashable, Sendable {
  /// In the header `Authorization`, as a bearer token.
  case bearer
  /// In the field `assertion` of a form: the grant of a request for a token (RFC 7523 §2.1).
  case assertion
  /// In the field `client_assertion` of a form: the identity of the client (RFC 7523 §2.2).
  case clientAssertion = "client_assertion"
}

extension RequestAuthorization {
  /// Every template, in no order.
  public var templates: [S.Template] {
    switch self {
    case .bearer(let token): [token]
    case .basic(let user, let password): [user, password]
    case .headers(let fields): fields.map(\.value)
    case .signing(let signing): (signing.values + signing.entries).map(\.value)
    }
  }

  /// The key that the author writes.
  public var key: String {
    switch self {
    case .bearer: "bearer"
    case .basic: "basic"
    case .headers: "header"
    case .signing(let signing): signing.scheme.key
    }
  }

  /// The same with each template changed.
  public func mapped(_ change: (S.Template) -> S.Template) -> Self {
    func mapped(_ fields: [NamedTemplate<S>]) -> [NamedTemplate<S>] {
      fields.map { NamedTemplate(name: $0.name, value: change($0.value)) }
    }
    return switch self {
    case .bearer(let token): .bearer(change(token))
    case .basic(let user, let password): .basic(user: change(user), password: change(password))
    case .headers(let fields): .headers(mapped(fields))
    case .signing(let signing):
      .signing(
        RequestSigning(
          scheme: signing.scheme, values: mapped(signing.values), entries: mapped(signing.entries),
          given: signing.given))
    }
  }
}

extension Pipeline {
  /// The names of the credentials whose keys the user passes, in order.
  public var givenCredentials: [String] {
    let requests = steps.flatMap { [$0.action.request, $0.probe?.request].compactMap { $0 } }
    return Set((requests + loops.flatMap { $0.onAbandon.map(\.request) }).compactMap(\.given))
      .sorted()
  }
}

extension RequestTemplate {
  /// The name of the credentials that the user passes for the request.
  public var given: String? {
    if case .signing(let signing)? = authorization { signing.given } else { nil }
  }
}
