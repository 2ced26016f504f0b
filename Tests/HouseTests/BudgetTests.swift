import Testing

/// Files and functions stay small enough to be read at once.
struct BudgetTests {
  static let linesPerFile = 400
  static let linesPerFunction = 60

  @Test(arguments: ["Sources", "Plugins", "Tests"])
  func `no file is longer than its budget`(folder: String) throws {
    for file in try PackageFolder.swiftFiles(under: folder) {
      // The empty piece behind the last line break is not a line.
      let count = file.lines.count - 1
      #expect(count <= Self.linesPerFile, "\(file.path) has \(count) lines")
    }
  }

  @Test(arguments: ["Sources", "Plugins", "Tests"])
  func `no function is longer than its budget`(folder: String) throws {
    for file in try PackageFolder.swiftFiles(under: folder) {
      for function in Self.functions(in: file) where function.length > Self.linesPerFunction {
        Issue.record("\(file.path):\(function.line): \(function.length) lines")
      }
    }
  }

  @Test func `the measure of functions sees a long one`() {
    let body = Array(repeating: "    work()", count: 70)
    let text =
      ["struct A {", "  func long() {"] + body + ["  }", "  func short() { work() }", "}"]
    let file = SourceFile(path: "A.swift", lines: text.map { Substring($0) })
    #expect(Self.functions(in: file).map(\.length) == [72])
  }

  /// Functions and initializers of more than a line, in the form of `swift format`:
  /// they end at a brace that
  /// is indented as far as their first line.
  static func functions(in file: SourceFile) -> [(line: Int, length: Int)] {
    var found: [(Int, Int)] = []
    for (index, line) in file.lines.enumerated() where begins(line) {
      let indent = line.prefix { $0 == " " }
      let end = file.lines[(index + 1)...].firstIndex { $0 == indent + "}" }
      // A body on one line ends there; a requirement of a protocol has no body.
      let opening = file.lines[index...].first {
        $0.hasSuffix("{") || $0.hasSuffix("}") || $0.isEmpty
      }
      guard opening?.hasSuffix("{") == true else { continue }
      if let end { found.append((index + 1, end - index + 1)) }
    }
    return found
  }

  private static func begins(_ line: Substring) -> Bool {
    let words = line.split(whereSeparator: { " (<".contains($0) })
    guard let first = words.first, !first.hasPrefix("//"), !first.hasPrefix("\"") else {
      return false
    }
    return words.prefix(6).contains { $0 == "func" || $0 == "init" || $0 == "deinit" }
  }
}
