/// The files of a run in a folder of a POSIX file system.
///
/// The folder must contain only materialized files: ``sweep(keeping:)`` deletes everything else in it.
///
/// A user's file is never hard-linked. A link would share the bytes with a file that its owner may change in place at any time,
/// even between two attempts of one upload, and we cannot find out who has it open. If the file system can clone (Btrfs, XFS,
/// bcachefs), a copy still needs neither space nor time.
public final class POSIXWorkspace: FileWorkspace {
  let tree: FolderTree
  let pool: BlockingPool
  let claims = SaveClaims()
  let userMask: mode_t
  private let cache: (any DigestCache)?

  /// Opens a workspace, and creates its folder if it does not exist.
  public init(
    root: String, pool: BlockingPool = BlockingPool(), cache: (any DigestCache)? = nil,
    userMask: UInt32 = 0o022
  ) throws(FileFailure) {
    tree = try FolderTree(path: root)
    self.userMask = mode_t(truncatingIfNeeded: userMask & 0o777)
    (self.pool, self.cache) = (pool, cache)
  }

  /// Writes the file that `plan` describes; see ``FileWorkspace``.
  public func materialize(
    _ plan: MaterializationPlan, at path: String
  ) async throws(FileFailure) -> FileValue {
    guard let cache, let piece = plan.digestedUserFile
    else { return try await make(plan, at: path) }
    let content = try await pool.run { [self] _ throws(FileFailure) -> FileContent in
      try contentNow(of: piece)
    }
    let known = await cache.digests(of: content).filter { plan.digests.contains($0.key) }
    let missing = plan.digests.filter { known[$0] == nil }
    let made = try await make(plan.taking(missing), at: path)
    if !missing.isEmpty {
      // Read again from the same file: it may have been replaced by another of the same size and time.
      let now = try? await pool.run { [self] _ throws(FileFailure) -> FileContent in
        try contentNow(of: piece)
      }
      if now == content, Self.isSettled(content) { await cache.keep(made.digests, of: content) }
    }
    return FileValue(
      path: made.path, name: made.name, size: made.size, modified: made.modified,
      contentType: made.contentType, digests: made.digests.merging(known) { new, _ in new })
  }

  private func make(
    _ plan: MaterializationPlan, at path: String
  ) async throws(FileFailure) -> FileValue {
    try await pool.run { [self] flag throws(FileFailure) in
      if let moment = plan.unwritten {
        try describe(plan, at: path, as: moment, flag: flag)
      } else {
        try write(plan, at: path, flag: flag)
      }
    }
  }

  /// Whether a later change would show in the modification time: a file system's clock ticks every few milliseconds, or every 2 s.
  private static func isSettled(_ content: FileContent) -> Bool {
    var now = timespec()
    guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { return false }
    let nanoseconds = Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
    return content.modified <= nanoseconds - 2_000_000_000
  }

  private func contentNow(
    of piece: (file: FileValue, offset: Int64, length: Int64)
  ) throws(FileFailure) -> FileContent {
    try openSource(piece.file).content(offset: piece.offset, length: piece.length)
  }

  /// Opens a sink for a file; see ``FileWorkspace``.
  public func sink(
    for plan: DownloadPlan, at path: String
  ) async throws(FileFailure) -> any FileSink {
    try await pool.run { [self] _ throws(FileFailure) -> any FileSink in
      if let save = plan.save { return try savedSink(for: plan, save, at: path) }
      let place = try WorkspacePath(path)
      let folder = try tree.withFolder(of: place, creating: true) { folder throws(FileFailure) in
        try Descriptor(".", in: folder, O_RDONLY | O_DIRECTORY, "cannot open the folder of", path)
      }
      return try DownloadSink(plan, at: path, name: place.name, in: folder, pool: pool)
    }
  }

  /// Deletes the folder or file `path`; a path that leads outside the root is ignored.
  public func discard(_ path: String) async {
    _ = try? await pool.run { [self] _ throws(FileFailure) in
      let path = try WorkspacePath(path)
      try tree.withFolder(of: path, creating: false) { folder throws(FileFailure) in
        TreeRemoval.removeAll(path.name, in: folder)
      }
    }
  }

  /// Deletes all files except those at `kept`, including temporary ones, then the empty folders.
  ///
  /// Must be called before the first ``materialize(_:at:)`` of a process:
  /// a file that is created in the meantime is not among `kept`.
  public func sweep(keeping kept: Set<String>) async -> Int {
    let count = try? await pool.run { [self] _ throws(FileFailure) in
      TreeRemoval.sweep(tree.descriptor, keeping: kept, sparing: PartialNote.folder)
    }
    return count ?? 0
  }

  /// The absolute path of `file`.
  public func absolutePath(of file: FileValue) -> String {
    SourceFile.absolutePath(file.path, in: tree.path)
  }

