import Foundation
import PipelineCore
import PipelineEngine
import PipelineFiles
import Testing

/// The path of a file below the start of its pattern, exclusions, and files included on request.
struct FilePlaceTests {
  private func enumerate(
    _ pattern: String, in folder: ScratchFolder, _ options: GlobOptions = GlobOptions(),
    below lead: String = ""
  ) throws -> (places: [String], report: GlobReport) {
    var places: [String] = []
    let report = try FileGlob(pattern).enumerate(in: folder.path, options, below: lead) {
      places.append($0.relative + ($0.problem == nil ? "" : " failed"))
    }
    return (places, report)
  }

  private func excluding(_ patterns: String...) throws -> GlobOptions {
    var options = GlobOptions()
    options.exclusions = try patterns.map { try FileExclusion($0) }
    return options
  }

  @Test(arguments: [
    ("DCIM/**/*.jpg", ["x/a.jpg", "x/b/a.jpg", "y/a.jpg"]),
    ("DCIM", ["x/a.jpg", "x/b/a.jpg", "y/a.jpg"]),
    ("./DCIM/", ["x/a.jpg", "x/b/a.jpg", "y/a.jpg"]),
    ("DCIM/x/a.jpg", ["a.jpg"]),
    ("DCIM/{x,y}/*.jpg", ["x/a.jpg", "y/a.jpg"]),
    ("DCIM/{x/b,y}/*.jpg", ["x/b/a.jpg", "y/a.jpg"]),
    ("*/x/*", ["DCIM/x/a.jpg"]),
    ("DCIM/x/*", ["a.jpg"]),
    ("**", ["DCIM/x/a.jpg", "DCIM/x/b/a.jpg", "DCIM/y/a.jpg"]),
  ])
  func `a file's place is its path below the part of its pattern that has no wildcard`(
    _ pattern: String, _ expected: [String]
  ) throws {
    let folder = try ScratchFolder()
    for name in ["DCIM/x/a.jpg", "DCIM/y/a.jpg", "DCIM/x/b/a.jpg"] { try folder.write(name, [1]) }
    #expect(try enumerate(pattern, in: folder).places == expected)
    #expect(
      try enumerate(pattern, in: folder, below: "other/").places == expected.map { "other/" + $0 })
  }

  @Test func `an unreadable file fails, and the rest is counted and named`() throws {
    let folder = try ScratchFolder()
    for name in ["a.jpg", "sub/b.jpg", ".hidden.jpg", ".cache/c.jpg", "sub/.d.jpg"] {
      try folder.write(name, [1])
    }
    try folder.link("dead.jpg", to: "none")
    try folder.link("loop.jpg", to: "loop.jpg")
    try folder.link("again", to: "sub")
    #expect(mkfifo(folder.path + "/pipe.jpg", 0o600) == 0)
    #expect(mkfifo(folder.path + "/pipe.txt", 0o600) == 0)
    let name = [UInt8](Array("/x".utf8) + [0xFF] + Array(".jpg".utf8) + [0]).map(
      CChar.init(bitPattern:))
    let path = Array(folder.path.utf8CString.dropLast()) + name
    let descriptor = path.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { open($0, O_CREAT | O_WRONLY, 0o600) } ?? -1
    }
    #expect(descriptor >= 0)
    close(descriptor)
    let (places, report) = try enumerate("**/*.jpg", in: folder)
    let failed = ["dead.jpg failed", "loop.jpg failed", "pipe.jpg failed"]
    #expect(places == ["a.jpg"] + failed + ["sub/b.jpg", "x\\xFF.jpg failed"])
    #expect(report.files == 2)
    let reasons = report.remarks[.unreadable]?.names ?? []
    for (name, words) in zip(
      reasons,
      [
        "is a link to a file that does not exist", "too many levels of symbolic links",
        "is a pipe, a socket or a device", "its name is not UTF-8",
      ])
    { #expect(name.contains(words), "\(name)") }
    #expect(report.remarks[.unreadable]?.count == 4)
    #expect(report.remarks[.hidden]?.names.sorted() == [".cache", ".hidden.jpg", "sub/.d.jpg"])
    #expect(report.remarks[.folderLink]?.names == ["again"])
    #expect(report.remarks[.excluded] == nil)
  }

  @Test func `a folder means its hidden files as well, and a link out of it deserves a remark`()
    throws
  {
    let folder = try ScratchFolder()
    for name in ["in/a", "in/.b", "in/.c/d", "out"] { try folder.write(name, [1]) }
    try folder.link("in/away", to: "../out")
    try folder.link("in/near", to: "a")
    // Left out, so that it is not sent.
    try folder.link("in/there", to: "..")
    for (pattern, places) in [
      ("in", [".b", ".c/d", "a", "away", "near"]), ("in/*", ["a", "away", "near"]),
      ("in/{a,away}", ["a", "away"]), ("in/**", ["a", "away", "near"]),
    ] {
      let (found, report) = try enumerate(pattern, in: folder)
      #expect(found == places)
      #expect(report.remarks[.outsideLink]?.names == ["away"], "\(pattern)")
      #expect((report.remarks[.hidden] == nil) == (pattern == "in" || pattern == "in/{a,away}"))
    }
    #expect(try enumerate("in", in: folder, excluding("away")).report.remarks[.outsideLink] == nil)
  }

  @Test func `many names are counted, and the first are named`() throws {
    let folder = try ScratchFolder()
    for index in 0..<50 { try folder.write(".h\(index)", [1]) }
    let report = try enumerate("*", in: folder).report
    #expect(report.remarks[.hidden]?.count == 50)
    #expect(report.remarks[.hidden]?.names.count == GlobReport.nameLimit)
  }

  @Test func `hidden files and folders are included on request`() throws {
    let folder = try ScratchFolder()
    for name in ["a", ".b", ".c/d", ".c/.e"] { try folder.write(name, [1]) }
    var options = GlobOptions()
    options.includesHidden = true
    let (places, report) = try enumerate("**", in: folder, options)
    #expect(places == [".b", ".c/.e", ".c/d", "a"])
    #expect(report.remarks.isEmpty)
  }

  @Test func `links to folders are entered on request, and never without end`() throws {
    let folder = try ScratchFolder()
    try folder.write("real/x", [1])
    try folder.link("real/up", to: "..")
    try folder.link("other", to: "real")
    var options = GlobOptions()
    options.followsLinks = true
    let (places, report) = try enumerate("**", in: folder, options)
    #expect(places == ["other/x", "real/x"])
    #expect(report.remarks[.cycle]?.names == ["other/up", "real/up"])
  }

  @Test(arguments: [
    ("*.tmp", ["a/b.tmp", "c.tmp"]), ("/*.tmp", ["c.tmp"]), ("a/*.tmp", ["a/b.tmp"]),
    ("a", ["a/b.tmp", "a/d", "a/e/f"]), ("a/", ["a/b.tmp", "a/d", "a/e/f"]), ("d/", []),
    ("e", ["a/e/f"]), ("a/e", ["a/e/f"]), ("/e", []), ("**/e/**", ["a/e/f"]),
    ("{c.tmp,a/d}", ["a/d", "c.tmp"]), ("[!c]*", ["a/b.tmp", "a/d", "a/e/f"]), ("none", []),
  ])
  func `an exclusion leaves out its matches, and all that is in a folder`(
    _ pattern: String, _ gone: [String]
  ) throws {
    let folder = try ScratchFolder()
    let all = ["a/b.tmp", "a/d", "a/e/f", "c.tmp"]
    for name in all { try folder.write(name, [1]) }
    let exclusion = try FileExclusion(pattern)
    let (places, report) = try enumerate("**", in: folder, excluding(pattern))
    #expect(places == all.filter { !gone.contains($0) })
    #expect((report.remarks[.excluded] == nil) == gone.isEmpty)
    for name in all { #expect(exclusion.leavesOut(file: name) == gone.contains(name), "\(name)") }
  }

  @Test func `an exclusion also matches hidden names, and applies to a file that is named`() throws
  {
    let folder = try ScratchFolder()
    try folder.write(".b", [1])
    try folder.write("a", [1])
    #expect(try enumerate("{.b,a}", in: folder, excluding("*b")).places == ["a"])
    #expect(try enumerate("a", in: folder, excluding("?")).places == [])
  }

  @Test(arguments: ["", "/", "a{", "[x", "a/**b"])
  func `a bad exclusion is reported with the problem`(_ pattern: String) {
    #expect(throws: GlobError.self) { try FileExclusion(pattern) }
  }

  @Test(arguments: ["[a].jpg", "{x,y}", "*?\\", "a,b", "plain"])
  func `an escaped path matches the file of that name and no other`(_ name: String) throws {
    let folder = try ScratchFolder()
    for other in [name, "a.jpg", "x", "y", "zz"] { try folder.write(other, [1]) }
    #expect(try enumerate(FileGlob.escaped(name), in: folder).places == [name])
  }
}
