import Foundation
import TestSupport
import Testing

/// The reach of the files that an untrusted document names.
struct ReachTests {
  private static func pipeline(_ keys: String) -> String {
    """
    pipeline: p
    \(keys)
    steps:
      - id: a
        request: { url: "https://example.com/" }

    """
  }

  @Test(arguments: [
    "/proc/self/environ", "/etc/passwd", "/dev/zero", "/dev/stdin", "../secret.yaml", "link.yaml",
    "folder/../../secret.yaml", "pipe",
  ])
  func `a document uses only files of its own folder, and no others are read`(
    _ name: String
  ) async throws {
    let scene = try Scene()
    try scene.directory.write("definitions: d\nretry: { s3cret: 1 }\n", to: "secret.yaml")
    try scene.directory.write(Self.pipeline("use: [\(name)]"), to: "flows/a.yaml")
    try scene.directory.write("x", to: "flows/folder/x")
    try FileManager.default.createSymbolicLink(
      atPath: scene.directory.path("flows/link.yaml"), withDestinationPath: "../secret.yaml")
    #expect(mkfifo(scene.directory.path("flows/pipe"), 0o600) == 0)
    let outcome = try await scene.pipeline.run("validate", "flows/a.yaml")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("error[unreadable-use]"), "\(outcome)")
    #expect(!outcome.output.contains("s3cret") && !outcome.output.contains("PATH="), "\(outcome)")
  }

  @Test(arguments: [
    ("../there.yaml", "../missing.yaml"), ("/etc/passwd", "/etc/no-such-file"),
    ("near.yaml", "nowhere.yaml"),
  ])
  func `a path outside of the folder gets the same error whether or not it exists`(
    _ present: String, _ absent: String
  ) async throws {
    let scene = try Scene()
    try scene.directory.write("definitions: d\n", to: "there.yaml")
    try scene.directory.write("x", to: "flows/x")
    for (link, target) in [("near", "../there.yaml"), ("nowhere", "../missing.yaml")] {
      try FileManager.default.createSymbolicLink(
        atPath: scene.directory.path("flows/\(link).yaml"), withDestinationPath: target)
    }
    var texts: [String] = []
    for name in [present, absent] {
      try scene.directory.write(Self.pipeline("use: [\(name)]"), to: "flows/a.yaml")
      let outcome = try await scene.pipeline.run("validate", "flows/a.yaml")
      #expect(outcome.output.contains("it is outside 'flows/'"), "\(outcome)")
      texts.append(outcome.output.components(separatedBy: "it is outside").last ?? "")
    }
    #expect(texts[0].split(separator: "\n").first == texts[1].split(separator: "\n").first)
  }

  @Test func `the user may let a document reach further`() async throws {
    let scene = try Scene()
    try scene.directory.write("definitions: d\nretry: { r: { attempts: 2 } }\n", to: "d.yaml")
    try scene.directory.write(Self.pipeline("use: [../d.yaml]"), to: "flows/a.yaml")
    let refused = try await scene.pipeline.run("validate", "flows/a.yaml")
    #expect(refused.status == 1)
    #expect(refused.output.contains("it is outside 'flows/'"), "\(refused)")
    #expect(refused.output.contains("'--root DIR' widens that"), "\(refused)")
    let allowed = try await scene.pipeline.run("validate", "flows/a.yaml", "--root", ".")
    #expect(allowed.status == 0, "\(allowed)")
  }

  @Test func `a default names a folder in the pipeline's folder, the user any`() async throws {
    let scene = try Scene()
    try scene.directory.write("x", to: "flows/file")
    try FileManager.default.createDirectory(
      atPath: scene.directory.path("elsewhere"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: scene.directory.path("flows/link"), withDestinationPath: "../elsewhere")
    func plan(_ keys: String, _ arguments: String...) async throws -> CommandRunner.Outcome {
      try scene.directory.write(
        """
        pipeline: p
        inputs: { target: { \(keys) } }
        steps:
          - id: a
            download:
              url: https://example.com/a
              save: { folder: "${{ inputs.target }}", name: b/c.txt }

        """, to: "flows/a.yaml")
      return try await scene.pipeline.run(["run", "flows/a.yaml", "--dry-run"] + arguments)
    }
    for folder in ["..", "../elsewhere", "/etc", "link", "link/x", "x/../../y"] {
      let outcome = try await plan("type: folder, default: \"\(folder)\"")
      #expect(outcome.status == 2, "\(folder): \(outcome)")
      #expect(outcome.error.contains("is outside"), "\(outcome)")
    }
    let file = try await plan("type: folder, default: file")
    #expect(file.error.contains("'file' is not a folder"), "\(file)")
    for folder in ["new", "new/deeper", "./x/../y", "..a"] {
      let outcome = try await plan("type: folder, default: \"\(folder)\"")
      #expect(outcome.status == 0, "\(folder): \(outcome)")
    }
    let given = try await plan("type: folder", "--input", "target=elsewhere")
    #expect(given.status == 0, "\(given)")
    #expect(given.output.contains("saves \(scene.directory.path("elsewhere"))/b/c.txt"), "\(given)")
    #expect(given.output.contains("the input 'target'"), "\(given)")
  }

  @Test func `a default names only files of the pipeline's folder, the user any`() async throws {
    let scene = try Scene()
    try scene.directory.write("x", to: "secret.txt")
    try scene.directory.write("x", to: "flows/own.txt")
    try FileManager.default.createSymbolicLink(
      atPath: scene.directory.path("flows/link.txt"), withDestinationPath: "../secret.txt")
    try scene.directory.write("x", to: "elsewhere/deep/x.txt")
    try FileManager.default.createSymbolicLink(
      atPath: scene.directory.path("flows/sub"), withDestinationPath: "../elsewhere")
    func plan(_ keys: String, _ arguments: String...) async throws -> CommandRunner.Outcome {
      try scene.directory.write(
        """
        pipeline: p
        inputs: { files: { \(keys) } }
        steps:
          - for_each: file
            in: ${{ inputs.files }}
            steps:
              - id: a
                upload: { url: "https://example.com/", file: "${{ file }}" }

        """, to: "flows/a.yaml")
      return try await scene.pipeline.run(["run", "flows/a.yaml", "--dry-run"] + arguments)
    }
    // What does not exist gets the same error, since nothing outside is read.
    for pattern in [
      "../*.txt", "/etc/passwd", "link.txt", "l*.txt", scene.directory.path("*.txt"),
      "../none/*.txt", "/none/x", "../*/*/none", "sub/none", "s*/none", "s*/*/*.txt",
      "{/etc,/usr}/*",
    ] {
      let outcome = try await plan("type: files, default: \"\(pattern)\"")
      #expect(outcome.status == 2, "\(pattern): \(outcome)")
      #expect(
        outcome.error.contains("a default may only match files in it"), "\(pattern): \(outcome)")
    }
    #expect(try await plan("type: files, default: own.txt").status == 0)
    #expect(try await plan("type: files, default: \"../*.txt\"", "--root", ".").status == 0)
    #expect(try await plan("type: files", "--input", "files=secret.txt").status == 0)
  }

  @Test func `a broken pipeline in a folder is reported, and other YAML is passed over`()
    async throws
  {
    let scene = try Scene()
    let text = Self.pipeline("")
    try scene.directory.write("\u{FEFF}" + text, to: "flows/mark.yaml")
    try scene.directory.write(
      text.replacing("pipeline:", with: "pipelne:"), to: "flows/misspelled.yaml")
    try scene.directory.write(
      text.replacing("pipeline:", with: "\"pipeline\" :"), to: "flows/quoted.yaml")
    let wide = try #require(text.data(using: .utf16))
    try wide.write(to: URL(filePath: scene.directory.path("flows/wide.yaml")))
    try scene.directory.write("steps: []\ntrigger: main\npool: x\n", to: "flows/ci.yaml")
    try scene.directory.write("swagger: '2.0'\ndefinitions: {}\n", to: "flows/api.yaml")
    let outcome = try await scene.pipeline.run("validate", "flows")
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("4 files"), "\(outcome)")
    #expect(outcome.output.contains("flows/misspelled.yaml:1:1"), "\(outcome)")
    #expect(outcome.output.contains("flows/wide.yaml:1:1: error[invalid-utf8]"), "\(outcome)")
  }
}
