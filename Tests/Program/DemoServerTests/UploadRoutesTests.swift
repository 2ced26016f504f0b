import Crypto
import DemoServer
import Foundation
import NIOCore
import NIOHTTP1
import Testing

struct UploadRoutesTests {
  private let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

  @Test func `wrong credentials do not get a token`() async throws {
    try await withServer { (server, client) async throws in
      let wrong = try await client.send(
        .POST, "/v1/login", body: #"{"user":"demo","password":"x"}"#)
      #expect(wrong.status == 401 && wrong["access_token"] == nil)
      #expect(try await client.send(.POST, "/v1/login", body: "nonsense").status == 400)
      #expect(server.journal.count(of: .login) == 1)
    }
  }

  @Test func `a request without a good token is refused according to RFC 6750`() async throws {
    try await withServer { (server, _) async throws in
      let anonymous = Client(server: server)
      let none = try await anonymous.send(.POST, "/v1/uploads", body: "{}")
      #expect(none.status == 401)
      #expect(none.headers.first(name: "WWW-Authenticate") == "Bearer realm=\"demo\"")
      let stranger = Client(server: server, token: "guess")
      let bad = try await stranger.send(.GET, "/v1/uploads/x")
      #expect(bad.status == 401)
      #expect(
        bad.headers.first(name: "WWW-Authenticate")?.contains("error=\"invalid_token\"") == true)
    }
  }

  @Test func `tokens expire by the clock and on request`() async throws {
    try await withServer({ $0.tokenLifetime = .zero }) { (_, client) async throws in
      #expect(try await client.send(.GET, "/v1/uploads/x").status == 401)
    }
    try await withServer { (server, client) async throws in
      #expect(try await client.send(.GET, "/v1/uploads/x").status == 404)
      server.revokeTokens()
      #expect(try await client.send(.GET, "/v1/uploads/x").status == 401)
      #expect(try await client.signedIn().send(.GET, "/v1/uploads/x").status == 404)
    }
  }

  @Test func `uploads expire by the clock and on request, but not when complete`() async throws {
    try await withServer({ $0.uploadLifetime = .zero }) { (_, client) async throws in
      let id = try await client.allocate("a", size: 5)
      let reply = try await client.send(.PUT, "/v1/uploads/\(id)/content", body: "hello")
      #expect(reply.status == 410 && reply["error"] == "upload_expired")
    }
    try await withServer { (server, client) async throws in
      let done = try await client.allocate("a", size: 5)
      let open = try await client.allocate("b", size: 5)
      _ = try await client.send(.PUT, "/v1/uploads/\(done)/content", body: "hello")
      _ = try await client.send(.POST, "/v1/uploads/\(done)/finalize")
      server.expireUploads()
      #expect(try await client.send(.GET, "/v1/uploads/\(open)").status == 410)
      #expect(try await client.send(.POST, "/v1/uploads/\(open)/finalize").status == 410)
      #expect(try await client.send(.GET, "/v1/uploads/\(done)")["state"] == "complete")
    }
  }

  @Test func `many uploads are finalized with one request that reports each`() async throws {
    try await withServer { (server, client) async throws in
      let good = try await client.allocate("a", size: 5)
      let empty = try await client.allocate("b", size: 5)
      _ = try await client.send(.PUT, "/v1/uploads/\(good)/content", body: "hello")
      let body = #"{"uploads":["\#(good)","\#(empty)","unknown"]}"#
      let reply = try await client.send(.POST, "/v1/finalize", body: body)
      #expect(reply.status == 200)
      #expect(try await client.send(.GET, "/v1/uploads/\(good)")["state"] == "complete")
      #expect(try await client.send(.GET, "/v1/uploads/\(empty)")["state"] == "allocated")
      #expect(server.journal.finalizedCount(name: "a") == 1)
      #expect(server.journal.count(of: .finalizeAll) == 1)
      #expect(try await client.send(.POST, "/v1/finalize", body: "{}").status == 400)
      #expect(try await client.send(.GET, "/v1/finalize").status == 405)
    }
  }

