import Crypto

/// Sign-ins in a folder of the user, a file for each, locked by the process that uses it.
public struct FileCredentialStore: CredentialStore {
  private let folder: String
  private let sealer: any SecretSealer

  /// The sign-ins in a folder, which is created when it is needed.
  public init(folder: String, sealer: any SecretSealer) {
    (self.folder, self.sealer) = (folder, sealer)
  }

  /// See ``/PipelineEngine/CredentialStore``.
  public func withCredential(
    _ id: CredentialID,
    _ exchange: @escaping @Sendable (StoredCredential?) async -> (StoredCredential?, Verdict)
  ) async throws(CredentialFailure) -> Verdict {
    let name = Self.name(of: id)
    try makeFolder()
    let lock = try await lock(name)
    let stored = try read(name).map { file throws(CredentialFailure) in
      try StoredCredential(sealed: file.sealed, by: sealer, for: id)
    }
    let (changed, verdict) = await exchange(stored)
    if let changed { try write(changed, id) }
    withExtendedLifetime(lock) {}
    return verdict
  }

  // MARK: For users

  /// A sign-in as users see it.
  public struct Entry: Codable, Sendable {
    let token_url, client, origin: String
    /// When it was last changed (ISO 8601).
    public let stored: String
    let sealed: String

    /// Which sign-in it is.
    public var id: CredentialID {
      CredentialID(tokenURL: token_url, client: client, origin: origin)
    }
    /// What commands call it.
    public var name: String { FileCredentialStore.name(of: id) }
  }

  /// All sign-ins in a folder, by name; it need not exist.
  public static func entries(in folder: String) throws(CredentialFailure) -> [Entry] {
    let store = FileCredentialStore(folder: folder, sealer: NoSealer())
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var entries: [Entry] = []
    for file in files.sorted() where file.hasSuffix(".json") {
      if let entry = try store.read(String(file.dropLast(5))) { entries.append(entry) }
    }
    return entries
  }

  /// Removes a sign-in once no process uses it; returns whether it was there.
  public static func remove(
    _ name: String, in folder: String
  ) async throws(CredentialFailure) -> Bool {
    let store = FileCredentialStore(folder: folder, sealer: NoSealer())
    let lock = try await store.lock(name)
    defer { withExtendedLifetime(lock) {} }
    return unlink(store.path(name, "json")) == 0
  }

  // MARK: Files

  /// The name of a sign-in in commands and of its files: the first digits of a digest of its purpose.
  public static func name(of id: CredentialID) -> String {
    let text = [id.tokenURL, id.client, id.origin].joined(separator: "\n")
    return String(Hexadecimal.text(Array(SHA256.hash(data: Array(text.utf8)))).prefix(16))
  }

  private func path(_ name: String, _ kind: String) -> String { "\(folder)/\(name).\(kind)" }

  private func makeFolder() throws(CredentialFailure) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CredentialFailure(message: "the credential store '\(folder)' cannot be created")
    }
  }

  /// Waits for the lock of a sign-in; its file stays, since a lock of a removed file excludes no process.
  private func lock(_ name: String) async throws(CredentialFailure) -> Lock {
    let path = path(name, "lock")
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("opened", path) }
    let lock = Lock(descriptor)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("locked", path) }
      do { try await Task.sleep(for: .milliseconds(50)) } catch { throw .interruption }
    }
    return lock
  }

  private final class Lock: Sendable {
    private let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  private func read(_ name: String) throws(CredentialFailure) -> Entry? {
    let path = path(name, "json")
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw failure("read", path) }
    close(descriptor)
    guard let data = FileManager.default.contents(atPath: path),
      let entry = try? JSONDecoder().decode(Entry.self, from: data)
    else { throw CredentialFailure(message: "'\(path)' is damaged") }
    return entry
  }

  /// Replaces the file of a sign-in; a reader and a crash find the old one or the new one.
  private func write(
    _ credential: StoredCredential, _ id: CredentialID
  ) throws(CredentialFailure) {
    let path = path(Self.name(of: id), "json")
    let entry = Entry(
      token_url: id.tokenURL, client: id.client, origin: id.origin,
      stored: Date.now.ISO8601Format(), sealed: credential.sealed(by: sealer, for: id))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(entry)
    else { throw CredentialFailure(message: "'\(path)' cannot be encoded") }
    let new = path + ".new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("written", new) }
    let file = Descriptor(descriptor)
    guard writeAll(Array(data), to: file.raw, new) == nil, fsync(file.raw) == 0
    else { throw failure("written", new) }
    guard rename(new, path) == 0 else { throw failure("written", path) }
    let parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if parent >= 0 {
      fsync(parent)
      close(parent)
    }
  }

  private func failure(_ what: String, _ path: String) -> CredentialFailure {
    CredentialFailure(message: "'\(path)' cannot be \(what): \(errorText(errno))")
  }
}

/// For calls that open nothing.
private struct NoSealer: SecretSealer {
  func seal(_ bytes: [UInt8], context: String) -> String { "" }
  func open(_ sealed: String, context: String) -> [UInt8]? { nil }
}
