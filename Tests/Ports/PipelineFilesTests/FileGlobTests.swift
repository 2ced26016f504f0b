import Foundation
import PipelineCore
import PipelineEngine
import PipelineFiles
import Testing

struct FileGlobTests {
  static let tree = [
    "a/b/c/four.jpg", "a/b/three.JPG", "a/b/three.jpg", "a/two.jpeg", "a/two.png", "one.jpg",
    "z.jpg", ".hidden/x.jpg", "a/.secret.jpg", "a/ü.jpg", "a/[odd].jpg", "a/b-2/x.jpg",
    "node/{x}.jpg",
  ]

  private func folder() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    for name in Self.tree { try folder.write(name, name.utf8) }
    return folder
  }

  private func names(_ pattern: String, in folder: ScratchFolder) throws -> [String] {
    var names: [String] = []
    try FileGlob(pattern).enumerate(in: folder.path) {
      names.append(String($0.path.dropFirst(folder.path.count + 1)))
    }
    return names
  }

  @Test(arguments: [
    ("", 1, "empty"), ("a/[bc", 3, "without ']'"), ("x{a,{b,c}", 2, "without '}'"),
    ("a}", 2, "without '{'"), ("a\\", 2, "at the end"), ("a/**b/c", 3, "'**'"),
    ("[z-a]", 2, "range"), ("[a/b]", 3, "'/'"), ("x{,/}", 2, nil), ("{a,}", 1, "empty path"),
    ("{/a,b}", 1, "absolute"), ("*/../b", 1, "'..'"), ("{../a,b}/*", 1, "'..'"), ("../a/*", 0, nil),
  ])
  func `a bad pattern is reported with its place and the problem`(
    _ pattern: String, _ position: Int, _ text: String?
  ) throws {
    guard let text else {
      _ = try FileGlob(pattern)
      return
    }
    let error = #expect(throws: GlobError.self) { try FileGlob(pattern) }
    #expect(error?.position == position)
    #expect(error?.message.contains(text) == true)
  }

  @Test func `braces that multiply without end are refused`() {
    let pattern = String(repeating: "{a,b}", count: 11)
    #expect(throws: GlobError.self) { try FileGlob(pattern) }
  }

  @Test func `a missing path without wildcards is an error that names it`() throws {
    let folder = try folder()
    let error = #expect(throws: FileFailure.self) { try names("a/none.jpg", in: folder) }
    #expect(error?.kind == .missing)
    #expect(error?.message.contains("\(folder.path)/a/none.jpg") == true)
  }

  @Test func `the folder at the start of a pattern must exist`() throws {
    let folder = try folder()
    let error = #expect(throws: FileFailure.self) { try names("none/*.jpg", in: folder) }
    #expect(error?.kind == .missing)
  }

  @Test(arguments: [
    ("*.jpg", ["one.jpg", "z.jpg"]),
    ("one.jpg", ["one.jpg"]),
    ("./one.jpg", ["one.jpg"]),
    ("a//two.png", ["a/two.png"]),
    ("a/*", ["a/[odd].jpg", "a/two.jpeg", "a/two.png", "a/ü.jpg"]),
    ("a/two.{jpeg,png}", ["a/two.jpeg", "a/two.png"]),
    ("a/two.{j{peg,pg},png}", ["a/two.jpeg", "a/two.png"]),
    ("a/?.jpg", ["a/ü.jpg"]),
    ("a/[ä-ü].jpg", ["a/ü.jpg"]),
    ("a/[!t]*", ["a/[odd].jpg", "a/ü.jpg"]),
    ("a/\\[odd\\].jpg", ["a/[odd].jpg"]),
    ("node/\\{x\\}.jpg", ["node/{x}.jpg"]),
    ("a/b/three.jpg", ["a/b/three.jpg"]),
    ("a/b/*.JPG", ["a/b/three.JPG"]),
    ("**/three.*", ["a/b/three.JPG", "a/b/three.jpg"]),
    (
      "a/**/*.jpg",
      [
        "a/[odd].jpg", "a/b/c/four.jpg", "a/b/three.jpg", "a/b-2/x.jpg", "a/ü.jpg",
      ]
    ),
    ("{a/b,a}/*.jp{,e}g", ["a/[odd].jpg", "a/b/three.jpg", "a/two.jpeg", "a/ü.jpg"]),
    ("{a/b/**,a/**/c}/four.jpg", ["a/b/c/four.jpg"]),
    ("a/.*", ["a/.secret.jpg"]),
    (".hidden/*", [".hidden/x.jpg"]),
    ("**/c/**", ["a/b/c/four.jpg"]),
    ("**/**/four.jpg", ["a/b/c/four.jpg"]),
    ("a/b", ["a/b/c/four.jpg", "a/b/three.JPG", "a/b/three.jpg"]),
    ("a/b/", ["a/b/c/four.jpg", "a/b/three.JPG", "a/b/three.jpg"]),
    ("a/*/x.jpg", ["a/b-2/x.jpg"]),
    ("*.gif", []),
  ])
  func `a pattern names its files in the order of their bytes`(
    _ pattern: String, _ expected: [String]
  ) throws {
    let found = try names(pattern, in: folder())
    #expect(found == expected)
  }

  @Test func `an absolute pattern does not look at the base`() throws {
    let folder = try folder()
    var found: [FileValue] = []
    let report = try FileGlob("\(folder.path)/*.jpg").enumerate(in: "/none") { found.append($0) }
    #expect(found.map(\.name) == ["one.jpg", "z.jpg"])
    #expect(found.map(\.contentType) == ["image/jpeg", "image/jpeg"])
    #expect(found.map(\.size) == [7, 5])
    #expect(report.files == 2)
    #expect(report.bytes == 12)
  }

  @Test func `two stars do not follow links to folders, a name does`() throws {
    let folder = try ScratchFolder()
    try folder.write("real/x.jpg", [1])
    try folder.link("real/up", to: "..")
    try folder.link("other", to: "real")
    try folder.link("file.jpg", to: "real/x.jpg")
    #expect(try names("**/*.jpg", in: folder) == ["file.jpg", "real/x.jpg"])
    #expect(try names("other/*.jpg", in: folder) == ["other/x.jpg"])
  }

  @Test func `an error of the visitor ends the enumeration`() throws {
    struct Stop: Error {}
    let folder = try folder()
    var count = 0
    #expect(throws: Stop.self) {
      try FileGlob("**").enumerate(in: folder.path) { _ in
        count += 1
        throw Stop()
      }
    }
    #expect(count == 1)
  }

  @Test func `a pipe is not a file`() throws {
    let folder = try ScratchFolder()
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    for pattern in ["*", "pipe"] {
      let report = try FileGlob(pattern).enumerate(in: folder.path) { #expect($0.problem != nil) }
      #expect(report.files == 0)
      #expect(report.remarks[.unreadable]?.count == 1)
    }
  }
}
