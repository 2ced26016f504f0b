/// How a request is authorized.
public enum RequestAuthorization<S: Stage>: Sendable {
  /// `Authorization: Bearer …` (RFC 6750).
  case bearer(S.Template)
  /// `Authorization: Basic …` (RFC 7617).
  case basic(user: S.Template, password: S.Template)
  /// Headers that are a credential, such as an API key.
  case headers([NamedTemplate<S>])
  /// A signature of the finished request.
  case signing(RequestSigning<S>)
}

/// The content of a request.
public enum RequestBody<S: Stage>: Sendable {
  /// `application/json`.
  case json(JSONForm<S.Template>)
  /// `application/x-www-form-urlencoded`.
  case form([NamedTemplate<S>])
  /// Literal text.
  case text(S.Template)
  /// `application/xml`: a text whose expressions are escaped, or become elements.
  case xml(S.Template)
}

/// Headers that an expression returns as a map by name, such as those that a response asks for.
public struct HeaderMap<S: Stage>: Sendable {
  /// The map.
  public let value: S.Expression
  /// How many of the request's own headers come before it: of a name that occurs twice, the later value is sent.
  public let position: Int

  /// Places a map among the headers of a request.
  public init(_ value: S.Expression, position: Int) {
    (self.value, self.position) = (value, position)
  }
}

/// Where a request carries its idempotency key.
public enum IdempotencyKeyPlace<Name: Sendable>: Sendable {
  case header(Name)
  /// A query item.
  case query(Name)
  /// A field of a JSON object or of a form.
  case field(Name)
  /// Wherever the request's own expressions put it: they read it as ``IdempotencyKey/name``.
  case request

  /// The header, if that is the place.
  public var header: Name? { if case .header(let name) = self { name } else { nil } }
}

extension IdempotencyKeyPlace<String> {
  /// The place in words, such as `Idempotency-Key` or `the field 'nonce'`.
  public var words: String {
    switch self {
    case .header(let name): name
    case .query(let name): "the query item '\(name)'"
    case .field(let name): "the field '\(name)'"
    case .request: "the request's own expressions"
    }
  }
}

/// A key by which a server recognizes a repeated request.
public struct IdempotencyKey: Hashable, Sendable {
  /// The name of the key's value in expressions.
  public static let name = "idempotency.key"
  /// Where it is sent.
  public let place: IdempotencyKeyPlace<String>
  /// The key.
  public let value: String
  /// Whether it contains a secret.
  public let isSecret: Bool

  /// A key and its place.
  public init(_ value: String, in place: IdempotencyKeyPlace<String>, isSecret: Bool = false) {
    (self.value, self.place, self.isSecret) = (value, place, isSecret)
  }
}

/// A name and its value, such as a header, a query item or a field of a form.
public struct NamedTemplate<S: Stage>: Sendable {
  public let name: S.Name
  public let value: S.Template

  /// Pairs a name with its value.
  public init(name: S.Name, value: S.Template) { (self.name, self.value) = (name, value) }
}

extension RequestAuthorization: Equatable, Hashable where S == Compiled {}
extension RequestBody: Equatable, Hashable where S == Compiled {}
extension NamedTemplate: Equatable, Hashable where S == Compiled {}
extension HeaderMap: Equatable, Hashable where S == Compiled {}
extension IdempotencyKeyPlace: Equatable, Hashable where Name: Hashable {}
