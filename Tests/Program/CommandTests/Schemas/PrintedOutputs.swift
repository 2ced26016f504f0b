import Foundation
import TestSupport
import Testing

/// What real commands print as JSON, by the name of the schema that describes it.
struct PrintedOutputs: Sendable {
  private(set) var texts: [String: [String]] = [:]

  /// All of them, printed once for all tests.
  static let all = Task { try await printed() }

  /// In scenes of their own, which are prepared at once.
  private static func printed() async throws -> Self {
    typealias Part = @Sendable (inout Self) async throws -> Void
    let parts: [Part] = [
      { try await $0.addRuns() }, { try await $0.addShards() }, { try await $0.addWork() },
      { try await $0.addBackground() }, { try await $0.addDocuments() },
      { try await $0.addSimulations() },
    ]
    let states: [Part] = StoredState.all.filter { storedRuns.contains($0.name) }.map { state in
      { try await $0.addStoredRun(state) }
    }
    return try await withThrowingTaskGroup(of: Self.self) { group in
      for part in parts + states {
        group.addTask {
          var outputs = Self()
          try await part(&outputs)
          return outputs
        }
      }
      return try await group.reduce(into: Self()) { all, outputs in
        all.texts.merge(outputs.texts) { $0 + $1 }
      }
    }
  }

  /// Runs a command and keeps its output.
  @discardableResult
  mutating func add(
    _ schema: String, _ scene: Scene, _ arguments: [String], isLines: Bool = false,
    status: ClosedRange<Int32> = 0...1
  ) async throws -> String {
    let outcome = try await scene.pipeline.run(arguments)
    #expect(status.contains(outcome.status), "\(arguments): \(outcome)")
    #expect(!outcome.output.isEmpty, "\(arguments): \(outcome)")
    add(schema, outcome.output, isLines: isLines)
    return outcome.output
  }

  mutating func add(_ schema: String, _ text: String, isLines: Bool = false) {
    let found = isLines ? text.split(separator: "\n").map(String.init) : [text]
    texts[schema, default: []] += found
  }

  // MARK: Runs

  /// A file that is sent, one that is refused, one that is paused and one that is left out.
  static let mixed = """
    pipeline: mixed
    inputs:
      server: { type: url }
      files: { type: files, default: "files/*.bin", exclude: ["*.tmp"] }
      password: { type: secret }
    budgets:
      disk: 20 MiB
      transfers: 4
      bytes_per_second: 50 MB
      rates: { calm: 100/1s }
    steps:
      - id: login
        request:
          method: POST
          url: ${{ inputs.server + "/v1/login" }}
          json: { user: demo, password: "${{ inputs.password }}" }
          rate: calm
        effect: repeatable
        outputs: { token: { value: "${{ response.json.access_token }}", secret: true, expires: { in: 1h } } }
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          - id: copy
            if: ${{ file.size != 503 }}
            materialize: { file: "${{ file }}", digests: [sha256] }
          - id: put
            if: ${{ file.size != 503 }}
            upload:
              url: '${{ inputs.server + (file.size == 501 ? "/v1/nothing/" : "/v1/files/") + urlEscape(file.name) }}'
              file: ${{ steps.copy.file }}
              bearer: ${{ steps.login.token }}
            on:
              - { if: "${{ file.size == 501 }}", then: fail, message: "the server says ${{ response.status }}" }
              - { if: "${{ file.size == 502 }}", then: pause, message: a person must look }
            # pipeline: ignore[unused-output] `pipeline items` shows it
            outputs: { name: { value: "${{ response.json.name }}", expires: { in: 1h } } }
    """

  /// Every report on a run, and on its items.
  private mutating func addReports(_ scene: Scene, _ run: [String] = []) async throws {
    let json = ["--format", "json"]
    try await add("run", scene, ["status"] + run + json)
    try await add("explanation", scene, ["explain"] + run + json)
    try await add("explanation", scene, ["explain"] + run + json + ["--limit", "1"])
    let items = try await add("items", scene, ["items"] + run + json)
    for item in try JSON.array(items).prefix(5) {
      let key = try #require(item["item"] as? String)
      try await add("explanation", scene, ["explain"] + run + [key] + json)
    }
    try await add("history", scene, ["history"] + run + json, isLines: true)
    try await add("runs", scene, ["runs"] + json)
  }

  /// A run in shards, of which one is missing.
  private mutating func addShards() async throws {
    let scene = try Scene()
    try scene.files(6)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let server = try await scene.server()
    let run = ["run", "put.yaml", "--input", "server=\(server.url)", "--name", "shards"]
    let json = ["--format", "json"]
    try await add("plan", scene, run + ["--shard", "1/3", "--dry-run"] + json)
    try await add("run", scene, run + ["--shard", "1/3"] + json)
    let second = run + ["--shard", "2/3", "--progress", "json", "--report", "m.json"]
    try await add("progress", scene, second, isLines: true)
    add("manifest", scene.directory.text(of: "m.json"))
    try await add("sharded-run", scene, ["status"] + json)
    try await add("items", scene, ["items"] + json)
    try await add("explanations", scene, ["explain"] + json)
    let runs = try JSON.array(try await add("runs", scene, ["runs"] + json))
    let newest = try #require(runs.last?["run"] as? String)
    try await add("explanation", scene, ["explain", newest] + json)
    // A second attempt waits for its time.
    let nowhere = ["run", "put.yaml", "--input", "server=http://127.0.0.1:9", "--name", "nowhere"]
    try await add("run", scene, nowhere + json, status: 1...1)
    try await add("history", scene, ["history", "nowhere"] + json, isLines: true)
  }

