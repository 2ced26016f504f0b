import Foundation
import Testing

/// Each sentence of docs/security.md has a test, and the test is there.
struct SecurityPageTests {
  @Test func `every test that the page names exists`() throws {
    let page = try PackageFolder.text("docs/security.md")
    let sources = try PackageFolder.swiftFiles(under: "Tests").map {
      $0.lines.joined(separator: "\n")
    }
    let named = page.matches(of: /`(\w+Tests): ([^`]+)`/)
    #expect(named.count > 20)
    for match in named {
      let (suite, test) = (String(match.output.1), String(match.output.2))
      let isThere = sources.contains { text in
        text.contains("func `\(test)`")
          && text.contains(try! Regex("(struct|extension|class) \(suite)\\b"))
      }
      #expect(isThere, "\(suite): \(test)")
    }
  }

  @Test func `every row of the page's tables names a test`() throws {
    let rows = try PackageFolder.text("docs/security.md").split(separator: "\n").filter {
      $0.hasPrefix("|") && !$0.hasPrefix("|---") && !$0.contains("| test |")
    }
    #expect(rows.count > 20)
    for row in rows { #expect(row.contains(#/`\w+Tests: /#), "\(row)") }
  }
}
