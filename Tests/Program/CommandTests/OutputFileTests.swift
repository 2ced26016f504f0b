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
    "simulate p.yaml --output", "simulate p.yaml --trace",
    "simulate p.yaml --scenario s.yaml --counterexample", "new put --force --output",
  ]

  private static let scenario = """
    scenario: s
    device: ios17
    days: 1
    opening: 1m
    properties:
      - { name: five, eventually: "${{ items.count == 5 }}" }

    """

  private func run(
    _ option: String, _ target: String, in scene: Scene
  ) async throws -> CommandRunner.Outcome {
    try scene.directory.write(Self.pipeline, to: "p.yaml")
    try scene.directory.write(Self.scenario, to: "s.yaml")
    return try await scene.pipeline.run(option.split(separator: " ").map(String.init) + [target])
  }

  /// A device of the test's own, since a fault would replace it; the null device for users who may not create one.
  private func device(_ scene: Scene) -> String {
    let path = scene.directory.path("device")
    var null = stat()
    stat("/dev/null", &null)
    return mknod(path, S_IFCHR | 0o666, null.st_rdev) == 0 ? path : "/dev/null"
  }

  private func type(of path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  @Test(arguments: options)
  func `a device stays a device`(_ option: String) async throws {
    let scene = try Scene()
    let path = device(scene)
    let outcome = try await run(option, path, in: scene)
    #expect(!outcome.error.contains(path), "\(outcome)")
    #expect(type(of: path) == S_IFCHR)
  }

  @Test(arguments: options)
  func `a pipe gets the same as a file`(_ option: String) async throws {
    let scene = try Scene()
    let path = scene.directory.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let outcome = try await run(option, "pipe", in: scene)
    var bytes = [UInt8](repeating: 0, count: 100)
    #expect(read(reader, &bytes, bytes.count) > 0, "\(outcome)")
    #expect(type(of: path) == S_IFIFO)
  }

  @Test func `a report for a pipe that no one reads is an error, and no wait`() async throws {
    let scene = try Scene()
    #expect(mkfifo(scene.directory.path("pipe"), 0o600) == 0)
    let outcome = try await run("run p.yaml --report", "pipe", in: scene)
    #expect(outcome.error.contains("no program reads from it"), "\(outcome)")
  }

  @Test(arguments: options)
  func `a link stays a link, and its target gets the text`(_ option: String) async throws {
    let scene = try Scene()
    try scene.directory.write("old", to: "there/file")
    let path = scene.directory.path("link")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: "there/file")
    let outcome = try await run(option, "link", in: scene)
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
      let scene = try Scene()
      try scene.directory.write("x", to: "folder/file")
      let outcome = try await run(option, target, in: scene)
      #expect([2, 3].contains(outcome.status), "\(outcome)")
      #expect(outcome.error.contains("'\(target)'"), "\(outcome)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: scene.directory.path("folder"))
          == ["file"])
    }
  }

  @Test func `a corrected file keeps its link and its rights`() async throws {
    let scene = try Scene()
    try scene.directory.write(
      "pipeline: p\nsteps:\n  - id: ask\n    request: { method: post, url: https://h/ }\n",
      to: "there/p.yaml")
    let (file, link) = (scene.directory.path("there/p.yaml"), scene.directory.path("p.yaml"))
    #expect(chmod(file, 0o640) == 0)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "there/p.yaml")
    let outcome = try await scene.pipeline.run(["validate", "p.yaml", "--fix"])
    #expect(type(of: link) == S_IFLNK, "\(outcome)")
    #expect(
      try String(contentsOfFile: file, encoding: .utf8).contains("method: POST"), "\(outcome)")
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o640)
  }

  @Test func `the journal of a demo server may be a device`() async throws {
    let scene = try Scene()
    let path = device(scene)
    _ = try await scene.server("--journal", path)
    #expect(type(of: path) == S_IFCHR)
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
