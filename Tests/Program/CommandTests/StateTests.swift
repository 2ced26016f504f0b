import Foundation
import TestSupport
import Testing

/// Problems of the place where runs are kept.
struct StateTests {
  /// A run with one paused item, because no server is listening.
  private func restingRun() async throws -> Scene {
    let scene = try Scene()
    try scene.files(1)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let outcome = try await scene.pipeline.run(
      "run", "put.yaml", "--input", "server=http://127.0.0.1:9")
    #expect(outcome.status == 1, "\(outcome)")
    return scene
  }

  @Test func `a store that is not a database is reported as such, and nothing is written to it`()
    async throws
  {
    let scene = try await restingRun()
    let path = try scene.runFolder() + "/run.sqlite"
    let garbage = Data("this is not a database, whatever its name says".utf8)
    try garbage.write(to: URL(filePath: path))
    for command in ["status", "explain", "history", "resume", "retry", "cancel"] {
      let outcome = try await scene.pipeline.run(command)
      #expect(outcome.status == 3, "\(command) \(outcome)")
      #expect(outcome.error.contains("'\(path)' is not a store of a run"), "\(outcome)")
    }
    let runs = try await scene.pipeline.run("runs")
    #expect(runs.status == 0)
    #expect(runs.output.contains("  unreadable  "), "\(runs)")
    #expect(FileManager.default.contents(atPath: path) == garbage)
  }

  @Test func `a store with a torn page is reported as damaged`() async throws {
    let scene = try await restingRun()
    let path = try scene.runFolder() + "/run.sqlite"
    var bytes = try #require(FileManager.default.contents(atPath: path))
    try #require(bytes.count > 8192)
    bytes.replaceSubrange(4096..<8192, with: Data(repeating: 0xA5, count: 4096))
    try bytes.write(to: URL(filePath: path))
    for command in ["status", "resume"] {
      let outcome = try await scene.pipeline.run(command)
      #expect(outcome.status == 3, "\(command) \(outcome)")
      #expect(outcome.error.contains(path), "\(outcome)")
    }
  }

