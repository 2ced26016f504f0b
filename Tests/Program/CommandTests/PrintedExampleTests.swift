import Foundation
import TestSupport
import Testing

/// What `--help` and docs/deploy print runs as it is printed.
struct PrintedExampleTests {
  private static let withRuns: Set<String> = [
    "resume", "retry", "rerun", "pause", "cancel", "runs", "status", "items", "explain", "history",
    "attach", "change-key", "schema", "runs list", "runs rm", "runs prune",
  ]

  /// A folder with everything that examples name.
  private struct Place {
    var scene: Scene
    let server: ServerProcess

    init(hasRuns: Bool) async throws {
      scene = try Scene()
      server = try await scene.server()
      let programs = try scene.directory.write("", to: "programs/none")
      let binary = scene.directory.path("programs/pipeline")
      try FileManager.default.createSymbolicLink(
        atPath: binary, withDestinationPath: CommandRunner.binary.path(percentEncoded: false))
      let folder = URL(filePath: programs).deletingLastPathComponent().path
      scene.pipeline.environment.merge(
        [
          "PATH": "\(folder):/usr/bin:/bin", "SERVER": server.url, "RUNS": hasRuns ? "1" : "",
          "SOURCES": CommandRunner.packageRoot.path(percentEncoded: false),
          // The examples that cannot be executed.
          "PIPELINE_INPUT_CLIENT": "demo", "PIPELINE_INPUT_SECRET": "demo",
          "PIPELINE_INPUT_REFRESH_TOKEN": "demo",
          "SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_COUNT": "1", "SLURM_ARRAY_TASK_MIN": "0",
          "SLURM_ARRAY_TASK_MAX": "0", "SLURM_ARRAY_TASK_STEP": "1",
        ]) { $1 }
      let script = CommandRunner.packageRoot
        .appending(path: "Tests/Program/CommandTests/Scripts/examples.sh").path(
          percentEncoded: false)
      let prepared = try await shell(". '\(script)'").outcome()
      #expect(prepared.status == 0, "\(prepared)")
    }

    /// Runs `text` as a user's shell does.
    func shell(_ text: String) throws -> RunningCommand {
      try scene.pipeline.start(
        executable: URL(filePath: "/bin/sh"),
        ["-c", text.replacingOccurrences(of: "https://photos.example.com", with: server.url)])
    }
  }

