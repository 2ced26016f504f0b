/// A background transfer into a file, as the author wrote it.
public struct DownloadTemplate: Hashable, Sendable {
  /// Method, URL, headers and authorization; its body is `nil`, and its timeout is that of
  /// ``transfer``.
  public let request: RequestTemplate
  /// The name that the file has for expressions; `nil` is the last component of the URL's path.
  public let name: Template?
  /// Bytes that the file must have, an int.
  public let size: Expression?
  /// SHA-256 that the file must have, in hexadecimal.
  public let sha256: Template?
  /// Bytes that are taken at most.
  public let maximumSize: Int64?
  /// Digests taken while the file comes in.
  public let digests: [DigestAlgorithm]
  /// How the transfer service treats it.
  public let transfer: TransferPolicy

  /// Makes a download; the request's own timeout does not count.
  public init(
    request: RequestTemplate, name: Template? = nil, size: Expression? = nil,
    sha256: Template? = nil, maximumSize: Int64? = nil, digests: [DigestAlgorithm] = [],
    transfer: TransferPolicy = TransferPolicy()
  ) {
    self.request = request.timed(transfer.resourceTimeout)
    self.name = name
    self.size = size
    self.sha256 = sha256
    self.maximumSize = maximumSize
    self.digests = digests
    self.transfer = transfer
  }
}

/// A file that is to come in, with every expression evaluated.
public struct DownloadPlan: Hashable, Sendable {
  /// The name that the file has for expressions.
  public let name: String
  /// Bytes that it must have, where that is known.
  public let size: Int64?
  /// SHA-256 that it must have, in lower-case hexadecimal.
  public let sha256: String?
  /// Digests to take.
  public let digests: [DigestAlgorithm]
  /// Bytes that are taken at most.
  public let limit: Int64

  /// Makes a plan.
  public init(
    name: String, size: Int64? = nil, sha256: String? = nil, digests: [DigestAlgorithm] = [],
    limit: Int64 = .max
  ) {
    self.name = name
    self.size = size
    self.sha256 = sha256
    self.digests = digests
    self.limit = limit
  }
}
