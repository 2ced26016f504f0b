/// The data that the credential store keeps of a step that obtains a token: its sign-in outlives runs,
/// and all runs share it.
///
/// Steps with one are generated from `oauth2` credentials,
/// whose refresh tokens may be replaced each time they are used.
public struct SignIn: Hashable, Sendable {
  /// The name of the credentials, for messages.
  public let name: String
  /// The token endpoint.
  public let tokenURL: Template
  /// The client's ID.
  public let client: Template
  /// The origin of the sign-in: a digest of the token that the user passed, or where they signed in.
  public let origin: Template
  /// Index in ``Step/outputs`` of the token that is kept; `nil` for the step that asks the user.
  public let output: Int?
  /// Index in ``Pipeline/steps`` of the step that asks the user to sign in;
  /// `nil` if they passed a token.
  public let asks: Int?

  /// Describes the stored data.
  public init(
    name: String, tokenURL: Template, client: Template, origin: Template, output: Int?, asks: Int?
  ) {
    self.name = name
    self.tokenURL = tokenURL
    self.client = client
    self.origin = origin
    self.output = output
    self.asks = asks
  }
}
