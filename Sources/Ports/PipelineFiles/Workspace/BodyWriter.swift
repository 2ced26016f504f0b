/// Writes the pieces of a body through one buffer, and computes digests of the written bytes.
struct BodyWriter: ~Copyable {
  /// Large enough that system calls cost little, small enough that digests read it from the cache.
  private static let bufferSize = 256 * 1024
  private let descriptor: Int32?
  private let path: String
  private let flag: CancellationFlag
  private let buffer: UnsafeMutableRawBufferPointer
  private var filled = 0
  private var digester: Digester?

  init(
    to descriptor: Int32?, path: String, size: Int64, digests: [DigestAlgorithm],
    flag: CancellationFlag
  ) {
    (self.descriptor, self.path, self.flag) = (descriptor, path, flag)
    digester = digests.isEmpty ? nil : Digester(digests)
    buffer = .allocate(byteCount: Int(max(1, min(size, Int64(Self.bufferSize)))), alignment: 16)
  }

  deinit { buffer.deallocate() }

  mutating func append(_ bytes: [UInt8]) throws(FileFailure) {
    var offset = 0
    while offset < bytes.count {
      let count = min(bytes.count - offset, buffer.count - filled)
      bytes.withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[offset..<offset + count]))
      }
      offset += count
      filled += count
      if filled == buffer.count { try flush() }
    }
  }

  mutating func append(
    _ source: borrowing OpenSource, offset: Int64, length: Int64
  ) throws(FileFailure) {
    var offset = offset
    var rest = length
    while rest > 0 {
      let free = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let wanted = Int(min(rest, Int64(free.count)))
      let count = try source.read(
        into: UnsafeMutableRawBufferPointer(rebasing: free[..<wanted]), at: offset)
      offset += Int64(count)
      rest -= Int64(count)
      filled += count
      if filled == buffer.count { try flush() }
    }
  }

  /// Computes the digests of `length` bytes that are already in the body, because the file system cloned them.
  mutating func digestOnly(_ source: borrowing OpenSource, length: Int64) throws(FileFailure) {
    guard digester != nil else { return }
    var offset: Int64 = 0
    while offset < length {
      try flag.check()
      let wanted = Int(min(length - offset, Int64(buffer.count)))
      let count = try source.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
      digester?.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
  }

  mutating func finish() throws(FileFailure) -> [DigestAlgorithm: String] {
    try flush()
    return digester?.finish() ?? [:]
  }

  private mutating func flush() throws(FileFailure) {
    try flag.check()
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
    digester?.update(bytes)
    if let descriptor, let failure = writeAll(bytes, to: descriptor, path) { throw failure }
    filled = 0
  }
}
