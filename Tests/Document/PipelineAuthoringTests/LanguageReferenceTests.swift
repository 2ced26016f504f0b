import CEL
import Foundation
@testable import PipelineAuthoring
import PipelineDocument
import PipelineScenarios
import TestSupport
import Testing
import YAMLSyntax

struct LanguageReferenceTests {
  @Test func `the page on disk matches the tables of keys`() throws {
    let url = TestFiles.repository.appending(path: "docs/language.md")
    let text = LanguageReference.pageText()
    if TestFiles.isSet("UPDATE_GENERATED") {
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    let onDisk = try String(contentsOf: url, encoding: .utf8)
    #expect(onDisk == text, "run the tests with UPDATE_GENERATED=1")
  }

  @Test
  func `each construct and each key has a description, and each description and example is of one`()
  {
    let constructs = Construct.ofPipelines + Construct.ofTests + Construct.ofScenarios
    for construct in constructs {
      #expect(!construct.summary.isEmpty, "\(construct.name)")
      for key in construct.keys {
        #expect(!key.summary.isEmpty, "\(construct.name).\(key.name)")
      }
    }
    for (name, texts) in GrammarTexts.all {
      let owners = name == "*" ? constructs : constructs.filter { $0.name == name }
      let known = Set(owners.flatMap { $0.keys.map(\.name) } + [""])
      #expect(Set(texts.keys).subtracting(known) == [], "\(name)")
    }
    for entry in Key.listed {
      let owners = constructs.filter { entry.key == .string($0.name) || entry.key == "*" }
      let known = Set(owners.flatMap { $0.keys.map { Value.string($0.name) } })
      let listed = entry.value.mapValue?.map(\.key) ?? []
      #expect(!listed.isEmpty && known.isSuperset(of: listed), "\(entry.key)")
    }
  }

  @Test func `each cell of each row has a text`() {
    let rows = LanguageReference.pageText().split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count > 100)
    for row in rows.dropFirst() where !row.hasPrefix("| key |") {
      let cells = row.replacing("\\|", with: "").split(separator: "|").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      #expect(cells.allSatisfy { !$0.isEmpty }, "\(row)")
    }
  }

  @Test func `each example is YAML, and comes after its key`() {
    var count = 0
    for line in LanguageReference.pageText().split(separator: "\n") {
      guard let row = line.firstMatch(of: /^\| `([a-z_0-9]+)` \|.* Example: (`.*`) \|$/) else {
        continue
      }
      for example in row.output.2.components(separatedBy: "` or `") {
        let text =
          "\(row.output.1): " + example.replacing("`", with: "").replacing("\\|", with: "|")
        let found = YAMLDocument.parse(text + "\n")
        #expect(found.issues.isEmpty && found.root?.mapping?.count == 1, "\(text)")
        count += 1
      }
    }
    #expect(count > 100)
  }

  @Test func `each link within the page has its heading`() {
    let page = LanguageReference.pageText()
    let headings = page.matches(of: /\n## ([A-Za-z_0-9]+)/).map { $0.output.1.lowercased() }
    let links = page.matches(of: /\]\(#([a-z_0-9]+)\)/).map { String($0.output.1) }
    #expect(links.count > 50)
    #expect(Set(links).subtracting(headings) == [])
    #expect(Set(headings).count == headings.count)
  }
}
