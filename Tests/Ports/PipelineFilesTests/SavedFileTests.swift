import Foundation
import PipelineCore
import PipelineEngine
import Testing

@testable import PipelineFiles

/// Files that stay in the user's folder.
struct SavedFileTests {
  private let run: ScratchFolder
  private let target: ScratchFolder
  private let workspace: POSIXWorkspace
  /// FIPS 180-4, appendix B.1: the digest of "abc".
  private let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  /// The path of the first item's step.
  private let first = "0/0-0-get"

  init() throws {
    run = try ScratchFolder()
    target = try ScratchFolder()
    workspace = try POSIXWorkspace(root: run.path, userMask: 0o027)
  }

  private func plan(
    _ name: String, _ existing: ExistingFile = .refuse, size: Int64? = nil, sha256: String? = nil,
    in folder: String? = nil
  ) throws -> DownloadPlan {
    let save = try #require(
      SavePlan(
        run: RunID("r"), folder: folder ?? target.path, name: name, existing: existing))
    return DownloadPlan(
      name: name, size: size, expected: sha256.map { [.sha256: $0] } ?? [:], save: save)
  }

  private func receive(
    _ plan: DownloadPlan, _ text: String = "abc", at path: String? = nil,
    validator: String? = "\"1\"", by workspace: POSIXWorkspace? = nil
  ) async -> Result<FileValue, FileFailure> {
    do throws(FileFailure) {
      let sink = try await (workspace ?? self.workspace).sink(for: plan, at: path ?? first)
      try await sink.begin(Representation(size: Int64(text.utf8.count), validator: validator))
      try await sink.append(Array(text.utf8))
      return .success(try await sink.publish(contentType: nil))
    } catch {
      return .failure(error)
    }
  }

  private func failure(_ result: Result<FileValue, FileFailure>) -> FileFailure? {
    if case .failure(let failure) = result { failure } else { nil }
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try target.read(name), as: UTF8.self)
  }

  /// Receives some bytes and ends as a killed process does.
  private func begin(_ plan: DownloadPlan, _ text: String, validator: String? = "\"1\"")
    async throws
  {
    let sink = try await workspace.sink(for: plan, at: first)
    try await sink.begin(Representation(size: 6, validator: validator))
    try await sink.append(Array(text.utf8))
  }

  // MARK: Names

  @Test(
    arguments: [
      "", ".", "..", "../x", "a/../../x", "/etc/passwd", "a//b", "a/", "./a", "a\0b",
      ".pipeline-0.partial",
    ])
  func `a name that leads outside the folder, or does not name a file, is refused`(_ name: String) {
    #expect(SavePlan.problem(with: name) != nil)
    #expect(SavePlan(run: RunID("r"), folder: "/t", name: name, existing: .replace) == nil)
  }

  @Test(arguments: ["..a", "a..", "...", " ", "a\\..\\b", "~", "-rf", "a\nb", "$HOME", "é/日本語"])
  func `a name that only seems to lead outside is valid`(_ name: String) async throws {
    #expect(SavePlan.problem(with: name) == nil)
    _ = try await receive(plan(name)).get()
    #expect(try text(name) == "abc")
  }

  @Test func `a link on the path is not followed, wherever it leads`() async throws {
    let elsewhere = try ScratchFolder()
    try target.link("out", to: elsewhere.path)
    try target.write("in/file", [1])
    try target.link("within", to: "in")
    for name in ["out/x", "within/x", "in/file/x"] {
      #expect(failure(await receive(try plan(name)))?.kind == .refused)
    }
    #expect(elsewhere.files == [])
  }

  @Test func `a link in the place of the file is replaced itself, not its destination`()
    async throws
  {
    let elsewhere = try ScratchFolder()
    try elsewhere.write("precious", [1])
    try target.link("file", to: elsewhere.path + "/precious")
    #expect(failure(await receive(try plan("file")))?.kind == .refused)
    _ = try await receive(plan("file", .replace)).get()
    #expect(try text("file") == "abc")
    #expect(try elsewhere.read("precious") == [1])
  }

  @Test func `a name that is too long is refused before anything is received`() async throws {
    for name in [String(repeating: "n", count: 256), String(repeating: "d", count: 256) + "/x"] {
      let plan = try plan(name)
      let failure = await #expect(throws: FileFailure.self) {
        try await workspace.sink(for: plan, at: first)
      }
      #expect(failure?.kind == .refused)
    }
    _ = try await receive(plan(String(repeating: "n", count: 255))).get()
  }

  @Test func `two items with one name are a failure, even if files may be replaced`() async throws {
    for existing in ExistingFile.allCases {
      let plan = try plan("\(existing)/same", existing, size: 3)
      _ = try await receive(plan, at: "0/0-7-get").get()
      let later = try POSIXWorkspace(root: run.path)
      let failure = failure(await receive(plan, "abd", at: "1/0-8-get", by: later))
      #expect(failure?.kind == .refused)
      #expect(failure?.message.hasSuffix("is also the file of item 0/7") == true)
      if existing == .update {
        await #expect(throws: FileFailure.self) {
          _ = try await later.present(plan, at: "1/0-8-get")
        }
      }
      #expect(try text("\(existing)/same") == "abc")
    }
  }

  // MARK: Existing files

  @Test func `an existing file is not overwritten, and nothing is left next to it`() async throws {
    try target.write("file", [1])
    let failure = failure(await receive(try plan("file")))
    #expect(failure?.kind == .refused)
    #expect(failure?.message.hasPrefix("'\(target.path)/file' exists already") == true)
    #expect(target.files == ["file"])
    #expect(try target.read("file") == [1])
  }

  @Test func `a file that appears while another is received is not overwritten`() async throws {
    let sink = try await workspace.sink(for: try plan("file"), at: first)
    try await sink.begin(Representation(size: 3))
    try await sink.append(Array("abc".utf8))
    try target.write("file", [1])
    let failure = await #expect(throws: FileFailure.self) {
      try await sink.publish(contentType: nil)
    }
    #expect(failure?.kind == .refused)
    #expect(target.files == ["file"])
    #expect(try target.read("file") == [1])
  }

  @Test func `a folder in the place of a file is a failure`() async throws {
    try target.write("file/inside", [1])
    for existing in ExistingFile.allCases {
      #expect(failure(await receive(try plan("file", existing)))?.kind == .refused)
    }
    #expect(target.files == ["file/inside"])
  }

  @Test func `a file is replaced if that is declared`() async throws {
    try target.write("file", [1])
    _ = try await receive(plan("file", .replace)).get()
    #expect(try text("file") == "abc")
  }

  @Test func `only a file of the same size and digest is kept`() async throws {
    #expect(try await workspace.present(plan("file", .update, size: 3), at: first) == nil)
    try target.write("file", Array("abc".utf8))
    #expect(try await workspace.present(plan("file", .update), at: first) == nil)
    #expect(try await workspace.present(plan("file", .update, size: 4), at: first) == nil)
    #expect(try await workspace.present(plan("file", .replace, size: 3), at: first) == nil)
    let found = try await workspace.present(
      plan("file", .update, size: 3, sha256: digest), at: first)
    #expect(found?.path == target.path + "/file")
    #expect(found?.digests == [.sha256: digest])
    try target.write("file", Array("abd".utf8))
    #expect(
      try await workspace.present(plan("file", .update, size: 3, sha256: digest), at: first) == nil)
  }

  // MARK: Received parts

  @Test func `a file of another size or digest does not appear, and nothing is left of it`()
    async throws
  {
    #expect(failure(await receive(try plan("a/file", size: 4)))?.kind == .mismatch)
    let wrong = failure(await receive(try plan("a/file", sha256: digest), "abd"))
    #expect(wrong?.kind == .mismatch)
    #expect(
      wrong?.message
        == "'a/file' has the digest sha256 a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9, expected \(digest)"
    )
    #expect(target.files == [])
    #expect(await workspace.partials() == [])
  }

  @Test func `a coding that was not requested is refused, unless size or digest identify the file`()
    async throws
  {
    let coded = Representation(coding: "gzip")
    let sink = try await workspace.sink(for: try plan("file"), at: first)
    let failure = await #expect(throws: FileFailure.self) { try await sink.begin(coded) }
    #expect(failure?.kind == .refused)
    let other = try await workspace.sink(for: try plan("other", size: 3), at: "0/0-0-other")
    try await other.begin(coded)
    await other.discard()
  }

  @Test func `a file appears whole in created folders, with the user's permissions`() async throws {
    let folder = target.path + "/new/one"
    let file = try await receive(plan("a/b/file", size: 3, sha256: digest, in: folder)).get()
    #expect(target.files == ["new/one/a/b/file"])
    #expect(file.path == folder + "/a/b/file")
    #expect(file.digests == [.sha256: digest])
    func mode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: target.path + "/" + name)[.posixPermissions]
        as? Int
    }
    #expect(try mode("new/one/a/b/file") == 0o640)
    #expect(try mode("new") == 0o750)
    #expect(try mode("new/one/a") == 0o750)
  }

  // MARK: After an interruption

  @Test func `a later process resumes inside the file, and computes its digest from the start`()
    async throws
  {
    let whole = try plan(
      "file", size: 6, sha256: "bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721")
    try await begin(whole, "abc")
    #expect(target.files.count == 1)
    let later = try POSIXWorkspace(root: run.path)
    #expect(await later.partials() == [first])
    _ = await later.sweep(keeping: [])
    let sink = try await later.sink(for: whole, at: first)
    let partial = try await sink.received()
    #expect(partial?.received == 3)
    #expect(partial?.representation.validator == "\"1\"")
    try await sink.append(Array("def".utf8))
    _ = try await sink.publish(contentType: nil)
    #expect(try text("file") == "abcdef")
    #expect(target.files == ["file"])
  }

  @Test func `without a validator nothing is continued, and nothing is left`() async throws {
    let plan = try plan("file", size: 6)
    try await begin(plan, "abc", validator: nil)
    let sink = try await workspace.sink(for: plan, at: first)
    #expect(try await sink.received() == nil)
    await sink.suspend()
    #expect(target.files == [])
  }

  @Test func `a foreign file in the place of a partial one is not continued`() async throws {
    let plan = try plan("file", size: 6)
    try await begin(plan, "abc")
    let name = try #require(target.files.first)
    // Made while the first is there: a file system reuses the number of a deleted file for the next one.
    try target.write("evil", Array("evil".utf8))
    try FileManager.default.removeItem(atPath: target.path + "/" + name)
    try FileManager.default.moveItem(
      atPath: target.path + "/evil", toPath: target.path + "/" + name)
    let sink = try await workspace.sink(for: plan, at: first)
    #expect(try await sink.received() == nil)
  }

  @Test func `after a restart of the machine, only flushed bytes count`() async throws {
    let plan = try plan("file", size: 6)
    try await begin(plan, "abc")
    let path = run.path + "/.saves/notes/" + first
    let note = try String(contentsOfFile: path, encoding: .utf8)
    try note.replacing(try #require(MachineTime.boot), with: "another").write(
      toFile: path, atomically: false, encoding: .utf8)
    let sink = try await workspace.sink(for: plan, at: first)
    #expect(try await sink.received() == nil)
    try note.replacing(try #require(MachineTime.boot), with: "another").replacing(
      #""flushed":"0""#, with: #""flushed":"2""#
    ).write(toFile: path, atomically: false, encoding: .utf8)
    let other = try await workspace.sink(for: plan, at: first)
    #expect(try await other.received()?.received == 2)
  }

  @Test func `a process that was killed after the rename recognizes its own file`() async throws {
    let plan = try plan("file", size: 3, sha256: digest)
    _ = try await receive(plan).get()
    let later = try POSIXWorkspace(root: run.path)
    let sink = try await later.sink(for: plan, at: first)
    #expect(try await sink.received()?.received == 3)
    _ = try await sink.publish(contentType: nil)
    #expect(try text("file") == "abc")
    #expect(target.files == ["file"])
  }

  @Test func `its own file without a validator is replaced, in one step`() async throws {
    _ = try await receive(plan("file"), validator: nil).get()
    _ = try await receive(plan("file"), "abd", validator: nil).get()
    #expect(try text("file") == "abd")
    #expect(target.files == ["file"])
  }

  @Test func `its own file, once changed by the user, belongs to the user`() async throws {
    _ = try await receive(plan("file")).get()
    try target.write("file", [1])
    #expect(failure(await receive(try plan("file")))?.kind == .refused)
    #expect(try target.read("file") == [1])
  }

  @Test func `abandoning deletes incomplete files, and never a complete one`() async throws {
    _ = try await receive(plan("whole"), at: "0/0-0-whole").get()
    try await begin(try plan("half", size: 6), "abc")
    for path in await workspace.partials() { await workspace.discardPartial(path) }
    #expect(target.files == ["whole"])
    #expect(await workspace.partials() == [])
    await workspace.discardPartial("0/0-0-whole")
    #expect(target.files == ["whole"])
  }
}
