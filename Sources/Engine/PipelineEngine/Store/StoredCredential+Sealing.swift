import Basics
import CEL

/// The stored form of a sign-in: encrypted, and bound to its purpose.
extension StoredCredential {
  /// The encrypted text.
  public func sealed(by sealer: any SecretSealer, for id: CredentialID) -> String {
    var writer = JSONWriter()
    writer.object {
      $0.write(.string(token), "token")
      if isRefused { $0.write(.bool(true), "refused") }
    }
    return sealer.seal(writer.bytes, context: id.context)
  }

  /// Opens an encrypted text.
  ///
  /// - Throws: ``CredentialFailure/wrongKey``.
  public init(
    sealed text: String, by sealer: any SecretSealer, for id: CredentialID
  ) throws(CredentialFailure) {
    guard let bytes = sealer.open(text, context: id.context), let fields = try? Fields(bytes),
      let token = try? fields.string("token")
    else { throw .wrongKey }
    self.init(token: token, isRefused: fields.bool("refused"))
  }
}

extension CredentialID {
  /// The context that its encrypted text is bound to.
  fileprivate var context: String { "sign-in\n\(tokenURL)\n\(client)\n\(origin)" }
}
