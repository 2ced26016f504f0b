import Foundation
import TestSupport
import Testing

/// Files as users have them: in folders, several patterns, lists, names that look like patterns.
struct FileTests {
  private static let pipeline = """
    pipeline: p
    inputs:
      server: { type: url, default: "http://localhost:1" }
      files: { type: files, exclude: ["*~"] }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: put
            request: { method: PUT, url: "${{ inputs.server }}/${{ urlEscapePath(file.relative) }}" }

    """

  private func scene(_ files: String...) throws -> Scene {
    let scene = try Scene()
    try scene.directory.write(Self.pipeline, to: "p.yaml")
    for file in files { try scene.directory.write("1", to: file) }
    return scene
  }

  private struct Plan {
    let outcome: CommandRunner.Outcome
    /// The first request.
    var url: String {
      outcome.output.firstMatch(of: /PUT http:\/\/localhost:1\/(\S+)/).map { String($0.output.1) }
        ?? ""
    }
    var total: String {
      outcome.output.firstMatch(of: /\n    (\d+ files?),/).map { String($0.output.1) } ?? ""
    }
  }

  private func plan(_ scene: Scene, _ arguments: String..., input: String = "") async throws -> Plan
  {
    let arguments = ["run", "p.yaml", "--dry-run"] + arguments
    return Plan(outcome: try await scene.pipeline.run(arguments, input: input))
  }

  @Test func `two files of one name are two, whether one pattern or two find them`() async throws {
    let scene = try scene("in/x/IMG_1.jpg", "in/y/IMG_1.jpg", "out/IMG_1.jpg")
    let one = try await plan(scene, "--input", "files=in/**/*.jpg")
    #expect(one.url == "x/IMG_1.jpg" && one.total == "2 files", "\(one.outcome)")
    let two = try await plan(scene, "--input", "files=in/y", "--input", "files=out/*")
    #expect(two.url == "in/y/IMG_1.jpg" && two.total == "2 files", "\(two.outcome)")
    #expect(two.outcome.output.contains("input files = in/y, out/*"), "\(two.outcome)")
    let three = try await plan(scene, "--input", "files=in", "--input", "files=in/x/*.jpg")
    #expect(three.total == "2 files", "\(three.outcome)")
    #expect(three.outcome.output.contains("1 named twice, and used once: 'x/IMG_1.jpg'"))
  }

