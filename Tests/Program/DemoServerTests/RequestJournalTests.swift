import Foundation
import NIOHTTP1
import Testing

@testable import DemoServer

struct RequestJournalTests {
  private func entry(_ event: JournalEntry.Event, name: String) -> JournalEntry {
    var entry = JournalEntry(time: Timestamp(milliseconds: 0), method: "POST", path: "/x")
    entry.event = event
    entry.fileName = name
    return entry
  }

  @Test(arguments: [
    (DemoServer.JournalRetention.all, 10, 10 as Int?),
    (.latest(3), 3, 10), (.latest(0), 0, 10), (.countersOnly, 0, nil),
  ])
  func `retention bounds the entries and never the counts`(
    retention: DemoServer.JournalRetention, kept: Int, finalized: Int?
  ) {
    let journal = RequestJournal(retention: retention, file: nil)
    for _ in 0..<10 { journal.record(entry(.finalize, name: "a")) }
    #expect(journal.entries.map(\.sequence) == Array((10 - kept + 1)..<11))
    #expect(journal.requestCount == 10 && journal.count(of: .finalize) == 10)
    #expect(journal.finalizedCount(name: "a") == finalized)
  }

  @Test func `the file contains one line of JSON per request and no secret`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/journal.ndjson"
      try await withServer({
        $0.journalFile = path
        $0.password = "s3cret"
      }) { (server, anonymous) async throws in
        #expect(anonymous.token == nil)
        let login = #"{"user":"demo","password":"s3cret"}"#
        let token = try await anonymous.send(.POST, "/v1/login", body: login)["access_token"]
        let client = Client(server: server, token: token)
        _ = try await client.allocate("a\\\"b", size: 5, key: "k")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!text.contains("s3cret") && !text.contains(client.token ?? "?"))
        let lines = try text.split(separator: "\n").map {
          try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["seq"] as? Int } == [1, 2, 3])
        #expect(lines.map { $0["event"] as? String } == ["refused", "login", "allocate"])
        #expect(lines.last?["name"] as? String == "a\"b")
        #expect(lines.last?["idempotency_key"] as? String == "k")
        #expect(lines.last?["status"] as? Int == 201)
      }
    }
  }

  @Test func `a journal file that cannot be opened stops the start`() async throws {
    var configuration = DemoServer.Configuration()
    configuration.journalFile = "/nonexistent/journal"
    await #expect(throws: DemoServerError.self) { try await DemoServer.start(configuration) }
  }

  @Test func `a port in use stops the start`() async throws {
    try await withServer { (server, _) async throws in
      var configuration = DemoServer.Configuration()
      configuration.port = server.port
      await #expect(throws: (any Error).self) { try await DemoServer.start(configuration) }
    }
  }
}
