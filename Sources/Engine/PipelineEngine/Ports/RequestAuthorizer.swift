/// Signs requests.
///
/// Contract: a function of its arguments, apart from the random part that some algorithms put into a signature. It does not read a clock or a
/// file, and adds nothing to the request but headers or query items.
/// The result contains when it was signed (``/PipelineCore/RenderedRequest/signed``), and its secret headers are marked as such.
public protocol RequestAuthorizer: Sendable {
  /// The request with a signature as ``/PipelineCore/RenderedRequest/signing`` describes it.
  func authorize(
    _ request: RenderedRequest, body: BodySummary, at now: Instant
  ) throws(AuthorizationFailure) -> RenderedRequest

  /// The digest of bytes, in lower-case hexadecimal.
  func digest(of bytes: [UInt8], _ algorithm: DigestAlgorithm) -> String
}

/// The properties of a body that a signature covers.
public struct BodySummary: Hashable, Sendable {
  /// Its size in bytes.
  public let size: Int64
  /// The digests that the signature needs, in lower-case hexadecimal.
  public let digests: [DigestAlgorithm: String]

  /// Describes a body.
  public init(size: Int64, digests: [DigestAlgorithm: String]) {
    (self.size, self.digests) = (size, digests)
  }
}

/// Why a request cannot be signed; contains no secret.
public struct AuthorizationFailure: Error, Hashable, Sendable {
  /// The problem, for the user.
  public let message: String

  /// Describes a failure.
  public init(message: String) { self.message = message }
}
