/// Remembers the digests of files, so that bytes that were read once need not be read again.
///
/// Contract: it returns digests stored for exactly this content, or fewer. It is only a help:
/// a failure loses digests and nothing else.
public protocol DigestCache: Sendable {
  /// The digests that are known of `content`, in lower-case hexadecimal; empty if none are.
  func digests(of content: FileContent) async -> [DigestAlgorithm: String]

  /// Keeps digests; those of another content of the same range of the same path are replaced.
  func keep(_ digests: [DigestAlgorithm: String], of content: FileContent) async
}

/// A range of a file as it was at one time: a file that has changed since has another size, modification time, inode or device.
public struct FileContent: Hashable, Sendable {
  /// Absolute path.
  public let path: String
  /// The device that contains the file.
  public let device: Int64
  /// The file's number on that device.
  public let inode: Int64
  /// Size of the whole file in bytes.
  public let size: Int64
  /// Last modification in nanoseconds since 1970 UTC.
  public let modified: Int64
  /// The first byte of the range.
  public let offset: Int64
  /// Number of bytes of the range.
  public let length: Int64

  /// Describes a range.
  public init(
    path: String, device: Int64, inode: Int64, size: Int64, modified: Int64, offset: Int64,
    length: Int64
  ) {
    (self.path, self.device, self.inode, self.size) = (path, device, inode, size)
    (self.modified, self.offset, self.length) = (modified, offset, length)
  }
}
