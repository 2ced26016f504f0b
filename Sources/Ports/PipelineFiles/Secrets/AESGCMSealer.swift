import Crypto

/// Seals values with AES-256 in Galois/Counter Mode (NIST SP 800-38D) and a random nonce.
public struct AESGCMSealer: SecretSealer {
  /// The shortest text that can be a key, in bytes: 128 bits of a random one.
  public static let shortestKey = 16
  private static let prefix = "1."
  private let key: SymmetricKey
  /// Keys that only open: the one before a change.
  private let earlier: [SymmetricKey]

  /// A sealer with a key of any text (RFC 5869 makes 256 bits of it); `nil` if it is too short.
  public init?(key text: [UInt8], earlier: [UInt8]? = nil) {
    guard text.count >= Self.shortestKey else { return nil }
    key = Self.derived(text)
    self.earlier = earlier.map { [Self.derived($0)] } ?? []
  }

  private static func derived(_ text: [UInt8]) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: text), salt: Array("pipeline".utf8),
      info: Array("sealed values".utf8), outputByteCount: 32)
  }

  /// See ``/PipelineEngine/SecretSealer``.
  public func seal(_ bytes: [UInt8], context: String) -> String {
    guard let box = try? AES.GCM.seal(bytes, using: key, authenticating: Array(context.utf8)),
      let combined = box.combined
    else { preconditionFailure("a key of 256 bits seals anything") }
    return Self.prefix + Base64.encode(Array(combined))
  }

  /// See ``/PipelineEngine/SecretSealer``.
  public func open(_ sealed: String, context: String) -> [UInt8]? {
    guard sealed.hasPrefix(Self.prefix),
      let bytes = Base64.decode(String(sealed.dropFirst(Self.prefix.count))),
      let box = try? AES.GCM.SealedBox(combined: bytes)
    else { return nil }
    for key in [key] + earlier {
      if let opened = try? AES.GCM.open(box, using: key, authenticating: Array(context.utf8)) {
        return Array(opened)
      }
    }
    return nil
  }
}
