import Foundation
import PipelineCore
import PipelineEngine
import PipelineFiles
import Synchronization
import Testing

/// A store of sign-ins: encrypted, bound to their purpose, and used by one process at a time.
struct CredentialStoreTests {
  private static let id = CredentialID(
    tokenURL: "https://login.example.com/token", client: "me", origin: "abc")
  private static let key = Array("correct horse battery staple".utf8)

  private static func store(
    _ folder: TemporaryFolder, _ key: [UInt8] = key
  ) throws -> FileCredentialStore {
    FileCredentialStore(
      folder: folder("credentials"), sealer: try #require(AESGCMSealer(key: key)))
  }

  /// Keeps a token, and returns the one before.
  private static func exchange(
    _ store: some CredentialStore, _ id: CredentialID = id, keeping token: String? = nil
  ) async throws -> StoredCredential? {
    let before = Mutex<StoredCredential?>(nil)
    _ = try await store.withCredential(id) { stored in
      before.withLock { $0 = stored }
      return (token.map { StoredCredential(token: $0) }, .notDone)
    }
    return before.withLock { $0 }
  }

  @Test func `stored sign-ins are encrypted, and a store that is opened later has them`()
    async throws
  {
    let folder = try TemporaryFolder()
    #expect(try await Self.exchange(Self.store(folder), keeping: "r-secret-1") == nil)
    #expect(
      try await Self.exchange(Self.store(folder), keeping: "r-secret-2")?.token == "r-secret-1")
    #expect(try await Self.exchange(Self.store(folder))?.token == "r-secret-2")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder("credentials")) {
      let path = folder("credentials/" + name)
      let data = try #require(FileManager.default.contents(atPath: path))
      #expect(data.range(of: Data("r-secret".utf8)) == nil)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
    let entries = try FileCredentialStore.entries(in: folder("credentials"))
    #expect(entries.map(\.id) == [Self.id])
  }

  @Test func `another key is a failure, and so is the text of another sign-in`() async throws {
    let folder = try TemporaryFolder()
    _ = try await Self.exchange(Self.store(folder), keeping: "r-1")
    await #expect(throws: CredentialFailure.self) {
      try await Self.exchange(
        Self.store(folder, Array("another key, as long".utf8)), keeping: "r-2")
    }
    let other = CredentialID(tokenURL: Self.id.tokenURL, client: "other", origin: "abc")
    _ = try await Self.exchange(Self.store(folder), other, keeping: "r-other")
    let paths = [Self.id, other].map {
      folder("credentials/\(FileCredentialStore.name(of: $0)).json")
    }
    try FileManager.default.removeItem(atPath: paths[1])
    try FileManager.default.copyItem(atPath: paths[0], toPath: paths[1])
    await #expect(throws: CredentialFailure.self) {
      try await Self.exchange(Self.store(folder), other)
    }
    #expect(try await Self.exchange(Self.store(folder))?.token == "r-1")
  }

  /// How many exchanges are under way.
  private final class Exchanges: Sendable {
    let active = Atomic(0)
    let most = Atomic(0)
  }

  @Test func `exchanges with one sign-in happen one at a time`() async throws {
    let folder = try TemporaryFolder()
    let exchanges = Exchanges()
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          _ = try await Self.store(folder).withCredential(Self.id) { stored in
            let now = exchanges.active.add(1, ordering: .relaxed).newValue
            exchanges.most.max(now, ordering: .relaxed)
            await Task.yield()
            let next = (stored.flatMap { Int($0.token) } ?? 0) + 1
            exchanges.active.subtract(1, ordering: .relaxed)
            return (StoredCredential(token: "\(next)"), .notDone)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(exchanges.most.load(ordering: .relaxed) == 1)
    #expect(try await Self.exchange(Self.store(folder))?.token == "8")
  }

  @Test func `a folder that cannot be created is a failure, before anything is sent`()
    async throws
  {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(filePath: folder("credentials")))
    await #expect(throws: CredentialFailure.self) {
      try await Self.exchange(Self.store(folder), keeping: "r-1")
    }
  }

  @Test func `a new key opens earlier values, and then only that key does`() async throws {
    let folder = try TemporaryFolder()
    _ = try await Self.exchange(Self.store(folder), keeping: "r-1")
    let new = Array("the key of the next year".utf8)
    let both = try #require(AESGCMSealer(key: new, earlier: Self.key))
    let store = FileCredentialStore(folder: folder("credentials"), sealer: both)
    let count = try await store.reseal([Self.id])
    #expect(count == (1, 0))
    #expect(try await Self.exchange(Self.store(folder, new))?.token == "r-1")
    let name = FileCredentialStore.name(of: Self.id)
    #expect(try await FileCredentialStore.remove(name, in: folder("credentials")))
    #expect(try await Self.exchange(Self.store(folder)) == nil)
  }
}
