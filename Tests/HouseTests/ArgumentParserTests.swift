import Testing

/// Commands parse arguments and pass plain values on: no type of the argument parser is used below them.
struct ArgumentParserTests {
  private static let types = [
    "ParsableArguments", "ParsableCommand", "AsyncParsableCommand", "ExpressibleByArgument",
    "ValidationError", "CommandConfiguration", "ArgumentHelp",
  ]

  /// The lines of a file that import the argument parser, or name one of its types.
  static func uses(in file: SourceFile) -> [Int] {
    file.lines.indices.filter { index in
      let line = file.lines[index]
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { return false }
      return words.contains("import") && words.contains("ArgumentParser")
        || types.contains { words.contains(Substring($0)) }
    }.map { $0 + 1 }
  }

  @Test func `only folders called Commands use the argument parser`() throws {
    var count = 0
    for file in try PackageFolder.swiftFiles(under: "Sources") {
      let lines = Self.uses(in: file)
      if file.path.split(separator: "/").dropLast().dropFirst(3).first == "Commands" {
        count += lines.count
      } else {
        for line in lines {
          Issue.record("\(file.path):\(line) uses the argument parser outside of 'Commands'")
        }
      }
    }
    #expect(count > 50)
  }

  @Test func `the search finds imports and conformances, and nothing else`() {
    let lines: [Substring] = [
      "package import ArgumentParser", "import ArgumentParserToolInfo",
      "struct A: Hashable, ParsableArguments {", "extension B: ExpressibleByArgument {}",
      "// ParsableCommand", "struct ParsableCommandLine {",
    ]
    let file = SourceFile(path: "A.swift", lines: lines)
    #expect(Self.uses(in: file) == [1, 3, 4])
  }
}
