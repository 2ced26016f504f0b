import DemoServer
import NIOHTTP1
import Testing

struct DownloadRoutesTests {
  @Test func `content that is not there, or not kept, is not sent`() async throws {
    try await withServer { (_, client) async throws in
      let id = try await client.allocate("a", size: 5)
      #expect(try await client.send(.GET, "/v1/uploads/\(id)/content").status == 404)
      #expect(try await client.send(.PUT, "/v1/uploads/\(id)/content", body: "hello").status == 200)
      #expect(try await client.send(.GET, "/v1/uploads/\(id)/content").status == 404)
      #expect(try await client.send(.GET, "/v1/uploads/none/content").status == 404)
    }
  }

  @Test func `content is sent whole, or the part that is asked for`() async throws {
    try await withTemporaryFolder { folder in
      try await withServer({ $0.storage = .folder(folder) }) { (_, client) async throws in
        let id = try await client.allocate("a", size: 5)
        let path = "/v1/uploads/\(id)/content"
        #expect(try await client.send(.PUT, path, body: "hello").status == 200)
        let whole = try await client.send(.GET, path)
        #expect(whole.status == 200 && String(decoding: whole.body, as: UTF8.self) == "hello")
        let tag = try #require(whole.headers.first(name: "etag"))
        #expect(tag.hasPrefix("\""))
        let rest = try await client.send(
          .GET, path, headers: ["Range": "bytes=2-", "If-Range": tag])
        #expect(rest.status == 206 && String(decoding: rest.body, as: UTF8.self) == "llo")
        #expect(rest.headers.first(name: "content-range") == "bytes 2-4/5")
        let other = try await client.send(
          .GET, path, headers: ["Range": "bytes=2-", "If-Range": "\"other\""])
        #expect(other.status == 200)
        let beyond = try await client.send(.GET, path, headers: ["Range": "bytes=5-"])
        #expect(beyond.status == 416)
        #expect(beyond.headers.first(name: "content-range") == "bytes */5")
      }
    }
  }
}
