import Foundation
import TestSupport
import Testing

/// Run-level steps, although many workers share the run.
@Suite(.enabled(if: DatabasePlace.address != nil, "PIPELINE_TEST_POSTGRESQL names no server"))
struct LeadDatabaseTests {
  /// An album is created first, each file is sent with its ID,
  /// and the album is completed when all files are there.
  private static let album = """
    pipeline: album
    inputs:
      server: { type: url }
      password: { type: secret }
      files: { type: files, default: "files/*.bin" }
    steps:
      - id: sign_in
        request:
          method: POST
          url: ${{ inputs.server + "/v1/login" }}
          json: { user: demo, password: "${{ inputs.password }}" }
        effect: repeatable
        outputs:
          token: { value: "${{ response.json.access_token }}", secret: true }
      - id: album
        request:
          method: POST
          url: ${{ inputs.server + "/v1/uploads" }}
          bearer: ${{ steps.sign_in.token }}
          json: { name: "album", size: 3 }
        effect: create
        idempotency: { header: Idempotency-Key }
        outputs:
          id: ${{ response.json.id }}
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          - id: allocate
            request:
              method: POST
              url: ${{ inputs.server + "/v1/uploads" }}
              bearer: ${{ steps.sign_in.token }}
              json: { name: "${{ steps.album.id + '-' + file.name }}", size: "${{ file.size }}" }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs:
              id: ${{ response.json.id }}
          - id: upload
            upload:
              method: POST
              url: ${{ inputs.server + "/v1/uploads/" + steps.allocate.id + "/content" }}
              bearer: ${{ steps.sign_in.token }}
              file: ${{ file }}
          - id: finalize
            request:
              method: POST
              url: ${{ inputs.server + "/v1/uploads/" + steps.allocate.id + "/finalize" }}
              bearer: ${{ steps.sign_in.token }}
            depends_on: [upload]
            effect: create
            idempotency: { header: Idempotency-Key }
      - id: cover
        request:
          method: POST
          url: ${{ inputs.server + "/v1/uploads/" + steps.album.id + "/content" }}
          bearer: ${{ steps.sign_in.token }}
          text: all
        effect: repeatable
      - id: publish
        request:
          method: POST
          url: ${{ inputs.server + "/v1/uploads/" + steps.album.id + "/finalize" }}
          bearer: ${{ steps.sign_in.token }}
        depends_on: [cover]
        effect: create
        idempotency: { header: Idempotency-Key }
    """

  /// The album was created once, each file was sent once with its ID,
  /// and the album was completed once, after them.
  private func checkAlbum(_ place: DatabasePlace, files: Int) throws {
    let albums = place.server.journal.filter { $0.event == "allocate" && $0.name == "album" }
    #expect(albums.count == 1)
    let id = try #require(albums.first?.upload_id)
    let finalized = place.server.journal.filter { $0.event == "finalize" }.compactMap(\.name)
    #expect(finalized.count == files + 1 && Set(finalized).count == files + 1)
    #expect(finalized.dropLast().allSatisfy { $0.hasPrefix(id + "-") })
    #expect(finalized.last == "album")
  }

  @Test func `an album is created once, read by all shards, and completed when they are done`()
    async throws
  {
    let place = try await DatabasePlace(definition: Self.album)
    try await place.create("--name", "nightly")
    let waiting = try await place.run("status", "nightly")
    #expect(waiting.output.contains("lead/4"), "\(waiting)")
    #expect(waiting.output.contains("4 shards: 4 waiting:"), "\(waiting)")
    let run = try await place.run("work", "--until-done", "--at-most", "4")
    #expect(run.status == 0, "\(run)")
    try checkAlbum(place, files: 30)
    let status = try await place.run("status", "nightly")
    #expect(status.output.contains("4 shards: 4 finished:"), "\(status)")
    let history = try await place.run("history", "nightly.lead")
    #expect(history.output.contains("publish success"), "\(history)")
  }

