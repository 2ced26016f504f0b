import NIOCore
import Synchronization

/// The body of a transfer, with all of its bytes if they are few: then one write sends it with the head.
struct OpenBody: Sendable {
  /// Most bytes of a body that is read at once.
  static let limit: Int64 = 64 * 1024

  let source: BodySource
  var whole: ByteBuffer?
}

/// The body of a transfer, which is read from its start as often as it has to be sent; however many files it consists of, only one is open at a time.
final class BodySource: Sendable {
  let size: Int64
  /// The required digests of the whole; see ``DigestCheck``.
  let digests: [DigestAlgorithm: String]
  private let pieces: [Body.Piece]
  private let starts: [Int64]
  private let paths: @Sendable (FileValue) -> String
  private let current = Mutex<(index: Int, file: BodyFile)?>(nil)

  /// Opens each file and compares it with its description; blocks.
  init(_ body: Body, paths: @escaping @Sendable (FileValue) -> String) throws(ExchangeFailure) {
    size = body.size
    digests = body.digests
    pieces = body.pieces
    self.paths = paths
    var starts: [Int64] = []
    var start: Int64 = 0
    for piece in body.pieces {
      starts.append(start)
      start += piece.size
    }
    self.starts = starts
    for index in pieces.indices.reversed() {
      if case .file(let file, _, _) = pieces[index] { _ = try opened(file, at: index) }
    }
  }

  /// Reads `count` bytes from `offset`; blocks.
  ///
  /// Each file is checked again after its last byte is read, so that the server never gets the whole body if one has changed.
  func read(
    at offset: Int64, count: Int, _ allocator: ByteBufferAllocator
  ) throws(ExchangeFailure) -> ByteBuffer {
    var buffer = allocator.buffer(capacity: count)
    // The last of those that start at or before it: empty pieces come first.
    var index = (starts.lastIndex { $0 <= offset }) ?? 0
    while buffer.readableBytes < count, index < pieces.count {
      let within = offset + Int64(buffer.readableBytes) - starts[index]
      let piece = pieces[index]
      let wanted = Int(min(Int64(count - buffer.readableBytes), piece.size - within))
      switch piece {
      case .bytes(let bytes): buffer.writeBytes(bytes[Int(within)..<Int(within) + wanted])
      case .file(let file, let start, let length):
        let open = try opened(file, at: index)
        try open.read(into: &buffer, at: start + within, count: wanted)
        if within + Int64(wanted) == length { try open.checkUnchanged() }
      }
      index += 1
    }
    return buffer
  }

  private func opened(_ file: FileValue, at index: Int) throws(ExchangeFailure) -> BodyFile {
    if let known = current.withLock({ $0 }), known.index == index { return known.file }
    // The previous file is closed first.
    current.withLock { $0 = nil }
    let opened = try BodyFile(path: paths(file), expected: file)
    current.withLock { $0 = (index, opened) }
    return opened
  }
}
