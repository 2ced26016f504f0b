import Foundation
import TestSupport
import Testing

/// A file that was named and cannot be read is an item that fails,
/// so that status 0 means that everything has arrived.
@Suite(.enabled(if: BadInputTests.canBePermitted, "setpriv(1) is needed to bind root"))
struct UnreadableFileTests {
  private static let unreadable = ["closed", "dead", "loop", "pipe", "shut", #"x\xFF"#]

  /// A folder with two files, one of them hidden, and with everything that cannot be read.
  private func scene() async throws -> (scene: Scene, server: ServerProcess) {
    let scene = try Scene()
    try scene.directory.write(
      Definitions.put.replacingOccurrences(
        of: "file.name", with: #"file.relative.replace("/", "-")"#),
      to: "put.yaml")
    for name in ["in/a", "in/.b", "in/closed/c", "in/shut"] {
      try scene.directory.write("1", to: name)
    }
    let folder = scene.directory.path("in")
    for name in ["closed", "shut"] { chmod(folder + "/" + name, 0) }
    #expect(symlink("none", folder + "/dead") == 0)
    #expect(symlink("loop", folder + "/loop") == 0)
    #expect(mkfifo(folder + "/pipe", 0o600) == 0)
    let name = Array(folder.utf8CString.dropLast()) + [0x2F, 0x78, -1, 0]
    let descriptor = open(name, O_CREAT | O_WRONLY, 0o600)
    #expect(descriptor >= 0)
    close(descriptor)
    return (scene, try await scene.server())
  }

  private func run(
    _ scene: Scene, _ server: ServerProcess, _ arguments: String...
  ) async throws -> CommandRunner.Outcome {
    try await BadInputTests.runUnprivileged(
      scene, ["run", "put.yaml", "--input", "server=\(server.url)"] + arguments)
  }

  /// The states of the items of the newest run by their names, and the reasons of those that have one.
  private func items(_ scene: Scene) async throws -> (
    states: [String: String], reasons: [String: String]
  ) {
    let items = try JSON.array(try await scene.pipeline.run("items", "--format", "json").output)
    func column(_ key: String) -> [String: String] {
      Dictionary(
        items.compactMap { item in
          (item[key] as? String).map { (item["name"] as? String ?? "", $0) }
        }, uniquingKeysWith: { $1 })
    }
    return (column("status"), column("reason"))
  }

  @Test func `the contents of a folder are sent or fail, and every report shows it`() async throws {
    let (scene, server) = try await scene()
    let plan = try await run(scene, server, "--input", "files=in", "--dry-run")
    #expect(plan.status == 1, "\(plan)")
    #expect(plan.output.contains("failed: 6 that cannot be read: 'closed: "), "\(plan)")
    let run = try await run(scene, server, "--input", "files=in", "--report", "report.csv")
    #expect(run.status == 1, "\(run)")
    #expect(run.output.contains("2 done, 6 failed"), "\(run)")
    let (states, reasons) = try await items(scene)
    #expect(states.filter { $0.value == "done" }.keys.sorted() == [".b", "a"])
    #expect(states.filter { $0.value == "failed" }.keys.sorted() == Self.unreadable)
    for name in ["closed", "shut"] {
      #expect(reasons[name]?.contains("permission denied") == true, "\(reasons)")
    }
    #expect(reasons["pipe"]?.contains("is a pipe, a socket or a device") == true)
    #expect(reasons[Self.unreadable[5]] == "its name is not UTF-8")
    let status = try JSON.object(
      try await scene.pipeline.run("status", "--format", "json").output)
    #expect((status["items"] as? [String: Int])?["failed"] == 6)
    let report = try String(contentsOfFile: scene.directory.path("report.csv"), encoding: .utf8)
    for name in Self.unreadable { #expect(report.contains(",\(name),failed,"), "\(report)") }
    #expect(server.journal.count { $0.event == "store_file" } == 2)
  }

  @Test func `a line of a list without a file fails, and a retry sends it once it exists`()
    async throws
  {
    let (scene, server) = try await scene()
    let list = ["in/a", "in/gone", "in/pipe", "in"].joined(separator: "\n")
    try scene.directory.write(list + "\n", to: "list")
    let first = try await run(scene, server, "--files-from", "list")
    #expect(first.status == 1, "\(first)")
    #expect(first.output.contains("1 done, 3 failed"), "\(first)")
    let (_, reasons) = try await items(scene)
    #expect(reasons["in/gone"]?.contains("'list', line 2: cannot read '") == true, "\(reasons)")
    let explained = try await scene.pipeline.run("explain")
    #expect(explained.output.contains("correcting that, then `pipeline retry"), "\(explained)")
    try scene.directory.write("2", to: "in/gone")
    let again = try await scene.pipeline.run("retry", "in/gone")
    #expect(again.status == 1, "\(again)")
    #expect(again.output.contains("2 done, 2 failed"), "\(again)")
    #expect(server.journal.last?.path.hasSuffix("/in-gone") == true)
    let rerun = try await scene.pipeline.run("rerun")
    #expect(rerun.status == 1, "\(rerun)")
    #expect(rerun.output.contains("2 done, 2 failed"), "\(rerun)")
  }

  @Test func `a file that is all that was named, and cannot be read, fails its run`() async throws {
    let (scene, server) = try await scene()
    for name in ["in/closed", "in/pipe", "in/loop", "/proc/version"] {
      let run = try await run(scene, server, "--input", "files=\(name)")
      #expect(run.status == 1, "\(run)")
      #expect(run.output.contains("1 failed"), "\(run)")
    }
    #expect(server.journal.isEmpty)
  }

  @Test func `a list of files in an expression is complete, or the run does not start`()
    async throws
  {
    let (scene, server) = try await scene()
    try scene.directory.write(
      """
      pipeline: count
      inputs: { server: { type: url }, files: { type: files } }
      steps:
        - id: count
          request: { url: "${{ inputs.server }}/${{ string(size(inputs.files)) }}" }
      """, to: "put.yaml")
    let run = try await run(scene, server, "--input", "files=in/d*")
    #expect(run.status == 2, "\(run)")
    #expect(run.error.contains("is a link to a file that does not exist; --exclude"), "\(run)")
    #expect(server.journal.isEmpty)
  }

  @Test func `a pattern reports how many hidden files it skips, in the plan and at the end`()
    async throws
  {
    let (scene, server) = try await scene()
    let plan = try await run(scene, server, "--input", "files=in/[!c-z]*", "--dry-run")
    #expect(plan.output.contains("left out: 1 hidden: '.b'; --hidden includes them"), "\(plan)")
    let run = try await run(scene, server, "--input", "files=in/[!c-z]*")
    #expect(run.status == 0, "\(run)")
    #expect(run.output.contains("\n  1 hidden file skipped; --hidden includes them"), "\(run)")
    let status = try JSON.object(try await scene.pipeline.run("status", "--format", "json").output)
    #expect(status["hidden"] as? Int == 1)
  }

  @Test func `a watch fails an unreadable file once, and sends it when it can be read`()
    async throws
  {
    var (scene, server) = try await scene()
    scene.pipeline.isUrgent = true
    let watch = try scene.pipeline.start(
      "run", "put.yaml", "--input", "server=\(server.url)", "--input", "files=in/[ad]*", "--watch")
    try await watch.wait(for: "1 done, 1 failed")
    try scene.directory.write("2", to: "in/none")
    try await watch.wait("the file behind the link") {
      server.journal.contains { $0.path.hasSuffix("/dead") }
    }
    try await watch.wait("the second run") { watch.output.contains(": 1 done,") }
    try await watch.killed()
    #expect(server.journal.count { $0.event == "store_file" } == 2)
  }
}
