import Crypto
import DemoServer
import Foundation
import NIOHTTP1
import Testing

struct FileRoutesTests {
  @Test func `a file is put by name without a token and looked at`() async throws {
    try await withServer { (server, _) async throws in
      let anonymous = Client(server: server)
      #expect(try await anonymous.send(.GET, "/v1/files/a%20b.txt").status == 404)
      let first = try await anonymous.send(.PUT, "/v1/files/a%20b.txt", body: "hello")
      #expect(first.status == 201 && first["name"] == "a b.txt" && first["size"] == "5")
      #expect(try await anonymous.send(.PUT, "/v1/files/a%20b.txt", body: "hello").status == 200)
      let digest = try #require(first["sha256"])
      #expect(try await anonymous.send(.GET, "/v1/files/a%20b.txt")["sha256"] == digest)
      let head = try await anonymous.send(.HEAD, "/v1/files/a%20b.txt")
      #expect(head.status == 200 && head.body.isEmpty)
      #expect(head.headers.first(name: "X-Content-SHA256") == digest)
    }
  }

  @Test func `a large streamed body keeps its digest and its bytes`() async throws {
    try await withTemporaryFolder { folder in
      try await withServer({ $0.storage = .folder(folder) }) { (server, _) async throws in
        let body = (0..<(4 << 20) / 32).map { String(format: "%031d\n", $0) }.joined()
        let expected = SHA256.hash(data: Data(body.utf8)).map { String(format: "%02x", $0) }
          .joined()
        let reply = try await Client(server: server).send(
          .PUT, "/v1/files/..%2Flarge", body: body, isChunked: true)
        #expect(reply.status == 201 && reply["sha256"] == expected)
        let stored = try Data(contentsOf: URL(filePath: folder + "/files/%2E.%2Flarge"))
        #expect(stored.count == 4 << 20)
        #expect(SHA256.hash(data: stored).map { String(format: "%02x", $0) }.joined() == expected)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/incoming")
        #expect(left.isEmpty)
      }
    }
  }

  @Test func `a refused body does not leave a file`() async throws {
    try await withTemporaryFolder { folder in
      try await withServer({ $0.storage = .folder(folder) }) { (_, client) async throws in
        let id = try await client.allocate("a", size: 3)
        #expect(
          try await client.send(.PUT, "/v1/uploads/\(id)/content", body: "hello").status == 422)
        for name in ["incoming", "uploads"] {
          let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/" + name)
          #expect(left.isEmpty)
        }
      }
    }
  }
}
