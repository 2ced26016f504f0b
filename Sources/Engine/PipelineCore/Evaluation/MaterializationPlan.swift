/// A body file with all its expressions evaluated: pieces to write in order.
public struct MaterializationPlan: Hashable, Sendable {
  /// The content in order.
  public let body: Body
  /// Digests to compute.
  public let digests: [DigestAlgorithm]
  /// The file's name for expressions.
  public let name: String
  /// Media type, if the plan determines it (`multipart/form-data; boundary=…`).
  public let contentType: String?
  /// Bytes that are reserved for it in the ledger; the writer never writes more.
  public var reservedBytes: Int64
  /// When a file that is never written was created, so that its content can be generated again;
  /// `nil` for one on the disk.
  public var unwritten: Instant?

  /// Creates a plan.
  public init(
    pieces: [Body.Piece], digests: [DigestAlgorithm], name: String, contentType: String?,
    reservedBytes: Int64 = .max, unwritten: Instant? = nil
  ) {
    body = Body(pieces)
    (self.digests, self.name, self.contentType) = (digests, name, contentType)
    (self.reservedBytes, self.unwritten) = (reservedBytes, unwritten)
  }

  /// The pieces in order.
  public var pieces: [Body.Piece] { body.pieces }
  /// Size of the whole file in bytes.
  public var size: Int64 { body.size }

  /// The single file that the plan copies whole, if it does nothing else.
  public var wholeFile: FileValue? {
    guard pieces.count == 1, case .file(let file, 0, let length) = pieces[0], length == file.size
    else { return nil }
    return file
  }
}
