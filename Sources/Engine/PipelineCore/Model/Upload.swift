/// A background transfer from a file.
public struct Upload<S: Stage>: Sendable {
  /// Method, URL, headers and authorization; it has no body, and its timeout is that of ``transfer``.
  public let request: S.Request
  /// The file: an input, an item, or another step's `file`.
  public let file: S.Expression
  /// The bytes of the file that are sent; `nil` for all.
  public let range: Materialize<S>.ByteRange?
  /// Fields that are sent after the body, whose digests they may contain.
  public let trailers: [NamedTemplate<S>]
  /// How the transfer service treats it.
  public let transfer: TransferOptions<S>

  /// Creates an upload; the request's own timeout is ignored.
  public init(
    request: S.Request, file: S.Expression, range: Materialize<S>.ByteRange? = nil,
    trailers: [NamedTemplate<S>] = [], transfer: TransferOptions<S> = TransferOptions()
  ) {
    self.request = S.timed(request, transfer.resourceTimeout)
    (self.file, self.range, self.trailers, self.transfer) = (file, range, trailers, transfer)
  }
}

/// An upload as the author wrote it.
public typealias UploadTemplate = Upload<Compiled>

extension Upload: Equatable, Hashable where S == Compiled {}
