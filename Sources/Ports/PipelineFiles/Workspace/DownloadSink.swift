import Synchronization

/// A file that is being downloaded: written under a temporary name, and its digests are computed on the way.
final class DownloadSink: FileSink {
  /// The part written so far; gone once the file is published or discarded (`@unchecked`:
  /// it is used under the lock only).
  private final class Content: @unchecked Sendable {
    var file: TemporaryFile
    /// Keeps the folder of the file open.
    let folder: Descriptor
    var digester: Digester
    var size: Int64 = 0

    init(
      in folder: consuming Descriptor, shownAs path: String, _ digests: [DigestAlgorithm]
    ) throws(FileFailure) {
      file = try TemporaryFile(in: folder.raw, shownAs: path)
      self.folder = folder
      digester = Digester(digests)
    }
  }

  private let plan: DownloadPlan
  private let path, name: String
  private let pool: BlockingPool
  private let content: Mutex<Content?>

  init(
    _ plan: DownloadPlan, at path: String, name: String, in folder: consuming Descriptor,
    pool: BlockingPool
  ) throws(FileFailure) {
    (self.plan, self.path, self.name, self.pool) = (plan, path, name, pool)
    content = Mutex(try Content(in: folder, shownAs: path, plan.digests))
  }

  func begin(_ representation: Representation) async throws(FileFailure) {
    let size = representation.size
    if let size, let planned = plan.size, size != planned { throw plan.wrongSize(size, planned) }
    if let size { try plan.checkLimit(size) }
    try await pool.run { [self] _ throws(FileFailure) in
      try content.withValue { content throws(FileFailure) in
        guard content.size > 0 else { return }
        guard ftruncate(content.file.descriptor, 0) == 0,
          lseek(content.file.descriptor, 0, SEEK_SET) == 0
        else { throw FileFailure.system("cannot write", path, errno) }
        content.size = 0
        content.digester = Digester(plan.digests)
      }
    }
  }

  func append(_ bytes: [UInt8]) async throws(FileFailure) {
    try await pool.run { [self] _ throws(FileFailure) in
      try content.withValue { content throws(FileFailure) in
        try plan.checkLimit(content.size + Int64(bytes.count))
        content.digester.update(bytes)
        let failure = writeAll(bytes, to: content.file.descriptor, path)
        if let failure { throw failure }
        content.size += Int64(bytes.count)
      }
    }
  }

  func publish(contentType: String?) async throws(FileFailure) -> FileValue {
    do throws(FileFailure) {
      let file = try await pool.run { [self] _ throws(FileFailure) in
        try content.withValue { content throws(FileFailure) in try publish(content, contentType) }
      }
      await discard()
      return file
    } catch {
      await discard()
      throw error
    }
  }

  func discard() async {
    _ = try? await pool.run { [self] _ throws(FileFailure) in content.withLock { $0 = nil } }
  }

  private func publish(
    _ content: Content, _ contentType: String?
  ) throws(FileFailure) -> FileValue {
    let digests = try plan.checked(content.size, &content.digester)
    let status = try FileStatus(of: content.file.descriptor, path)
    try content.file.publish(as: name, shownAs: path)
    return FileValue(
      path: path, name: plan.name, size: content.size, modified: status.modified,
      contentType: contentType, digests: digests)
  }
}

extension Mutex {
  /// Lends the part that a sink has received, unless it is gone.
  func withValue<Content: Sendable, Result: Sendable>(
    _ body: (Content) throws(FileFailure) -> Result
  ) throws(FileFailure) -> Result where Value == Content? {
    try withLock { content throws(FileFailure) in
      guard let content else { throw FileFailure(.interrupted, message: "interrupted") }
      return try body(content)
    }
  }
}

/// Writes all bytes at the descriptor's position; the failure, if there is one.
func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ path: String) -> FileFailure? {
  bytes.withUnsafeBytes { writeAll($0, to: descriptor, path) }
}

func writeAll(
  _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ path: String
) -> FileFailure? {
  var rest = bytes
  while !rest.isEmpty {
    let count = retrying { write(descriptor, rest.baseAddress, rest.count) }
    guard count > 0
    else { return FileFailure.system("cannot write", path, count == 0 ? ENOSPC : errno) }
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
  }
  return nil
}

extension DownloadPlan {
  func checkLimit(_ size: Int64) throws(FileFailure) {
    guard size <= limit else {
      throw FileFailure(
        .reservationExceeded,
        message: "'\(name)' has \(size) bytes or more, above the limit of \(limit)")
    }
  }

  /// The digests of the received file, if it has the size and the digests that were expected.
  func checked(
    _ received: Int64, _ digester: inout Digester
  ) throws(FileFailure) -> [DigestAlgorithm: String] {
    if let size, received != size { throw wrongSize(received, size) }
    let digests = digester.finish()
    if let mismatch = mismatch(digests) { throw FileFailure(.mismatch, message: mismatch) }
    return digests
  }

  func wrongSize(_ size: Int64, _ planned: Int64) -> FileFailure {
    FileFailure(.mismatch, message: "'\(name)' has \(size) bytes, expected \(planned)")
  }
}
