/// A body file with every expression in it evaluated: pieces to be written one after the other.
public struct MaterializationPlan: Hashable, Sendable {
  /// A stretch of the file.
  public enum Piece: Hashable, Sendable {
    /// Bytes as they stand.
    case bytes([UInt8])
    /// `length` bytes of a file from `offset`.
    case file(FileValue, offset: Int64, length: Int64)
  }

  /// The stretches in order.
  public let pieces: [Piece]
  /// Digests to take.
  public let digests: [DigestAlgorithm]
  /// The name that the file has for expressions.
  public let name: String
  /// Media type, where the plan knows it (`multipart/form-data; boundary=…`).
  public let contentType: String?
  /// Bytes that are reserved for it in the ledger; the writer never writes more.
  public var reservedBytes: Int64

  /// Makes a plan.
  public init(
    pieces: [Piece], digests: [DigestAlgorithm], name: String, contentType: String?,
    reservedBytes: Int64 = .max
  ) {
    self.pieces = pieces
    self.digests = digests
    self.name = name
    self.contentType = contentType
    self.reservedBytes = reservedBytes
  }

  /// Bytes of the whole file.
  public var size: Int64 {
    pieces.reduce(0) { sum, piece in
      switch piece {
      case .bytes(let bytes): sum + Int64(bytes.count)
      case .file(_, _, let length): sum + length
      }
    }
  }

  /// The one file that the plan copies whole, where it does nothing else.
  public var wholeFile: FileValue? {
    guard pieces.count == 1, case .file(let file, 0, let length) = pieces[0], length == file.size
    else { return nil }
    return file
  }
}
