import Synchronization

/// The uploads and files of a server; each method is one atomic step, whose changes are in the log, if there is one, before it returns.
final class UploadRegistry: Sendable {
  private struct State {
    var uploads: [String: Upload] = [:]
    var allocations: [String: String] = [:]
    var files: [String: StoredFile] = [:]

    mutating func apply(_ change: RegistryLog.Change) {
      if let upload = change.upload {
        uploads[upload.id] = upload
        if let key = change.allocationKey { allocations[key] = upload.id }
      }
      if let id = change.deleted { uploads[id] = nil }
      if let file = change.file { files[file.name] = file }
    }
  }

  private let state = Mutex(State())
  private let lifetime: Duration
  private let log: RegistryLog?

  /// A registry; with `logPath`, it reads the state from that file and keeps it up to date.
  init(lifetime: Duration, logPath: String? = nil) throws(DemoServerError) {
    self.lifetime = lifetime
    guard let logPath else {
      log = nil
      return
    }
    let changes = RegistryLog.changes(in: logPath)
    state.withLock { state in for change in changes { state.apply(change) } }
    log = try RegistryLog(path: logPath)
  }

  struct Request: Sendable {
    let name: String
    let size: Int
    let sha256: String?
  }

  enum Allocation {
    case created(Upload)
    /// The key was used before with the same request.
    case replayed(Upload)
    /// The key was used before with another request.
    case conflict
  }

  enum Finalization {
    case finalized(Upload)
    /// The key of an earlier finalize was sent again.
    case replayed(Upload)
    /// It was complete, and this is another finalize.
    case duplicate(Upload)
    case contentMissing(Upload)
    case expired(Upload)
    case missing
  }

  func allocate(_ request: Request, key: String?, now: Timestamp) -> Allocation {
    let id = "up_" + RandomText.hexadecimal(bytes: 10)
    let allocation: Allocation = state.withLock { state in
      if let key, let earlier = state.allocations[key] {
        // A deleted upload leaves its key behind: repeating the request must not create a second one.
        guard let upload = state.uploads[earlier], upload.name == request.name,
          upload.size == request.size, upload.announcedSHA256 == request.sha256
        else { return .conflict }
        return .replayed(upload)
      }
      let upload = Upload(
        id: id, name: request.name, size: request.size, announcedSHA256: request.sha256,
        createdAt: now, expiresAt: now + lifetime)
      state.uploads[id] = upload
      if let key { state.allocations[key] = id }
      return .created(upload)
    }
    if case .created(let upload) = allocation {
      log?.append(.init(upload: upload, allocationKey: key))
    }
    return allocation
  }

  func find(_ id: String) -> Upload? { state.withLock { $0.uploads[id] } }

  /// Records content that was received; nil if the upload is now deleted or complete.
  func recordContent(_ id: String, sha256: String) -> Upload? {
    let recorded: Upload? = state.withLock { state in
      guard var upload = state.uploads[id], upload.state != .complete else { return nil }
      upload.state = .uploaded
      upload.sha256 = sha256
      state.uploads[id] = upload
      return upload
    }
    if let recorded { log?.append(.init(upload: recorded)) }
    return recorded
  }

  func finalize(_ id: String, key: String?, now: Timestamp) -> Finalization {
    let finalization: Finalization = state.withLock { state in
      guard var upload = state.uploads[id] else { return .missing }
      if upload.isExpired(at: now) { return .expired(upload) }
      switch upload.state {
      case .allocated: return .contentMissing(upload)
      case .complete:
        if let key, upload.finalizeKeys.contains(key) { return .replayed(upload) }
        upload.finalizeCount += 1
        state.uploads[id] = upload
        return .duplicate(upload)
      case .uploaded:
        upload.state = .complete
        upload.finalizedAt = now
        upload.finalizeCount = 1
        if let key { upload.finalizeKeys.insert(key) }
        state.uploads[id] = upload
        return .finalized(upload)
      }
    }
    switch finalization {
    case .finalized(let upload), .duplicate(let upload): log?.append(.init(upload: upload))
    case .replayed, .contentMissing, .expired, .missing: break
    }
    return finalization
  }

  enum Deletion {
    case deleted(Upload)
    case complete(Upload)
    case missing
  }

  func delete(_ id: String) -> Deletion {
    let deletion: Deletion = state.withLock { state in
      guard let upload = state.uploads[id] else { return .missing }
      guard upload.state != .complete else { return .complete(upload) }
      state.uploads[id] = nil
      return .deleted(upload)
    }
    if case .deleted = deletion { log?.append(.init(deleted: id)) }
    return deletion
  }

  /// Expires an upload, or all of them; complete ones stay.
  func expire(_ id: String? = nil, now: Timestamp) {
    state.withLock { state in
      if let id {
        state.uploads[id]?.expiresAt = now
      } else {
        for id in state.uploads.keys { state.uploads[id]?.expiresAt = now }
      }
    }
  }

  func canExpire(_ id: String) -> Bool {
    state.withLock { $0.uploads[id].map { $0.state != .complete } ?? false }
  }

  /// Stores a file; returns true if its name is new.
  func store(_ file: StoredFile) -> Bool {
    let isNew = state.withLock { $0.files.updateValue(file, forKey: file.name) == nil }
    log?.append(.init(file: file))
    return isNew
  }

  func file(_ name: String) -> StoredFile? { state.withLock { $0.files[name] } }
}

struct Upload: Codable, Sendable {
  enum State: String, Codable, Sendable { case allocated, uploaded, complete }
  let id, name: String
  let size: Int
  /// The digest that the client announced when it allocated, in lower case.
  let announcedSHA256: String?
  let createdAt: Timestamp
  var expiresAt: Timestamp
  var state: State = .allocated
  var sha256: String?
  var finalizedAt: Timestamp?
  var finalizeCount = 0
  var finalizeKeys: Set<String> = []

  /// A complete upload is the user's file and does not expire.
  func isExpired(at now: Timestamp) -> Bool { state != .complete && expiresAt <= now }
}

/// A file put without an upload.
struct StoredFile: Codable, Sendable {
  let name: String
  let size: Int
  let sha256: String
  let storedAt: Timestamp
}
