/// Keeps the results of sign-ins: one for each token endpoint, client and origin, for all runs that use it.
///
/// Contract: one exchange with a sign-in at a time, across all processes that share the store; the changes of
/// an exchange are durable before the call returns.
/// A sign-in that was kept and cannot be read is a failure, never `nil`.
public protocol CredentialStore: Sendable {
  /// Waits until no other process uses the sign-in, and lets `exchange` use it.
  ///
  /// - Parameter exchange: Receives the stored sign-in, or `nil`; returns its replacement (`nil` changes nothing).
  /// - Throws: ``CredentialFailure`` if the store cannot be used. If `exchange` was called, its result is lost.
  func withCredential(
    _ id: CredentialID,
    _ exchange: @escaping @Sendable (StoredCredential?) async -> (StoredCredential?, Verdict)
  ) async throws(CredentialFailure) -> Verdict
}

extension CredentialStore {
  /// Encrypts sign-ins again that the store's sealer opens; returns how many were changed, and how many could not be opened.
  public func reseal(_ ids: [CredentialID]) async throws(CredentialFailure) -> (
    changed: Int, lost: Int
  ) {
    var (changed, lost) = (0, 0)
    for id in ids {
      do throws(CredentialFailure) {
        _ = try await withCredential(id) { ($0, .notDone) }
        changed += 1
      } catch {
        guard error == .wrongKey else { throw error }
        lost += 1
      }
    }
    return (changed, lost)
  }
}

/// The identity of a sign-in.
public struct CredentialID: Hashable, Sendable {
  /// The token endpoint, without secrets.
  public let tokenURL: String
  /// The client's ID.
  public let client: String
  /// Its origin: a digest of the token that the user passed, or where they signed in.
  public let origin: String

  /// Names a sign-in.
  public init(tokenURL: String, client: String, origin: String) {
    (self.tokenURL, self.client, self.origin) = (tokenURL, client, origin)
  }
}

/// The stored data of a sign-in.
public struct StoredCredential: Hashable, Sendable {
  /// The token that is valid now.
  public let token: String
  /// Whether the server has refused it, so that the user must sign in again.
  public let isRefused: Bool

  /// Keeps a token.
  public init(token: String, isRefused: Bool = false) {
    (self.token, self.isRefused) = (token, isRefused)
  }
}

/// Why a store of credentials cannot be used; contains no secret.
public struct CredentialFailure: Error, Hashable, Sendable {
  /// The problem, for the user.
  public let message: String
  /// Whether the wait for it was interrupted, and nothing is wrong.
  public let isInterruption: Bool

  /// Describes a failure.
  public init(message: String) { (self.message, isInterruption) = (message, false) }
  private init() { (message, isInterruption) = ("interrupted", true) }
  /// The sealer has another key, or the text was changed or is of another sign-in.
  public static let wrongKey = CredentialFailure(
    message:
      "the key does not open it; continue with the key that it was stored with, or remove it (`pipeline credentials`) and sign in again"
  )
  /// The caller was cancelled while it waited.
  public static let interruption = CredentialFailure()
}