  @Test func `a pattern that matches nothing is an error, even next to one that does`()
    async throws
  {
    let scene = try scene("a/x", "b/y")
    let one = try await plan(scene, "--input", "files=a/*.jpg")
    #expect(one.outcome.status == 2)
    #expect(
      one.outcome.error.contains("input 'files': no file matches 'a/*.jpg' in '"), "\(one.outcome)")
    let two = try await plan(scene, "--input", "files=a", "--input", "files=b*")
    #expect(two.outcome.status == 2)
    #expect(two.outcome.error.contains("no file matches 'b*'"), "\(two.outcome)")
    #expect(two.outcome.error.contains("left out: 1 folder: 'b'; ** at the end"), "\(two.outcome)")
  }

  @Test func `a name that looks like a pattern is used literally`() async throws {
    let scene = try scene("a [x]/[1].jpg", "a [x]/2.jpg", "1.jpg", "a x/3.jpg")
    let file = try await plan(scene, "--input", "files=a [x]/[1].jpg")
    #expect(file.url == "%5B1%5D.jpg" && file.total == "1 file", "\(file.outcome)")
    let folder = try await plan(scene, "--input", "files=a [x]/*.jpg")
    #expect(folder.url == "2.jpg" && folder.total == "2 files", "\(folder.outcome)")
    let pattern = try await plan(scene, "--input", "files=a [x]/[12].jpg")
    #expect(pattern.url == "2.jpg" && pattern.total == "1 file", "\(pattern.outcome)")
  }

  @Test func `the home folder has a short name`() async throws {
    var scene = try scene("home/x/a.jpg")
    scene.pipeline.environment["HOME"] = scene.directory.path("home")
    let plan = try await plan(scene, "--input", "files=~/x/*")
    #expect(plan.url == "a.jpg", "\(plan.outcome)")
  }

  @Test func `exclusions of the file and of the command line add up`() async throws {
    let scene = try scene("in/a.tmp", "in/b~", "in/c", "in/drafts/d", "in/.e")
    let plan = try await plan(
      scene, "--input", "files=in/**", "--exclude", "*.tmp", "--exclude", "drafts/")
    #expect(plan.total == "1 file" && plan.url == "c", "\(plan.outcome)")
    #expect(plan.outcome.output.contains("left out: 3 excluded: 'a.tmp', 'b~', 'drafts/'"))
    #expect(plan.outcome.output.contains("left out: 1 hidden: '.e'; --hidden includes them"))
    let bad = try await self.plan(scene, "--input", "files=in", "--exclude", "{a")
    #expect(bad.outcome.status == 2)
    #expect(
      bad.outcome.error.contains("--exclude '{a': character 1: '{' without '}'"), "\(bad.outcome)")
  }

  @Test func `a list names files by lines or by NUL, relative to the working folder`()
    async throws
  {
    let scene = try scene("in/a b", "in/[c]", "in/d\ne")
    let lines = try await plan(scene, "--files-from", "-", input: "in/[c]\n./in/a b\nin/a b\n\n")
    #expect(lines.url == "in/%5Bc%5D" && lines.total == "2 files", "\(lines.outcome)")
    try scene.directory.write("in/d\ne\0", to: "list")
    let nul = try await plan(scene, "--files-from", "files=list", "--input", "files=in/a b")
    #expect(nul.url == "in/a%20b" && nul.total == "2 files", "\(nul.outcome)")
    let windows = "\u{FEFF}in/a b\r\nin/[c]\r\n\r\n"
    let foreign = try await plan(scene, "--files-from", "-", input: windows)
    #expect(foreign.url == "in/a%20b" && foreign.total == "2 files", "\(foreign.outcome)")
    let missing = try await plan(scene, "--files-from", "-", input: "in/[c]\nnone\nin\n")
    #expect(missing.outcome.status == 1, "\(missing.outcome)")
    let text = missing.outcome.output
    #expect(text.contains("failed: 2 that cannot be read: 'none: standard input, line 2: "))
    #expect(text.contains("line 3: ") && text.contains("`find -type f` lists only files"))
    #expect(missing.total == "1 file" && missing.url == "in/%5Bc%5D", "\(missing.outcome)")
  }

  @Test func `an inputs file may contain several patterns, and only for files`() async throws {
    let scene = try scene("a/x", "b/x")
    try scene.directory.write("files: [a, b/*]\n", to: "values.yaml")
    let plan = try await plan(scene, "--inputs", "values.yaml")
    #expect(plan.total == "2 files" && plan.url == "a/x", "\(plan.outcome)")
    try scene.directory.write("server: [http://a.test, http://b.test]\n", to: "values.yaml")
    let wrong = try await self.plan(scene, "--inputs", "values.yaml")
    #expect(wrong.outcome.status == 2)
    #expect(
      wrong.outcome.error.contains("values.yaml:1:1: only an input of the type 'files'"),
      "\(wrong.outcome)")
  }

  @Test func `the plan lists left-out files in JSON, and a run reports them when it starts`()
    async throws
  {
    let scene = try scene("in/a", "in/b~")
    symlink("../p.yaml", scene.directory.path("in/away"))
    let plan = try await plan(scene, "--input", "files=in", "--format", "json")
    let files = try JSON.object(plan.outcome.output)["files"] as? [String: [String: Any]]
    #expect(files?["files"]?["files"] as? Int == 2)
    let remarks = files?["files"]?["remarks"] as? [[String: Any]]
    #expect(remarks?.compactMap { $0["cause"] as? String } == ["excluded", "outside_link"])
    #expect(remarks?.last?["names"] as? [String] == ["away"])
    let server = try await scene.server()
    let run = try await scene.pipeline.run(
      "run", "p.yaml", "--input", "files=in", "--input", "server=\(server.url)")
    #expect(
      run.error.contains("pipeline: note: input 'files': left out: 1 excluded: 'b~'\n"), "\(run)")
    let words =
      "included: 1 link to a place outside the folder: 'away'; --exclude leaves one out"
    #expect(run.error.contains("pipeline: note: input 'files': \(words)\n"), "\(run)")
  }
}