  /// A run with items in every state in which one can rest, from the plan to the end.
  private mutating func addRuns() async throws {
    let scene = try Scene()
    try scene.files(5)
    try scene.directory.write("no", to: "files/no.tmp")
    try scene.directory.write("", to: "files/.hidden.bin")
    try scene.directory.write(Self.mixed, to: "mixed.yaml")
    let server = try await scene.server()
    let json = ["--format", "json"]
    try await add("runs", scene, ["runs"] + json)
    let run = ["run", "mixed.yaml", "--input", "server=\(server.url)"]
    try await add("plan", scene, run + ["--dry-run"] + json)
    try await add(
      "progress", scene, run + ["--name", "first", "--progress", "json", "--report", "m.json"],
      isLines: true, status: 1...1)
    add("manifest", scene.directory.text(of: "m.json"))
    try await addReports(scene)
    try await add("items", scene, ["items", "--status", "pending"] + json)
    try await add("run", scene, ["attach"] + json, status: 1...1)
    try await add("progress", scene, ["attach", "--progress", "json"], isLines: true)
    try await add("run", scene, ["retry", "--failed"] + json)
    try await add("run", scene, ["retry", "0/4"] + json)
    try await add("run", scene, ["rerun"] + json)
    try await add("run", scene, ["cancel", "first"] + json)
    try await add("run", scene, ["cancel", "first"] + json)
    try await add("progress", scene, ["cancel", "first", "--progress", "json"], isLines: true)
    try await addReports(scene, ["first"])
    // A run that cannot be read.
    let folder = scene.pipeline.stateFolder + "/runs"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try Data("nonsense".utf8).write(to: URL(filePath: "\(folder)/\(name)/run.sqlite"))
    }
    try await add("runs", scene, ["runs"] + json)
    add("journal", try String(contentsOfFile: server.journalPath, encoding: .utf8), isLines: true)
  }

  /// A run that is killed in the middle of transfers, and continues.
  private mutating func addWork() async throws {
    var scene = try Scene()
    scene.pipeline.isUrgent = true
    try scene.holes(3, size: 3_000_000)
    try scene.directory.write(Self.mixed, to: "mixed.yaml")
    let server = try await scene.server("--body-rate", "2 KiB")
    let process = try scene.pipeline.start([
      "run", "mixed.yaml", "--input", "server=\(server.url)", "--progress", "json",
    ])
    try await process.wait("the time that is left") {
      process.output.contains("\"seconds_left\"") && process.output.contains("\"direction\"")
    }
    try await addReports(scene)
    add("run", try await statusWithTimeLeft(scene))
    let attach = try scene.pipeline.start(["attach", "--progress", "json"])
    try await attach.wait(for: #""event":"progress""#)
    try await process.killed()
    let attached = try await attach.outcome()
    // Lines that were written whole.
    let whole = process.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    add("progress", whole.joined(separator: "\n"), isLines: true)
    add("progress", attached.output, isLines: true)
    try await addReports(scene)
    try await add("run", scene, ["cancel", "--format", "json"])
  }

  /// A status with the time that is left: a process that others keep from working may publish a moment without progress.
  private func statusWithTimeLeft(_ scene: Scene) async throws -> String {
    var status = ""
    for _ in 1...100 where !status.contains("\"seconds_left\"") {
      status = try await scene.pipeline.run("status", "--format", "json").output
    }
    return status
  }

  /// Processes in the background: a run, and a series of runs.
  private mutating func addBackground() async throws {
    let scene = try Scene()
    try scene.files(1)
    try scene.directory.write(Self.mixed, to: "mixed.yaml")
    let server = try await scene.server()
    let run = ["run", "mixed.yaml", "--input", "server=\(server.url)", "--detach"]
    try await add("detached", scene, run + ["--format", "json"])
    _ = try await scene.pipeline.run("attach")
    let series = try await add(
      "detached", scene, run + ["--watch", "--name", "camera", "--format", "json"])
    let process = try #require(try JSON.object(series)["process"] as? Int)
    kill(Int32(process), SIGINT)
    try await add("runs", scene, ["runs", "--format", "json"])
  }

  private static let storedRuns: Set<String> = [
    "batch-standing", "cancelled-with-remains", "cancelling-back-off", "failing",
    "part-in-flight",
    "paused-by-a-step", "polling", "probe-in-flight", "renewal", "replaced", "turn-in-flight",
    "retried",
  ]

  /// A run in a state that is hard to reach otherwise.
  private mutating func addStoredRun(_ state: StoredState) async throws {
    let restored = try await StoredStateTests.Restored(StoredRuns.shared.run(state))
    try await addReports(restored.scene)
    try await add(
      "progress", restored.scene,
      [state.way.rawValue, restored.run, "--progress", "json"], isLines: true)
    try await addReports(restored.scene)
    add(
      "journal", try String(contentsOfFile: restored.server.journalPath, encoding: .utf8),
      isLines: true)
  }
}
