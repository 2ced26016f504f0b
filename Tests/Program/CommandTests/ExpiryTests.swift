import Foundation
import TestSupport
import Testing

/// Tokens that live two seconds and upload IDs that live three, against a server that stands still for longer.
struct ExpiryTests {
  @Test func `everything finishes although every identifier expires during the run`() async throws {
    let scene = try Scene()
    let contents = try scene.files(16, size: 8000)
    try scene.directory.write(Self.definition, to: "expiry.yaml")
    let server = try await scene.server(
      "--token-lifetime", "2s", "--upload-lifetime", "3s", "--suspend-at", "12", "--suspend-at",
      "30")
    let run = try scene.pipeline.start("run", "expiry.yaml", "--input", "server=\(server.url)")
    for _ in 0..<2 {
      try await server.waitUntilSuspended()
      // Everything the server has issued so far expires by the clock, which nothing can hurry.
      let expired = ContinuousClock.now + .seconds(3)
      try await run.wait("three seconds") { ContinuousClock.now >= expired }
      server.goOn()
    }
    let outcome = try await run.outcome()
    #expect(outcome.status == 0, "\(outcome)")

    let journal = server.journal
    let finalized = journal.filter { $0.event == "finalize" }
    #expect(Set(finalized.compactMap(\.name)) == Set(contents.keys))
    #expect(finalized.count == contents.count)
    #expect(!journal.contains { $0.event == "duplicate_finalize" })
    // One sign-in serves all items whenever the token expires, by the server's clock, and one more each response 401.
    let logins = journal.count { $0.event == "login" }
    let refused = journal.count { $0.status == 401 }
    let seconds = try Self.seconds(journal)
    #expect(logins >= 3, "a token that had expired was not renewed")
    #expect(
      logins <= Int(seconds / 1.5) + refused + 3, "\(logins) in \(seconds) s, \(refused) × 401")

    try Self.checkGenerations(journal)
  }

  @Test func `an identifier that the server removes is created again, the old one not touched`()
    async throws
  {
    let scene = try Scene()
    let contents = try scene.files(16, size: 2000)
    try scene.directory.write(Self.definition, to: "expiry.yaml")
    let server = try await scene.server(
      "--seed", "5", "--fault", "gone=0.15", "--fault", "unauthorized=0.1")
    let outcome = try await scene.pipeline.run(
      "run", "expiry.yaml", "--input", "server=\(server.url)")
    #expect(outcome.status == 0, "\(outcome)")
    let journal = server.journal
    #expect(journal.contains { $0.status == 410 } && journal.contains { $0.status == 401 })
    let logins = journal.count { $0.event == "login" }
    #expect(logins <= journal.count { $0.status == 401 } + 1, "\(logins) sign-ins")
    #expect(journal.count { $0.event == "finalize" } == contents.count)
    try Self.checkGenerations(journal)
  }

  /// From the first request to the last, by the server's clock.
  private static func seconds(_ journal: [JournalLine]) throws -> Double {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let first = try style.parse(try #require(journal.first).time)
    return try style.parse(try #require(journal.last).time).timeIntervalSince(first)
  }

  /// The upload that an item was completed with is the last that was created for it, and no request
  /// used an ID once a newer one was there.
  private static func checkGenerations(_ journal: [JournalLine]) throws {
    var latest: [String: String] = [:]
    var owner: [String: String] = [:]
    for line in journal {
      if line.event == "allocate", let name = line.name, let id = line.upload_id {
        latest[name] = id
        owner[id] = name
      }
      if line.event == "content" || line.event == "finalize", let id = line.upload_id {
        let name = try #require(owner[id])
        #expect(latest[name] == id, "\(line.event) of \(name) with an ID of an older generation")
      }
    }
  }

  static let definition = """
    pipeline: expiry
    inputs:
      server: { type: url }
      password: { type: secret }
      files: { type: files, default: "files/*.bin" }
    retry:
      standard: { attempts: 10, backoff: { initial: 50ms, max: 500ms } }
    steps:
      - id: sign_in
        request:
          method: POST
          url: ${{ inputs.server + "/v1/login" }}
          json: { user: demo, password: "${{ inputs.password }}" }
        effect: repeatable
        outputs:
          token:
            value: ${{ response.json.access_token }}
            secret: true
            expires:
              in: ${{ duration(string(response.json.expires_in) + "s") }}
              skew: 200ms
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          - id: allocate
            max_reissues: 20
            request:
              method: POST
              url: ${{ inputs.server + "/v1/uploads" }}
              bearer: ${{ steps.sign_in.token }}
              json: { name: "${{ file.name }}", size: "${{ file.size }}" }
            effect: create
            idempotency: { header: Idempotency-Key }
            on:
              - { if: "${{ response.status == 401 }}", expired: sign_in }
            outputs:
              upload_id:
                value: ${{ response.json.id }}
                expires: { at: "${{ timestamp(response.json.expires_at) }}", skew: 100ms }
          - id: upload
            upload:
              method: POST
              url: ${{ inputs.server + "/v1/uploads/" + steps.allocate.upload_id + "/content" }}
              bearer: ${{ steps.sign_in.token }}
              file: ${{ file }}
            on:
              - { if: "${{ response.status == 401 }}", expired: sign_in }
              - { if: "${{ response.status in [404, 410] }}", expired: allocate }
          - id: finalize
            request:
              method: POST
              url: ${{ inputs.server + "/v1/uploads/" + steps.allocate.upload_id + "/finalize" }}
              bearer: ${{ steps.sign_in.token }}
            depends_on: [upload]
            effect: create
            probe:
              request:
                url: ${{ inputs.server + "/v1/uploads/" + steps.allocate.upload_id }}
                bearer: ${{ steps.sign_in.token }}
              took_effect: ${{ response.status == 200 && response.json.state == "complete" }}
            on:
              - { if: "${{ response.status == 401 }}", expired: sign_in }
              - { if: "${{ response.status in [404, 410] }}", expired: allocate }
        on_abandon:
          - request:
              method: DELETE
              url: ${{ inputs.server + "/v1/uploads/" + steps.allocate.upload_id }}
              bearer: ${{ steps.sign_in.token }}
    """
}
