import Foundation
import Testing

/// Public declarations are explained, and pages lead where they say.
struct DocumentationTests {
  @Test func `every public declaration of a library has a comment`() throws {
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
    let words = text.split(separator: " ")
    return !words.contains("import") && !words.starts(with: ["public", "extension"])
  }

  @Test(arguments: [
    "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/ARCHITECTURE.md", "docs/checkpoints.md",
    "docs/security.md",
  ])
  func `links inside the repository lead somewhere`(page: String) throws {
    let text = try PackageFolder.text(page)
    let folder = PackageFolder.root.appending(path: page).deletingLastPathComponent()
    for match in text.matches(of: /\]\(([^)#\s]+)(#[^)]*)?\)/) {
      let target = String(match.output.1)
      if target.contains("://") { continue }
      let path = folder.appending(path: target).path
      #expect(FileManager.default.fileExists(atPath: path), "\(page) links to \(target)")
    }
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