  /// The examples of a help text; a line that ends with `\` or `|` continues in the next one.
  private static func examples(_ help: String) -> [String] {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty }
    return lines.reduce(into: []) { examples, line in
      if let last = examples.last, last.hasSuffix("\\") || last.hasSuffix("|") {
        examples[examples.count - 1] += "\n" + line
      } else {
        examples.append(String(line))
      }
    }
  }

  /// How an example ends here, where there is neither a database nor a service on the web.
  private static func status(of example: String) -> Int32 {
    let others: [(part: String, status: Int32)] = [
      ("postgresql://", 3), ("PASSWORD=… pipeline run", 1), ("credentials rm", 2),
      ("sign-in box.yaml --input", 1), ("pipeline lsp", 1), ("--accept-assumptions", 0),
      ("pipeline verify", 5),
    ]
    return others.first { example.contains($0.part) }?.status ?? 0
  }

  @Test(
    arguments: [""] + HelpTests.commands + HelpTests.subcommands + ["work", "attach", "change-key"])
  func `the examples of a command's help run as they are printed`(command: String) async throws {
    let words = command.split(separator: " ").map(String.init)
    let place = try await Place(hasRuns: Self.withRuns.contains(command))
    let help = try await place.scene.pipeline.run(words + ["--help"])
    let examples = Self.examples(help.output)
    #expect(!examples.isEmpty, "\(help)")
    for example in examples {
      #expect(example.split(separator: "\n").allSatisfy { $0.count < 80 }, "\(example)")
      for name in command == "new" ? ["photos.yaml", "upload.yaml"] : [] {
        // Existing files are not overwritten.
        try? FileManager.default.removeItem(atPath: place.scene.directory.path(name))
      }
      // A few items show the same, in a tenth of the time.
      let limit = command == "simulate" && !example.contains("--items") ? " --items 4" : ""
      let isLong =
        example.contains("demo-server") || example.contains(" run ") && example.contains("--watch")
      let process = try place.shell((isLong ? "exec" : "") + example + limit)
      if isLong {
        try await process.wait(for: example.contains("--watch") ? ": finished in" : "127.0.0.1")
        try await process.killed()
        continue
      }
      let outcome = try await process.outcome()
      #expect(outcome.status == Self.status(of: example), "\(example)\n\(outcome)")
    }
  }

  // MARK: docs/deploy

  private static func deployed(_ name: String) throws -> String {
    try String(
      contentsOf: CommandRunner.packageRoot.appending(path: "docs/deploy/" + name), encoding: .utf8)
  }

  @Test func `the unit of docs/deploy runs each of its shards, and again`() async throws {
    let place = try await Place(hasRuns: false)
    let unit = try Self.deployed("pipeline@.service")
    let line = try #require(unit.firstMatch(of: /\nExecStart=\/usr\/local\/bin\/(.*)\n/)).output.1
    for shard in ["1", "2", "3", "4", "1"] {
      var command = String(line)
      for (name, value) in [
        ("%i", shard), ("${SHARDS}", "4"), ("%S", place.scene.directory.path("state")),
        ("/etc/pipeline/", ""), ("photos.example.com", "127.0.0.1"),
      ] { command = command.replacingOccurrences(of: name, with: value) }
      let outcome = try await place.shell(command).outcome()
      #expect(outcome.status == 0, "\(command)\n\(outcome)")
      let status = try await place.scene.pipeline.run("status", "photos", "--format", "json")
      #expect(status.status == 0, "\(status)")
    }
    #expect(place.server.journal.count { $0.event == "finalize" } == 41)
  }

  @Test func `the job of docs/deploy runs a shard in each pod`() async throws {
    var place = try await Place(hasRuns: false)
    let job = try Self.deployed("job.yaml")
    let block = try #require(job.firstMatch(of: /\n +args:\n((?: +- .*\n| +#.*\n)+)/)).output.1
    let arguments = block.split(separator: "\n").compactMap { line in
      line.wholeMatch(of: /\s+- (.*)/).map {
        String($0.output.1).replacingOccurrences(of: "/etc/pipeline/", with: "")
          .replacingOccurrences(of: "https://photos.example.com", with: place.server.url)
          .replacingOccurrences(of: "=photos.example.com", with: "=127.0.0.1")
          .replacingOccurrences(of: "=/photos/", with: "=Pictures/")
      }
    }
    for number in ["0", "1"] {
      for name in place.scene.pipeline.environment.keys where name.hasPrefix("SLURM_") {
        place.scene.pipeline.environment[name] = nil
      }
      place.scene.pipeline.environment["JOB_COMPLETION_INDEX"] = number
      let outcome = try await place.scene.pipeline.run(
        arguments.map {
          $0.replacingOccurrences(of: "/state", with: place.scene.directory.path("pod-" + number))
        })
      #expect(outcome.status == 0, "\(arguments)\n\(outcome)")
    }
  }

  @Test func `the array of docs/deploy runs a shard in each task`() async throws {
    var place = try await Place(hasRuns: false)
    let script = CommandRunner.packageRoot.appending(path: "docs/deploy/slurm.sh").path
    place.scene.pipeline.environment.merge(
      ["PIPELINE_STATE": place.scene.directory.path("slurm"), "SLURM_JOB_NAME": "photos"]) { $1 }
    let unrestricted = try await place.shell("bash '\(script)' photos.yaml").outcome()
    #expect(unrestricted.error.contains("PIPELINE_ALLOW_HOST"), "\(unrestricted)")
    place.scene.pipeline.environment["PIPELINE_ALLOW_HOST"] = "127.0.0.1"
    for _ in 1...2 {
      let outcome = try await place.shell(
        "bash '\(script)' photos.yaml --input server=https://photos.example.com"
      ).outcome()
      #expect(outcome.status == 0, "\(outcome)")
    }
    #expect(place.server.journal.count { $0.event == "finalize" } == 41)
  }

  @Test func `each file of docs/deploy that sends something restricts its hosts`() throws {
    let folder = CommandRunner.packageRoot.appending(path: "docs/deploy").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      $0 != "Dockerfile"
    }
    #expect(names.count == 5)
    for name in names {
      let lines = try Self.deployed(name).split(separator: "\n")
      #expect(lines.contains { !$0.hasPrefix("#") && $0.contains("--allow-host") }, "\(name)")
    }
  }

  @Test func `the workers of docs/deploy have options that exist`() async throws {
    let place = try await Place(hasRuns: false)
    let unit = try Self.deployed("pipeline-worker@.service")
    let line = try #require(unit.firstMatch(of: /\nExecStart=\/usr\/local\/bin\/(.*)\n/)).output.1
    let deployment = try Self.deployed("workers.yaml")
    let block = try #require(
      deployment.firstMatch(of: /\n +args:\n((?: +- .*\n)+)/)
    ).output.1
    let arguments = block.split(separator: "\n").map { "'" + $0.trimmingPrefix(#/\s+- /#) + "'" }
    for command in [String(line), "pipeline " + arguments.joined(separator: " ")] {
      let local = command.replacingOccurrences(of: "=/scratch", with: "=scratch")
        .replacingOccurrences(of: "${PIPELINE_STORE}", with: "postgresql://db/runs")
      let outcome = try await place.shell(local).outcome()
      #expect(outcome.status == 3, "\(local)\n\(outcome)")
      #expect(outcome.error.contains("the PostgreSQL server cannot be reached"), "\(outcome)")
    }
  }
}