  private func write(
    _ plan: MaterializationPlan, at text: String, flag: CancellationFlag
  ) throws(FileFailure) -> FileValue {
    let path = try WorkspacePath(text)
    let size = try Self.checkedSize(of: plan, at: text)
    return try tree.withFolder(of: path, creating: true) { folder throws(FileFailure) in
      var file = try TemporaryFile(in: folder, shownAs: text)
      let digests = try fill(file.descriptor, with: plan, size: size, path: text, flag: flag)
      let status = try FileStatus(of: file.descriptor, text)
      guard status.size == size else {
        throw FileFailure(
          .system, message: "'\(text)' has \(status.size) bytes after \(size) were written")
      }
      try flag.check()
      try file.publish(as: path.name, shownAs: text)
      return FileValue(
        path: text, name: plan.name, size: size, modified: status.modified,
        contentType: plan.contentType, digests: digests)
    }
  }

  /// The file of a plan that is never written: checks its sources and computes its digests.
  private func describe(
    _ plan: MaterializationPlan, at path: String, as moment: Instant, flag: CancellationFlag
  ) throws(FileFailure) -> FileValue {
    let size = try Self.checkedSize(of: plan, at: path)
    let digests = try fill(nil, with: plan, size: size, path: path, flag: flag)
    return FileValue(
      path: path, name: plan.name, size: size, modified: moment.milliseconds &* 1_000_000,
      contentType: plan.contentType, digests: digests)
  }

  private func fill(
    _ descriptor: Int32?, with plan: MaterializationPlan, size: Int64, path: String,
    flag: CancellationFlag
  ) throws(FileFailure) -> [DigestAlgorithm: String] {
    var writer = BodyWriter(
      to: descriptor, path: path, size: size, digests: plan.digests, flag: flag)
    for piece in plan.pieces {
      switch piece {
      case .bytes(let bytes): try writer.append(bytes)
      case .file(let file, let offset, let length):
        let source = try openSource(file)
        if let descriptor, plan.wholeFile != nil, clone(source.raw, to: descriptor) {
          try writer.digestOnly(source, length: length)
        } else {
          // Without digests, there is nothing to do for a file that is not written.
          let isRead = descriptor != nil || !plan.digests.isEmpty
          if isRead { try writer.append(source, offset: offset, length: length) }
        }
        try source.checkUnchanged()
      }
    }
    return try writer.finish()
  }

  private func openSource(_ file: FileValue) throws(FileFailure) -> OpenSource {
    guard file.path.utf8.first == UInt8(ascii: "/")
    else { return try OpenSource(tree.openFile(file.path), is: file) }
    // O_NONBLOCK, because a user's file that was replaced by a pipe would block forever.
    let descriptor = try Descriptor(
      file.path, O_RDONLY | O_NONBLOCK, "cannot read", file.path, source: file.path)
    return try OpenSource(descriptor, is: file)
  }

  /// Size of the plan in bytes; its numbers come from expressions and may be anything.
  private static func checkedSize(
    of plan: MaterializationPlan, at path: String
  ) throws(FileFailure) -> Int64 {
    var sum: Int64 = 0
    for piece in plan.pieces {
      var length: Int64
      switch piece {
      case .bytes(let bytes): length = Int64(bytes.count)
      case .file(let file, let offset, let count):
        length = count
        guard offset >= 0, count >= 0, offset <= file.size, count <= file.size - offset else {
          throw FileFailure(
            .system,
            message: "\(count) bytes from \(offset) exceed '\(file.path)', "
              + "which has \(file.size)")
        }
      }
      let (next, overflow) = sum.addingReportingOverflow(length)
      sum = overflow ? .max : next
    }
    guard sum <= plan.reservedBytes else {
      throw FileFailure(
        .reservationExceeded,
        message: "'\(path)' needs \(sum) bytes, but \(plan.reservedBytes) are reserved for it")
    }
    return sum
  }
}

/// Shares the bytes of `source` with `target` if the file system can (`FICLONE`, ioctl_ficlone(2)).
private func clone(_ source: Int32, to target: Int32) -> Bool {
  #if os(Linux)
    // _IOW(0x94, 9, int); the header <linux/fs.h> is not part of the module.
    let ficlone: UInt = 0x4004_9409
    return ioctl(target, ficlone, source) == 0
  #else
    return false
  #endif
}

extension MaterializationPlan {
  /// The range of a user's file whose digests are to be computed, if the body is nothing else.
  fileprivate var digestedUserFile: (file: FileValue, offset: Int64, length: Int64)? {
    guard pieces.count == 1, case .file(let file, let offset, let length) = pieces[0],
      !digests.isEmpty, file.path.utf8.first == UInt8(ascii: "/")
    else { return nil }
    return (file, offset, length)
  }

  fileprivate func taking(_ digests: [DigestAlgorithm]) -> MaterializationPlan {
    MaterializationPlan(
      pieces: pieces, digests: digests, name: name, contentType: contentType,
      reservedBytes: reservedBytes, unwritten: unwritten)
  }
}
