import Synchronization

/// A file that stays and is being received: in the folder of its final place, under a name that a later process finds again.
final class SavedSink: FileSink {
  /// The received part; gone once the file is published, abandoned, or left for a later attempt (`@unchecked`: it is used under the lock only).
  final class Content: @unchecked Sendable {
    let folder: Descriptor
    var note: PartialNote
    var file: Int32 = -1
    var digester: Digester
    var size: Int64 = 0

    init(in folder: consuming Descriptor, _ note: PartialNote, _ digests: [DigestAlgorithm]) {
      self.folder = folder
      self.note = note
      digester = Digester(digests)
    }

    deinit { closeFile() }

    func closeFile() {
      if file >= 0 { _ = close(file) }
      file = -1
    }
  }

  /// After this many bytes, the received part is flushed to the disk: a machine that stops loses at most that many.
  private static let flushInterval: Int64 = 64 << 20
  private let plan: DownloadPlan
  private let save: SavePlan
  private let path: String
  private let workspace: POSIXWorkspace
  private let content: Mutex<Content?>

  init(
    _ plan: DownloadPlan, _ save: SavePlan, at path: String, _ content: Content,
    _ workspace: POSIXWorkspace
  ) {
    (self.plan, self.save, self.path, self.workspace) = (plan, save, path, workspace)
    self.content = Mutex(content)
  }

  private var name: String { save.components.last ?? "" }

  func received() async throws(FileFailure) -> PartialDownload? {
    try await workspace.pool.run { [self] flag throws(FileFailure) in
      try content.withValue { content throws(FileFailure) in try takeOver(content, flag) }
    }
  }