  @Test func `a store of another version names the program that wrote it, and is left as it is`()
    async throws
  {
    let scene = try await restingRun()
    let path = try scene.runFolder() + "/run.sqlite"
    let sql = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"),
      [
        "python3", "-c",
        """
        import sqlite3, sys
        c = sqlite3.connect(sys.argv[1])
        c.execute("update meta set version = 9999, program = '7.8.9'")
        c.commit()
        """, path,
      ])
    #expect(try await sql.outcome().status == 0)
    // The definition may be in another version of the language, too.
    try Data("pipeline: [unknown]".utf8).write(
      to: URL(filePath: try scene.runFolder() + "/pipeline.yaml"))
    func content() throws -> [String: Data] {
      let folder = try scene.runFolder()
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
      return names.reduce(into: [:]) {
        $0[$1] = FileManager.default.contents(atPath: folder + "/" + $1)
      }
    }
    let folder = try content()
    for command in ["status", "explain", "history", "items", "resume", "cancel", "retry", "rerun"] {
      let outcome = try await scene.pipeline.run(command)
      #expect(outcome.status == 3, "\(command) \(outcome)")
      #expect(outcome.error.contains("version 7.8.9 of the program wrote"), "\(outcome)")
    }
    let runs = try await scene.pipeline.run("runs")
    #expect(runs.output.contains("unreadable"), "\(runs)")
    #expect(try content() == folder)
  }

  @Test func `a state folder that is a file is refused`() async throws {
    let scene = try Scene()
    try scene.files(1)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    try scene.directory.write("x", to: "plain")
    let outcome = try await scene.pipeline.run(
      "run", "put.yaml", "--input", "server=http://127.0.0.1:9", "--state", "plain")
    #expect(outcome.status == 3)
    #expect(outcome.error.contains("cannot create the run's folder"), "\(outcome)")
    #expect(outcome.error.contains("--state"))
  }

  @Test(.enabled(if: BadInputTests.canBePermitted, "setpriv(1) is needed to bind root"))
  func `a state folder that may not be written is refused, and can still be read`() async throws {
    let scene = try await restingRun()
    let runs = scene.pipeline.stateFolder + "/runs"
    let folder = try scene.runFolder()
    for path in [folder + "/run.sqlite", folder + "/lock"] { chmod(path, 0o444) }
    // Private files are opened to others on purpose.
    for path in [scene.pipeline.stateFolder, folder + "/pipeline.yaml", folder + "/origin.json"] {
      chmod(path, 0o755)
    }
    for path in [folder + "/files", folder, runs] { chmod(path, 0o555) }
    defer { for path in [runs, folder, folder + "/files"] { chmod(path, 0o755) } }
    let create = try await BadInputTests.runUnprivileged(
      scene, "run", "put.yaml", "--input", "server=http://127.0.0.1:9")
    #expect(create.status == 3, "\(create)")
    #expect(create.error.contains("cannot create the run's folder '\(runs)/put-"), "\(create)")
    #expect(create.error.contains("permission denied"), "\(create)")
    let resume = try await BadInputTests.runUnprivileged(scene, "resume")
    #expect(resume.status == 3, "\(resume)")
    #expect(resume.error.contains("cannot write '\(folder)/lock': permission denied"), "\(resume)")
    let status = try await BadInputTests.runUnprivileged(scene, "status")
    #expect(status.status == 0, "\(status)")
    #expect(status.output.contains("1 paused"))
  }

  // MARK: A full disk

  /// Whether a small disk can be mounted in a namespace of the test's own.
  private static let canMount: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["unshare", "-Urm", "mount", "-t", "tmpfs", "none", "/mnt"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// Runs `script` where `$DISK` is a disk of `size`, `$PIPELINE` the program, `$SERVER` a server.
  private func onSmallDisk(
    _ scene: Scene, size: String, _ server: ServerProcess, _ script: String
  ) throws -> RunningCommand {
    var runner = scene.pipeline
    runner.environment["DISK"] = scene.directory.path("disk")
    runner.environment["PIPELINE"] = CommandRunner.binary.path(percentEncoded: false)
    runner.environment["SERVER"] = server.url
    try FileManager.default.createDirectory(
      atPath: scene.directory.path("disk"), withIntermediateDirectories: true)
    return try runner.start(
      executable: URL(filePath: "/usr/bin/env"),
      [
        "unshare", "-Urm", "sh", "-c",
        "mount -t tmpfs -o size=\(size) none \"$DISK\" && {\n\(script)\n}",
      ])
  }

  @Test(.enabled(if: canMount, "user namespaces are needed to mount a small disk"))
  func `a disk that is too full to start a run ends the command with 3, and nothing is left`()
    async throws
  {
    let scene = try Scene()
    try scene.files(40)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let server = try await scene.server()
    let run = try onSmallDisk(
      scene, size: "64k", server,
      "$PIPELINE run put.yaml --input server=$SERVER --state $DISK; echo ended $? && ls $DISK/runs")
    let outcome = try await run.outcome()
    #expect(outcome.output == "ended 3\n", "\(outcome)")
    #expect(outcome.error.contains("is full, so the run was not started"), "\(outcome)")
    #expect(server.journal.isEmpty)
  }

  @Test(.enabled(if: canMount, "user namespaces are needed to mount a small disk"))
  func `a download without space waits, and is written when there is some`() async throws {
    let scene = try Scene()
    try scene.files(1, size: 1_500_000)
    let definition = Definitions.fetch.replacingOccurrences(of: "10 KiB", with: "10 MiB")
    try scene.directory.write(definition, to: "fetch.yaml")
    let server = try await scene.server("--store", scene.directory.path("server"))
    let run = try onSmallDisk(
      scene, size: "4m", server,
      """
      dd if=/dev/zero of=$DISK/filler bs=1k count=3000 2>/dev/null
      $PIPELINE run fetch.yaml --input server=$SERVER --state $DISK &
      until $PIPELINE explain --state $DISK 2>/dev/null | grep 'the disk is full'; do sleep 0.05; done
      rm $DISK/filler
      wait $!; echo ended $?
      """)
    let outcome = try await run.outcome()
    #expect(outcome.output.contains("ended 0"), "\(outcome)")
    #expect(outcome.output.contains("1 done"), "\(outcome)")
    #expect(server.journal.count { $0.event == "content" } == 1)
  }
}
