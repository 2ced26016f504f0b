/// The body of a request: pieces of bytes and of files, which can be sent from the start repeatedly.
public struct Body: Hashable, Sendable {
  /// A piece of a body.
  public enum Piece: Hashable, Sendable {
    /// Literal bytes.
    case bytes([UInt8])
    /// `length` bytes of a file from `offset`.
    case file(FileValue, offset: Int64, length: Int64)

    /// Size of the piece in bytes.
    public var size: Int64 {
      switch self {
      case .bytes(let bytes): Int64(bytes.count)
      case .file(_, _, let length): length
      }
    }

    func part(from offset: Int64, length: Int64) -> Piece {
      switch self {
      case .bytes(let bytes): .bytes(Array(bytes[Int(offset)..<Int(offset + length)]))
      case .file(let file, let start, _): .file(file, offset: start + offset, length: length)
      }
    }
  }

  /// The pieces in order.
  public let pieces: [Piece]
  /// The digests of the whole body when it was created; a body that has others now must not be sent completely.
  public let digests: [DigestAlgorithm: String]

  /// Its offset in the body that it is a slice of; 0 if it is a whole body.
  public let offset: Int64

  /// Creates a body from pieces.
  public init(_ pieces: [Piece], digests: [DigestAlgorithm: String] = [:], offset: Int64 = 0) {
    (self.pieces, self.digests, self.offset) = (pieces, digests, offset)
  }

  /// A whole file.
  public init(_ file: FileValue) { self.init([.file(file, offset: 0, length: file.size)]) }
  /// Size of the whole body in bytes.
  public var size: Int64 { pieces.reduce(0) { $0 + $1.size } }

  /// The pieces that contain `length` bytes from `offset`, or fewer at the end of the body.
  public func slice(from offset: Int64, length: Int64) -> Body {
    var skipped = offset
    var rest = length
    var slice: [Piece] = []
    for piece in pieces where rest > 0 {
      guard skipped < piece.size else {
        skipped -= piece.size
        continue
      }
      let count = min(piece.size - skipped, rest)
      slice.append(piece.part(from: skipped, length: count))
      rest -= count
      skipped = 0
    }
    return Body(slice, offset: offset)
  }
}
