import Foundation
import Synchronization
import TestSupport
import Testing

/// Kills the real program at random moments, and asks the server for its state.
struct CrashTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isWhole = environment["TORTURE"] == "full"
  private static let seed = environment["SEED"].flatMap { UInt64($0) } ?? 20_260_314
  private static let replay =
    "replay: \(isWhole ? "TORTURE=full " : "")SEED=\(seed) swift test --filter CrashTests"

  private static let password = "Correct-Horse-Battery-Staple-\(seed)"
  private static let diskBudget = 40 * 1024

  /// A process is killed when at most this many further requests have come.
  ///
  /// The server suspends itself there, so that a fast machine leaves as much to do as a slow one: four for
  /// each file are needed in all.
  private static let requestsPerLife = 15

  private var files: Int { Self.isWhole ? 300 : 60 }
  private var kills: Int { Self.isWhole ? 50 : 8 }

  @Test func `a run that is killed again and again finalizes each file exactly once`() async throws
  {
    print("CrashTests: \(Self.replay)")
    var scene = try Scene()
    scene.pipeline.environment["PIPELINE_INPUT_PASSWORD"] = Self.password
    let contents = try scene.files(files, size: 6000)
    try scene.directory.write(Self.definition, to: "crash.yaml")
    let plan = plan()
    let stops = plan.flatMap { kill in
      if case .request(let number) = kill { ["--suspend-at", "\(number)"] } else { [String]() }
    }
    let server = try await scene.server(
      Self.faults + stops + ["--store", scene.directory.path("server")])
    let sampler = FolderSampler(scene.pipeline.stateFolder)
    try await killAndResume(scene, server, plan)
    let largest = await sampler.stop()

    #expect(largest > 0, "no file was ever seen in the run's folder")
    #expect(largest <= Self.diskBudget, "\(largest) bytes at once. \(Self.replay)")
    try checkJournal(server.journal, contents)
    try checkFolder(scene)
  }

  private static let faults = [
    "--password", password, "--seed", "\(seed)", "--latency", "60ms", "--retry-after", "1s",
    "--fault", "server-error=0.04", "--fault", "reset-before-commit=0.03",
    "--fault", "reset-after-commit=0.04", "--fault", "too-many-requests=0.01",
    "--fault", "unauthorized=0.01", "--fault", "gone=0.02",
  ]

  /// When a process is killed.
  private enum Kill {
    /// While it starts, this long after it was started.
    case early(milliseconds: Int)
    /// When the server has suspended itself at this request.
    case request(Int)
  }

  /// One in four is killed while it starts, the others in the middle of the work.
  private func plan() -> [Kill] {
    var generator = Seeded(state: Self.seed)
    var requests = 0
    return (0..<kills).map { number in
      if number > 0, Int.random(in: 0..<4, using: &generator) == 0 {
        return .early(milliseconds: Int.random(in: 0...100, using: &generator))
      }
      requests += Int.random(in: 1...Self.requestsPerLife, using: &generator)
      return .request(requests)
    }
  }

  /// Runs and kills as planned, then lets the run come to its end.
  private func killAndResume(
    _ scene: Scene, _ server: ServerProcess, _ plan: [Kill]
  ) async throws {
    var arguments = ["run", "crash.yaml", "--input", "server=\(server.url)"]
    for kill in plan {
      let process = try scene.pipeline.start(arguments + ["--progress", "plain"])
      switch kill {
      case .early(let delay): try await Task.sleep(for: .milliseconds(delay))
      case .request(let number):
        try await process.wait("request \(number)") {
          process.status != nil || server.isSuspended
        }
      }
      #expect(process.status == nil, "\(process.error)\n\(Self.replay)")
      try await process.killed()
      if case .request = kill { server.goOn() }
      arguments = ["resume"]
    }
    let outcome = try await scene.pipeline.run("resume")
    let why = outcome.status == 0 ? "" : try await scene.pipeline.run("explain").output
    #expect(outcome.status == 0, "\(why)\n\(outcome)\n\(Self.replay)")
  }

  private func checkJournal(_ journal: [JournalLine], _ contents: [String: Data]) throws {
    let expected = contents.mapValues { SHA256Sum.of($0) }
    var finalized: [String: [JournalLine]] = [:]
    var received: [String: String] = [:]
    for line in journal {
      if line.event == "content", let id = line.upload_id { received[id] = line.sha256 }
      if line.event == "finalize", let name = line.name {
        finalized[name, default: []].append(line)
      }
    }
    let duplicates = journal.filter { $0.event == "duplicate_finalize" }
    #expect(duplicates.isEmpty, "\(duplicates.prefix(3)) \(Self.replay)")
    for (name, digest) in expected.sorted(by: { $0.key < $1.key }) {
      let lines = finalized[name] ?? []
      #expect(lines.count == 1, "\(name) was finalized \(lines.count) times. \(Self.replay)")
      let id = lines.first?.upload_id ?? ""
      #expect(received[id] == digest, "\(name): other bytes. \(Self.replay)")
    }
    #expect(finalized.count == expected.count)
    #expect(journal.contains { $0.fault != nil }, "the server had no faults")
  }

  private func checkFolder(_ scene: Scene) throws {
    let left = FolderSampler.files(below: try scene.runFolder() + "/files")
    #expect(left.isEmpty, "left over: \(left) \(Self.replay)")
    // Tokens of the demo server are 48 hexadecimal digits.
    for path in FolderSampler.files(below: scene.pipeline.stateFolder).map(\.path) {
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      #expect(bytes.range(of: Data(Self.password.utf8)) == nil, "the password is in \(path)")
      let longest = Self.longestHexadecimal(bytes)
      #expect(longest < 48, "a token could be in \(path). \(Self.replay)")
    }
  }

  /// The length of the longest stretch of lower-case hexadecimal digits that is not a SHA-256.
  private static func longestHexadecimal(_ bytes: Data) -> Int {
    var longest = 0
    var length = 0
    for byte in bytes {
      if (48...57).contains(byte) || (97...102).contains(byte) {
        length += 1
      } else {
        if length < 64 { longest = max(longest, length) }
        length = 0
      }
    }
    return max(longest, length < 64 ? length : 0)
  }

  private static let definition = """
    pipeline: crash
    inputs:
      server: { type: url }
      password: { type: secret }
      files: { type: files, default: "files/*.bin" }
    budgets:
      disk: 40 KiB
      transfers: 10
    retry:
      standard:
        attempts: 30
        backoff: { initial: 20ms, factor: 1.5, max: 300ms }
        jitter: full
        retry_after: honor
        exhausted: pause
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
            expires: { in: 1h }
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          - id: allocate
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
                expires: { at: "${{ timestamp(response.json.expires_at) }}" }
          - id: digest
            materialize: { file: "${{ file }}", digests: [sha256] }
          - id: body
            materialize:
              multipart:
                - { name: sha256, text: "${{ steps.digest.file.sha256 }}" }
                - { name: file, file: "${{ file }}" }
          - id: upload
            upload:
              method: POST
              url: ${{ inputs.server + "/v1/uploads/" + steps.allocate.upload_id + "/content" }}
              bearer: ${{ steps.sign_in.token }}
              file: ${{ steps.body.file }}
            on:
              - { if: "${{ response.status == 401 }}", expired: sign_in }
              - { if: "${{ response.status in [404, 410] }}", expired: allocate }
          # Of what comes back there are files, and the budget is for them: the body is sent from where its pieces are.
          - id: back
            depends_on: [upload]
            download:
              url: ${{ inputs.server + "/v1/uploads/" + steps.allocate.upload_id + "/content" }}
              bearer: ${{ steps.sign_in.token }}
              max_size: 8 KiB
            on:
              - { if: "${{ response.status == 401 }}", expired: sign_in }
              - { if: "${{ response.status in [404, 410] }}", expired: allocate }
          - id: finalize
            request:
              method: POST
              url: ${{ inputs.server + "/v1/uploads/" + steps.allocate.upload_id + "/finalize" }}
              bearer: ${{ steps.sign_in.token }}
            depends_on: [back]
            effect: create
            probe:
              request:
                url: ${{ inputs.server + "/v1/uploads/" + steps.allocate.upload_id }}
                bearer: ${{ steps.sign_in.token }}
              took_effect: ${{ response.status == 200 && response.json.state == "complete" }}
            on:
              - { if: "${{ response.status == 401 }}", expired: sign_in }
              - { if: "${{ response.status in [404, 410] }}", expired: allocate }
    """
}

/// Looks again and again how many bytes are in the `files` folders of runs, in the background.
final class FolderSampler: Sendable {
  private let task: Task<Int, Never>

  init(_ stateFolder: String) {
    task = Task.detached {
      var largest = 0
      while !Task.isCancelled {
        let bytes = Self.files(below: stateFolder + "/runs")
          .filter { $0.path.contains("/files/") }.reduce(0) { $0 + $1.size }
        largest = max(largest, bytes)
        try? await Task.sleep(for: .milliseconds(3))
      }
      return largest
    }
  }

  /// Ends the observation, and returns the maximum number of bytes at once.
  func stop() async -> Int {
    task.cancel()
    return await task.value
  }

  /// All regular files below a folder, with their sizes;
  /// one that disappears in the meantime counts as empty.
  static func files(below folder: String) -> [(path: String, size: Int)] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.compactMap { name in
      let path = folder + "/" + name
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
        return (path, 0)
      }
      guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
      return (path, (attributes[.size] as? NSNumber)?.intValue ?? 0)
    }
  }
}