  /// Opens the part that an earlier attempt left, if it can be continued, and computes its digests.
  private func takeOver(
    _ content: Content, _ flag: CancellationFlag
  ) throws(FileFailure) -> PartialDownload? {
    let note = content.note
    guard note.representation.validator != nil, let inode = note.inode,
      plan.size == nil || note.representation.size == nil || plan.size == note.representation.size
    else { return nil }
    let raw = retrying {
      openat(content.folder.raw, note.partial, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }
    guard raw >= 0 else { return nil }
    content.file = raw
    let found = try FileStatus(of: raw, save.path)
    // After a restart of the machine, only the flushed bytes are certain to be the received ones.
    let isSure = note.boot != nil && note.boot == MachineTime.boot
    let size = isSure ? found.size : min(found.size, note.flushed)
    guard found.isRegular, found.inode == inode, size > 0, size <= plan.limit,
      size <= note.representation.size ?? .max
    else {
      content.closeFile()
      return nil
    }
    guard ftruncate(raw, off_t(size)) == 0, lseek(raw, off_t(size), SEEK_SET) >= 0
    else { throw failure("cannot write", errno) }
    content.size = size
    if !plan.digests.isEmpty { try readAgain(content, flag) }
    content.note.boot = MachineTime.boot
    if !isSure { try workspace.tree.write(content.note, at: path) }
    return PartialDownload(note.representation, received: size)
  }

  private func readAgain(_ content: Content, _ flag: CancellationFlag) throws(FileFailure) {
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    var offset: Int64 = 0
    while offset < content.size {
      try flag.check()
      let wanted = Int(min(content.size - offset, Int64(buffer.count)))
      let count = retrying { pread(content.file, &buffer, wanted, off_t(offset)) }
      guard count > 0 else { throw failure("cannot read", count == 0 ? EIO : errno) }
      buffer.withUnsafeBytes {
        content.digester.update(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
      offset += Int64(count)
    }
  }

  func begin(_ representation: Representation) async throws(FileFailure) {
    if let coding = representation.coding, plan.size == nil, plan.expected.isEmpty {
      throw FileFailure(
        .refused,
        message:
          "the server sends '\(save.name)' in the coding '\(coding)', which was not asked for; "
          + "ask for it with 'Accept-Encoding', or declare 'size' or 'digest' of the file")
    }
    if let size = representation.size {
      try plan.checkLimit(size)
      if let planned = plan.size, size != planned { throw plan.wrongSize(size, planned) }
    }
    try await workspace.pool.run { [self] _ throws(FileFailure) in
      try content.withValue { content throws(FileFailure) in try begin(content, representation) }
    }
  }

  private func begin(_ content: Content, _ representation: Representation) throws(FileFailure) {
    content.closeFile()
    content.size = 0
    content.digester = Digester(plan.digests)
    // A file without a record cannot be deleted later, so the note comes first.
    let published = content.note.published
    content.note = PartialNote(save, at: path)
    content.note.published = published
    content.note.representation = representation
    try workspace.tree.write(content.note, at: path)
    unlinkat(content.folder.raw, content.note.partial, 0)
    let raw = retrying {
      openat(
        content.folder.raw, content.note.partial,
        O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    guard raw >= 0 else { throw failure("cannot create a file next to", errno) }
    content.file = raw
    guard representation.validator != nil else { return }
    content.note.inode = try FileStatus(of: raw, save.path).inode
    try workspace.tree.write(content.note, at: path)
  }

  func append(_ bytes: [UInt8]) async throws(FileFailure) {
    try await workspace.pool.run { [self] _ throws(FileFailure) in
      try content.withValue { content throws(FileFailure) in
        try plan.checkLimit(content.size + Int64(bytes.count))
        content.digester.update(bytes)
        if let failure = writeAll(bytes, to: content.file, save.path) { throw failure }
        content.size += Int64(bytes.count)
        guard content.note.inode != nil, content.size - content.note.flushed >= Self.flushInterval
        else { return }
        guard fsync(content.file) == 0 else { throw failure("cannot write", errno) }
        content.note.flushed = content.size
        try workspace.tree.write(content.note, at: path)
      }
    }
  }

  func publish(contentType: String?) async throws(FileFailure) -> FileValue {
    try await workspace.pool.run { [self] _ throws(FileFailure) in
      let result = Result { () throws(FileFailure) in
        try content.withValue { content throws(FileFailure) in try publish(content, contentType) }
      }
      switch result {
      case .success: content.withLock { $0 = nil }
      case .failure(let failure):
        // A full disk makes the file no worse.
        if failure.kind == .noSpace { content.withLock { $0 = nil } } else { remove() }
      }
      return try result.get()
    }
  }

  private func publish(
    _ content: Content, _ contentType: String?
  ) throws(FileFailure) -> FileValue {
    let digests = try plan.checked(content.size, &content.digester)
    guard fchmod(content.file, 0o666 & ~workspace.userMask) == 0, fsync(content.file) == 0
    else { throw failure("cannot write", errno) }
    let status = try FileStatus(of: content.file, save.path)
    let earlier = content.note.published
    content.note.published = PartialNote.Published(status)
    content.note.inode = status.inode
    content.note.flushed = status.size
    // From here on, another program can recognize the file in its place as ours.
    try workspace.tree.write(content.note, at: path)
    let code = place(content, replacing: earlier)
    guard code == 0 else {
      if code == EEXIST { throw workspace.exists(save) }
      if code == EISDIR { throw workspace.isFolder(save) }
      throw failure("cannot rename to", code)
    }
    guard fsync(content.folder.raw) == 0 else { throw failure("cannot write", errno) }
    return FileValue(
      path: save.path, name: plan.name, size: status.size, modified: status.modified,
      contentType: contentType ?? content.note.representation.contentType, digests: digests)
  }

  /// Sets the file's name; returns `errno`.
  private func place(_ content: Content, replacing earlier: PartialNote.Published?) -> Int32 {
    let (folder, partial) = (content.folder.raw, content.note.partial)
    guard save.existing == .refuse
    else { return renameat(folder, partial, folder, name) == 0 ? 0 : errno }
    let code = Rename.unlessTaken(partial, to: name, in: folder)
    guard code == EEXIST, let earlier, Rename.exchanging(partial, and: name, in: folder) == 0
    else { return code }
    let there = try? TargetFolder.status(of: partial, in: folder, save)
    if let there, PartialNote.Published(there) == earlier {
      unlinkat(folder, partial, 0)
      return 0
    }
    // It was someone else's after all.
    _ = Rename.exchanging(partial, and: name, in: folder)
    return EEXIST
  }

  func suspend() async {
    _ = try? await workspace.pool.run { [self] _ throws(FileFailure) in
      let isOfUse = content.withLock { $0?.note.inode != nil || $0?.note.published != nil }
      if isOfUse { content.withLock { $0 = nil } } else { remove() }
    }
  }

  func discard() async {
    _ = try? await workspace.pool.run { [self] _ throws(FileFailure) in remove() }
  }

  private func remove() {
    content.withLock { content in
      guard let given = content else { return }
      unlinkat(given.folder.raw, given.note.partial, 0)
      workspace.tree.removeNote(path)
      content = nil
    }
  }

  private func failure(_ what: String, _ code: Int32) -> FileFailure {
    FileFailure.system(what, save.path, code)
  }
}
