import Foundation
import Testing

/// Public declarations are explained, and links of pages lead to their targets.
struct DocumentationTests {
  /// Constants and cases may have names that say all.
  @Test func `every public type and function of a library has a comment`() throws {
    for file in try PackageFolder.swiftFiles(under: "Sources") where !file.isOfProgram {
      var isDocumented = false
      for (index, line) in file.lines.enumerated() {
        let text = line.drop { $0 == " " }
        if text.hasPrefix("///") {
          isDocumented = true
        } else if text.hasPrefix("@") && !text.contains("public ") {
          continue
        } else {
          if text.hasPrefix("public "), declares(text), !isDocumented {
            Issue.record("\(file.path):\(index + 1): \(text)")
          }
          isDocumented = false
        }
      }
    }
  }

  private func declares(_ text: Substring) -> Bool {
    let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "func"]
    return !kinds.isDisjoint(with: text.split(separator: " "))
  }

  @Test func `no comment only repeats what it describes`() throws {
    for (comment, declaration) in [
      ("/// The kind.", "let kind: Kind"), ("/// Its host", "let host: String"),
      ("/// The state of a loop", "struct LoopState {"),
    ] { #expect(repeats(comment, declaration)) }
    for comment in ["/// The kind of what ends.", "/// The size in bytes.", "/// When it ended."] {
      #expect(!repeats(comment, "let kind, size, end: Int"))
    }
    for file in try PackageFolder.swiftFiles(under: "Sources") {
      for (index, line) in file.lines.enumerated() where line.contains("/// ") {
        let isAlone = index == 0 || !file.lines[index - 1].contains("///")
        guard isAlone, index + 1 < file.lines.count, !file.lines[index + 1].contains("//") else {
          continue
        }
        if repeats(String(line), String(file.lines[index + 1])) {
          Issue.record("\(file.path):\(index + 1): \(line)")
        }
      }
    }
  }

  /// Whether all words of a comment are in the names of the declaration.
  private func repeats(_ comment: String, _ declaration: String) -> Bool {
    func words(_ text: String) -> [String] {
      text.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/).map { $0.output.lowercased() }
    }
    guard comment.hasPrefix("///") || comment.drop(while: { $0 == " " }).hasPrefix("///"),
      !comment.contains(/[0-9`§:]/)
    else { return false }
    let told = words(comment).filter { !["the", "its", "a", "an", "of"].contains($0) }
    let known = Set(words(declaration))
    return !told.isEmpty && told.count <= 3 && told.allSatisfy(known.contains)
  }

  /// Every page of the repository.
  private static func pages() throws -> [String] {
    let docs = FileManager.default.enumerator(
      atPath: PackageFolder.root.appending(path: "docs").path)
    let names = docs?.compactMap { $0 as? String } ?? []
    return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
      + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
  }

  @Test func `links inside the repository lead somewhere`() throws {
    var links = 0
    for page in try Self.pages() {
      let folder = PackageFolder.root.appending(path: page).deletingLastPathComponent()
      // Text in a code block or between backquotes is not a link.
      let text = try PackageFolder.text(page).replacing(/(?s)```.*?```|`[^`\n]*`/, with: "")
      for match in text.matches(of: /\]\(([^)#\s]*)(?:#([^)\s]*))?\)/) {
        let target = String(match.output.1)
        if target.contains("://") || target.hasPrefix("mailto:") { continue }
        links += 1
        let file =
          target.isEmpty ? PackageFolder.root.appending(path: page) : folder.appending(path: target)
        #expect(FileManager.default.fileExists(atPath: file.path), "\(page) links to \(target)")
        guard let anchor = match.output.2, file.pathExtension == "md" else { continue }
        let headings = Self.anchors(try String(contentsOf: file, encoding: .utf8))
        #expect(headings.contains(String(anchor)), "\(page) links to \(target)#\(anchor)")
      }
    }
    #expect(links > 100)
  }

  /// What links may name in a page: its headings, as GitHub writes them.
  private static func anchors(_ page: String) -> Set<String> {
    var found: Set<String> = []
    var isInBlock = false
    for line in page.split(separator: "\n") {
      if line.hasPrefix("```") { isInBlock.toggle() }
      guard !isInBlock, line.hasPrefix("#") else { continue }
      let heading = line.drop { $0 == "#" }.dropFirst().lowercased()
      let kept = heading.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
      found.insert(kept.replacing(" ", with: "-"))
    }
    return found
  }

  @Test func `the readme names the commands that the build has`() throws {
    let readme = try PackageFolder.text("README.md")
    let makefile = try PackageFolder.text("Makefile")
    for match in readme.matches(of: /make ([a-z-]+)/) {
      #expect(makefile.contains("\n\(match.output.1):"), "make \(match.output.1)")
    }
    #expect(readme.contains("make demo") && readme.contains("make test"))
  }
}