  @Test func `workers that are killed still leave only one album`() async throws {
    // While the album is created, and in the middle of the files.
    let place = try await DatabasePlace(
      definition: Self.album, "--suspend-at", "2", "--suspend-at", "30", "--suspend-at", "60")
    try await place.create()
    for _ in 0..<3 {
      let worker = try place.start("work", "--lease", "1s", "--at-most", "4")
      try await place.server.waitUntilSuspended()
      try await worker.killed()
      place.server.goOn()
    }
    let last = try await place.run("work", "--until-done", "--lease", "1s")
    #expect(last.status == 0, "\(last)")
    try checkAlbum(place, files: 30)
  }

  @Test func `unfinished items block the steps after them, until they are retried`() async throws {
    let place = try await DatabasePlace(files: 12, definition: Self.album)
    try await place.create()
    let file = place.scene.directory.url.appending(path: "files/file-0007.bin")
    let away = place.scene.directory.url.appending(path: "away.bin")
    try FileManager.default.moveItem(at: file, to: away)
    let first = try await place.run("work", "--until-done")
    #expect(first.status == 1, "\(first)")
    #expect(!place.server.journal.contains { $0.event == "finalize" && $0.name == "album" })
    let status = try await place.run("status")
    #expect(status.output.contains("what comes after them waits"), "\(status)")

    try FileManager.default.moveItem(at: away, to: file)
    let again = try await place.run("retry", "--work")
    #expect(again.status == 0, "\(again)")
    try checkAlbum(place, files: 12)
  }

  @Test func `a run that is cancelled while its lead waits ends`() async throws {
    let place = try await DatabasePlace(definition: Self.album)
    let gate = try await place.scene.gate(
      to: place.server, [#"{"match": "/content", "do": "hold", "from": 2}"#])
    try await place.create(server: gate.url)
    let worker = try place.start("work", "--lease", "1s", "--concurrency", "1")
    try await place.server.wait(for: "finalize", count: 1)
    try await worker.wait("a held upload") { gate.held > 0 }
    let cancelled = try await place.run("cancel", "--work")
    #expect([0, 1].contains(cancelled.status), "\(cancelled)")
    worker.signal(SIGTERM)
    _ = try await worker.outcome()
    let status = try await place.run("status", "--format", "json")
    let each = try #require(try JSON.object(status.output)["each"] as? [[String: Any]])
    #expect(each.count == 5 && each.first?["status"] as? String == "cancelled", "\(status)")
    #expect(!place.server.journal.contains { $0.event == "finalize" && $0.name == "album" })
  }

  @Test func `a secret result of the lead that is not sealed is refused`() async throws {
    let definition = Self.album.replacing(
      "id: ${{ response.json.id }}\n  - for_each",
      with: "id: { value: \"${{ response.json.id }}\", secret: true }\n  - for_each")
    #expect(definition != Self.album)
    let scene = try Scene()
    try scene.directory.write(definition, to: "upload.yaml")
    try scene.files(1)
    let run = try await scene.pipeline.run(
      "run", "upload.yaml", "--input", "server=http://localhost:1", "--store",
      "postgresql://127.0.0.1:1/runs")
    #expect(run.status == 2 && run.error.contains("cannot read its secret output 'id'"), "\(run)")
  }

  @Test func `a step between two loops is refused`() async throws {
    let scene = try Scene()
    try scene.directory.write(
      """
      pipeline: twice
      inputs: { server: { type: url } }
      steps:
        - { for_each: page, in: "${{ [1] }}", steps: [{ id: look, request: { url: "${{ inputs.server }}" } }] }
        - { id: ask, request: { url: "${{ inputs.server }}" } }
        - { for_each: page, in: "${{ [1] }}", steps: [{ id: see, request: { url: "${{ inputs.server }}" } }] }
      """, to: "twice.yaml")
    let run = try await scene.pipeline.run(
      "run", "twice.yaml", "--input", "server=http://localhost:1", "--store",
      "postgresql://127.0.0.1:1/runs")
    #expect(run.status == 2 && run.error.contains("twice.yaml:5:"), "\(run)")
    #expect(run.error.contains("step 'ask' comes between the loops"), "\(run)")
  }
}
