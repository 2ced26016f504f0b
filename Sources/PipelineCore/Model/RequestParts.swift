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
}

/// A name and its value, such as a header, a query item or a field of a form.
public struct NamedTemplate<S: Stage>: Sendable {
  /// The name.
  public let name: S.Name
  /// The value.
  public let value: S.Template

  /// Pairs a name with its value.
  public init(name: S.Name, value: S.Template) {
    self.name = name
    self.value = value
  }
}

extension RequestAuthorization: Equatable, Hashable where S == Compiled {}
extension RequestBody: Equatable, Hashable where S == Compiled {}
extension NamedTemplate: Equatable, Hashable where S == Compiled {}
