/// A body file with every expression in it evaluated: pieces to be written one after the other.
public struct MaterializationPlan: Hashable, Sendable {
  /// The content in order.
  public let body: Body
  /// Digests to take.
  public let digests: [DigestAlgorithm]
  /// The name that the file has for expressions.
  public let name: String
  /// Media type, where the plan knows it (`multipart/form-data; boundary=…`).
  public let contentType: String?
  /// Bytes that are reserved for it in the ledger; the writer never writes more.
  public var reservedBytes: Int64
  /// When a file is made that is never written, because it holds a secret: its content is made again, as of this moment,
  /// each time that it is sent.
  ///
  /// `nil` for a file that lies on the disk.
  public var unwritten: Instant?

  /// Makes a plan.
  public init(
    pieces: [Body.Piece], digests: [DigestAlgorithm], name: String, contentType: String?,
    reservedBytes: Int64 = .max, unwritten: Instant? = nil
  ) {
    body = Body(pieces)
    self.digests = digests
    self.name = name
    self.contentType = contentType
    self.reservedBytes = reservedBytes
    self.unwritten = unwritten
  }

  /// The stretches in order.
  public var pieces: [Body.Piece] { body.pieces }

  /// Bytes of the whole file.
  public var size: Int64 { body.size }

  /// The one file that the plan copies whole, where it does nothing else.
  public var wholeFile: FileValue? {
    guard pieces.count == 1, case .file(let file, 0, let length) = pieces[0], length == file.size
    else { return nil }
    return file
  }
}
