import Foundation
import TestSupport
import Testing

/// Where the options that write a file may write, and whether earlier content is kept.
struct OutputFileTests {
  private static let pipeline = """
    pipeline: p
    inputs: { server: { type: url, default: "http://127.0.0.1:1" } }
    retry: { standard: { attempts: 1 } }
    steps:
      - id: ask
        request: { url: "${{ inputs.server }}/x" }
        outputs: { a: "${{ response.json.a }}" }

    """

  private static let options = [
    "run p.yaml --report", "run p.yaml --log", "run p.yaml --trace", "verify p.yaml --output",
  ]

  private func scene(
    _ option: String, _ target: String
  ) throws -> (Scene, () async throws -> CommandRunner.Outcome) {
    let scene = try Scene()
    try scene.directory.write(Self.pipeline, to: "p.yaml")
    let words = option.split(separator: " ").map(String.init) + [target]
    return (scene, { try await scene.pipeline.run(words) })
  }

  private func type(of path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  @Test(arguments: options)
  func `a device stays a device`(_ option: String) async throws {
    let (_, run) = try scene(option, "/dev/null")
    let outcome = try await run()
    #expect(!outcome.error.contains("/dev/null"), "\(outcome)")
    #expect(type(of: "/dev/null") == S_IFCHR)
  }

  @Test(arguments: options)
  func `a pipe gets the same as a file`(_ option: String) async throws {
    let (scene, run) = try scene(option, "pipe")
    let path = scene.directory.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let outcome = try await run()
    var bytes = [UInt8](repeating: 0, count: 100)
    #expect(read(reader, &bytes, bytes.count) > 0, "\(outcome)")
    #expect(type(of: path) == S_IFIFO)
  }

  @Test func `a report for a pipe that no one reads is an error, and no wait`() async throws {
    let (scene, run) = try scene("run p.yaml --report", "pipe")
    #expect(mkfifo(scene.directory.path("pipe"), 0o600) == 0)
    let outcome = try await run()
    #expect(outcome.error.contains("no program reads from it"), "\(outcome)")
  }

  @Test(arguments: options)
  func `a link stays a link, and its target gets the text`(_ option: String) async throws {
    let (scene, run) = try scene(option, "link")
    try scene.directory.write("old", to: "there/file")
    let path = scene.directory.path("link")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: "there/file")
    let outcome = try await run()
    #expect(type(of: path) == S_IFLNK)
    let text = try String(contentsOfFile: scene.directory.path("there/file"), encoding: .utf8)
    #expect(text != "old", "\(outcome)")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: scene.directory.path("there"))
    #expect(names == ["file"])
  }

  @Test(arguments: options)
  func `a folder, and a place that cannot be written, are refused`(_ option: String) async throws {
    for target in ["folder", "/proc/none", "none/file"] {
      let (scene, run) = try scene(option, target)
      try scene.directory.write("x", to: "folder/file")
      let outcome = try await run()
      #expect([2, 3].contains(outcome.status), "\(outcome)")
      #expect(outcome.error.contains("'\(target)'"), "\(outcome)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: scene.directory.path("folder"))
          == ["file"])
    }
  }

  @Test func `too few descriptors are named at the start`() async throws {
    let scene = try Scene()
    try scene.directory.write(Self.pipeline, to: "p.yaml")
    for limit in [8, 12, 30] {
      let process = try scene.pipeline.start(
        executable: URL(filePath: "/bin/sh"),
        ["-c", "ulimit -n \(limit); exec \(CommandRunner.binary.path) run p.yaml"])
      let outcome = try await process.outcome()
      #expect(outcome.status == 3, "\(outcome)")
      #expect(
        outcome.error.contains("may open \(limit) files, and needs at least"), "\(outcome)")
    }
  }
}
