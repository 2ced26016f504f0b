import Foundation
import PipelineCore
import PipelineEngine
import PipelineFiles
import Synchronization
import Testing

/// Stores of sign-ins: encrypted, bound to their purpose, and used by one process at a time.
struct CredentialStoreTests {
  /// Other tests use the same database.
  private let id = CredentialID(
    tokenURL: "https://login.example.com/token", client: "me",
    origin: "\(UInt64.random(in: 0 ... .max))")
  private static let key = Array("correct horse battery staple".utf8)

  /// Keeps a token, and returns the one before.
  private func exchange(
    _ store: any CredentialStore, _ other: CredentialID? = nil, keeping token: String? = nil
  ) async throws -> StoredCredential? {
    let before = Mutex<StoredCredential?>(nil)
    _ = try await store.withCredential(other ?? id) { stored in
      before.withLock { $0 = stored }
      return (token.map { StoredCredential(token: $0) }, .notDone)
    }
    return before.withLock { $0 }
  }

  @Test(arguments: CredentialPlace.kinds)
  func `stored sign-ins are encrypted, and a store that is opened later has them`(
    _ kind: CredentialPlace.Kind
  ) async throws {
    let place = try await CredentialPlace(kind)
    #expect(try await exchange(place.store(Self.key), keeping: "r-secret-1") == nil)
    #expect(
      try await exchange(place.store(Self.key), keeping: "r-secret-2")?.token == "r-secret-1")
    #expect(try await exchange(place.store(Self.key))?.token == "r-secret-2")
    #expect(try await !place.text(of: id).contains("r-secret"))
    #expect(try await place.ids().count { $0 == id } == 1)
    await place.close()
  }

  @Test func `files of sign-ins are readable by their owner only`() async throws {
    let place = try await CredentialPlace(.folder)
    _ = try await exchange(place.store(Self.key), keeping: "r-secret-1")
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
    #expect(!names.isEmpty)
    for name in names {
      let path = place.path + "/" + name
      let data = try #require(FileManager.default.contents(atPath: path))
      #expect(data.range(of: Data("r-secret".utf8)) == nil)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }

  @Test(arguments: CredentialPlace.kinds)
  func `another key is a failure, and so is the text of another sign-in`(
    _ kind: CredentialPlace.Kind
  ) async throws {
    let place = try await CredentialPlace(kind)
    _ = try await exchange(place.store(Self.key), keeping: "r-1")
    await #expect(throws: CredentialFailure.wrongKey) {
      try await exchange(place.store(Array("another key, as long".utf8)), keeping: "r-2")
    }
    let other = CredentialID(tokenURL: id.tokenURL, client: "other", origin: id.origin)
    _ = try await exchange(place.store(Self.key), other, keeping: "r-other")
    try await place.replace(other, with: id)
    await #expect(throws: CredentialFailure.wrongKey) {
      try await exchange(place.store(Self.key), other)
    }
    #expect(try await exchange(place.store(Self.key))?.token == "r-1")
    await place.close()
  }

  /// How many exchanges are under way.
  private final class Exchanges: Sendable {
    let active = Atomic(0)
    let most = Atomic(0)
  }

  @Test(arguments: CredentialPlace.kinds)
  func `exchanges with one sign-in happen one at a time`(
    _ kind: CredentialPlace.Kind
  ) async throws {
    let place = try await CredentialPlace(kind)
    let exchanges = Exchanges()
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          _ = try await place.store(Self.key).withCredential(id) { stored in
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
    #expect(try await exchange(place.store(Self.key))?.token == "8")
    await place.close()
  }

  @Test func `a folder that cannot be created is a failure, before anything is sent`() async throws
  {
    let place = try await CredentialPlace(.folder)
    try Data().write(to: URL(filePath: place.path))
    await #expect(throws: CredentialFailure.self) {
      try await exchange(place.store(Self.key), keeping: "r-1")
    }
  }

  @Test(arguments: CredentialPlace.kinds)
  func `a new key opens earlier values, and then only that key does`(
    _ kind: CredentialPlace.Kind
  ) async throws {
    let place = try await CredentialPlace(kind)
    _ = try await exchange(place.store(Self.key), keeping: "r-1")
    let new = Array("the key of the next year".utf8)
    let count = try await place.store(new, earlier: Self.key).reseal([id])
    #expect(count == (1, 0))
    #expect(try await exchange(place.store(new))?.token == "r-1")
    #expect(try await place.remove(id))
    #expect(try await exchange(place.store(Self.key)) == nil)
    await place.close()
  }
}