  @Test func `a file passes through its three calls`() async throws {
    try await withServer { (server, client) async throws in
      let id = try await client.allocate("photo.jpg", size: 5)
      #expect(try await client.send(.GET, "/v1/uploads/\(id)")["state"] == "allocated")
      let content = try await client.send(.POST, "/v1/uploads/\(id)/content", body: "hello")
      #expect(content.status == 200 && content["sha256"] == hello)
      #expect(content["state"] == "uploaded")
      let final = try await client.send(.POST, "/v1/uploads/\(id)/finalize")
      #expect(final.status == 200 && final["state"] == "complete")
      #expect(final["finalize_count"] == "1")
      #expect(server.journal.finalizedCount(name: "photo.jpg") == 1)
      #expect(
        server.journal.entries.map(\.event) == [.login, .allocate, .inspect, .content, .finalize])
      #expect(server.journal.entries.last?.sha256 == hello)
    }
  }

  @Test func `a key makes a repeated allocation the same upload`() async throws {
    try await withServer { (server, client) async throws in
      let first = try await client.allocate("a", size: 1, key: "k")
      #expect(try await client.allocate("a", size: 1, key: "k") == first)
      #expect(try await client.allocate("a", size: 1, key: "other") != first)
      let reused = try await client.send(
        .POST, "/v1/uploads", body: #"{"name":"b","size":1}"#, headers: ["Idempotency-Key": "k"])
      #expect(reused.status == 422 && reused["error"] == "key_reused")
      #expect(server.journal.count(of: .allocate) == 2)
      #expect(server.journal.count(of: .allocateReplay) == 1)
    }
  }

  @Test(arguments: [
    (DemoServer.RepeatedFinalize.succeeds, 200), (DemoServer.RepeatedFinalize.conflicts, 409),
  ])
  func `a second finalize is counted unless it bears the first one's key`(
    setting: DemoServer.RepeatedFinalize, status: Int
  ) async throws {
    try await withServer({ $0.repeatedFinalize = setting }) { (server, client) async throws in
      let id = try await client.allocate("a", size: 5)
      let path = "/v1/uploads/\(id)/finalize"
      #expect(try await client.send(.POST, path)["error"] == "content_missing")
      _ = try await client.send(.PUT, "/v1/uploads/\(id)/content", body: "hello")
      let key = ["Idempotency-Key": "f"]
      #expect(try await client.send(.POST, path, headers: key).status == 200)
      #expect(try await client.send(.POST, path, headers: key).status == 200)
      #expect(server.journal.finalizedCount(name: "a") == 1)
      #expect(try await client.send(.POST, path).status == status)
      #expect(server.journal.finalizedCount(name: "a") == 2)
      #expect(server.journal.count(of: .duplicateFinalize) == 1)
      #expect(server.journal.count(of: .finalizeReplay) == 1)
    }
  }

  @Test func `content that does not match is refused and changes nothing`() async throws {
    try await withServer { (_, client) async throws in
      let id = try await client.allocate("a", size: 5)
      let path = "/v1/uploads/\(id)/content"
      let short = try await client.send(.PUT, path, body: "hell")
      #expect(short.status == 422 && short["error"] == "size_mismatch")
      let wrong = try await client.send(
        .PUT, path, body: "hello", headers: ["X-Content-SHA256": String(repeating: "0", count: 64)])
      #expect(wrong.status == 422 && wrong["error"] == "digest_mismatch")
      #expect(try await client.send(.GET, "/v1/uploads/\(id)")["state"] == "allocated")
      let right = try await client.send(
        .PUT, path, body: "hello", headers: ["X-Content-SHA256": hello.uppercased()])
      #expect(right.status == 200)
    }
  }

  @Test func `a form is parsed and its digest field is checked`() async throws {
    try await withServer { (_, client) async throws in
      let id = try await client.allocate("a", size: 5)
      func form(_ digest: String) -> String {
        "--B\r\nContent-Disposition: form-data; name=\"sha256\"\r\n\r\n\(digest)\r\n--B\r\n"
          + "Content-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nhello\r\n--B--\r\n"
      }
      let type = ["Content-Type": "multipart/form-data; boundary=B"]
      let path = "/v1/uploads/\(id)/content"
      #expect(try await client.send(.POST, path, body: form("00"), headers: type).status == 422)
      let right = try await client.send(.POST, path, body: form(hello), headers: type)
      #expect(right.status == 200 && right["sha256"] == hello)
      let cut = try await client.send(
        .POST, path, body: String(form(hello).dropLast(8)), headers: type)
      #expect(cut.status == 400 && cut["error"] == "malformed_multipart")
    }
  }

  @Test func `a deleted upload is gone and a complete one stays`() async throws {
    try await withServer { (_, client) async throws in
      let id = try await client.allocate("a", size: 5)
      #expect(try await client.send(.DELETE, "/v1/uploads/\(id)").status == 204)
      #expect(try await client.send(.DELETE, "/v1/uploads/\(id)").status == 404)
      let done = try await client.allocate("b", size: 5)
      _ = try await client.send(.PUT, "/v1/uploads/\(done)/content", body: "hello")
      _ = try await client.send(.POST, "/v1/uploads/\(done)/finalize")
      #expect(try await client.send(.DELETE, "/v1/uploads/\(done)").status == 409)
      #expect(
        try await client.send(.PUT, "/v1/uploads/\(done)/content", body: "hello").status == 409)
    }
  }

  @Test func `an unknown path is 404 and a wrong method is 405`() async throws {
    try await withServer { (_, client) async throws in
      #expect(try await client.send(.GET, "/v2/uploads").status == 404)
      let reply = try await client.send(.PATCH, "/v1/uploads/x")
      #expect(reply.status == 405)
      #expect(reply.headers.first(name: "Allow") == "DELETE, GET")
    }
  }

  @Test func `every response has the date of the server's clock`() async throws {
    let century = Duration.seconds(86_400 * 36_525)
    try await withServer({ $0.clockOffset = century }) { (_, client) async throws in
      let reply = try await client.send(.GET, "/nothing")
      let date = try #require(reply.headers.first(name: "Date")).split(separator: " ")
      #expect(date.count == 6 && date.last == "GMT")
      #expect(try #require(Int(date[3])) >= 2100)
    }
  }
}
