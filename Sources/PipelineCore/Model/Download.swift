/// A background transfer into a file.
public struct Download<S: Stage>: Sendable {
  /// Method, URL, headers and authorization; it has no body, and its timeout is that of
  /// ``transfer``.
  public let request: S.Request
  /// The file's name for expressions; `nil` means the last component of the URL's path.
  public let name: S.Template?
  /// Bytes that the file must have, an int.
  public let size: S.Expression?
  /// SHA-256 that the file must have, in hexadecimal.
  public let sha256: S.Template?
  /// Maximum size in bytes.
  public let maximumSize: Int64?
  /// Digests taken during the download.
  public let digests: [DigestAlgorithm]
  /// How the transfer service treats it.
  public let transfer: TransferOptions<S>

  /// Creates a download; the request's own timeout is ignored.
  public init(
    request: S.Request, name: S.Template? = nil, size: S.Expression? = nil,
    sha256: S.Template? = nil, maximumSize: Int64? = nil, digests: [DigestAlgorithm] = [],
    transfer: TransferOptions<S> = TransferOptions()
  ) {
    self.request = S.timed(request, transfer.resourceTimeout)
    self.name = name
    self.size = size
    self.sha256 = sha256
    self.maximumSize = maximumSize
    self.digests = digests
    self.transfer = transfer
  }
}

/// A download as the author wrote it.
public typealias DownloadTemplate = Download<Compiled>

extension Download: Equatable, Hashable where S == Compiled {}

/// A file to download, with every expression evaluated.
public struct DownloadPlan: Hashable, Sendable {
  /// The file's name for expressions.
  public let name: String
  /// Size in bytes that it must have, if known.
  public let size: Int64?
  /// SHA-256 that it must have, in lower-case hexadecimal.
  public let sha256: String?
  /// Digests to take.
  public let digests: [DigestAlgorithm]
  /// Maximum size in bytes.
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
