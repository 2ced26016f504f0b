import CEL
import Foundation
@testable import PipelineAuthoring
import PipelineCore
import PipelineDocument
import TestSupport
import Testing

/// What the program and the documentation say of `Pipelines/catalogue` is what is in it.
struct GalleryTests {
  /// A file of the catalogue.
  private struct Entry {
    let name: String
    let text: String
    let pipeline: Pipeline

    /// The text without the line for editors, whose path leads nowhere from another folder.
    var copy: String {
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("# yaml-language-server:") }.joined(separator: "\n")
        .replacing(/^#\n/, with: "")
    }
  }

  private static let folder = TestFiles.repository.appending(path: "Pipelines/catalogue")

  private static func entries() throws -> [Entry] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".yaml") && !$0.contains(".test.") }
      .map { file in
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        let result = PipelineDocument.load(text: text, file: file)
        return Entry(
          name: String(file.dropLast(5)), text: text, pipeline: try #require(result.pipeline))
      }
  }

  @Test func `the program has a copy of each file`() throws {
    let sources = TestFiles.repository.appending(path: "Sources/PipelineAuthoring/Catalogue")
    let entries = try Self.entries()
    var expected = ["Texts.swift": Self.list(entries)]
    for entry in entries { expected["Text+\(entry.name).swift"] = Self.source(entry) }
    func generated() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: sources.path)
        .filter { $0.hasPrefix("Text") }
    }
    if TestFiles.isSet("UPDATE_GENERATED") {
      for file in try generated() where expected[file] == nil {
        try FileManager.default.removeItem(at: sources.appending(path: file))
      }
      for (file, text) in expected {
        try Data(text.utf8).write(to: sources.appending(path: file))
      }
    }
    #expect(Set(try generated()) == Set(expected.keys), "run the tests with UPDATE_GENERATED=1")
    for (file, text) in expected {
      let onDisk = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      #expect(onDisk == text, "\(file): run the tests with UPDATE_GENERATED=1")
    }
  }

  private static func identifier(_ name: String) -> String {
    let words = name.split(separator: "-")
    return (words.prefix(1).map(String.init) + words.dropFirst().map(\.capitalized)).joined()
  }

  private static func source(_ entry: Entry) -> String {
    """
    // Generated from Pipelines/catalogue/\(entry.name).yaml by `make generated`.
    extension PipelineTemplate {
      static let \(identifier(entry.name))Text = ##\"\"\"
    \(entry.copy.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n"))
        \"\"\"##
    }

    """
  }

  private static func list(_ entries: [Entry]) -> String {
    """
    // Generated from Pipelines/catalogue by `make generated`.
    extension PipelineTemplate {
      static let catalogueTexts = [
    \(entries.map { "    \(identifier($0.name))Text," }.joined(separator: "\n"))
      ]
    }

    """
  }

  @Test func `a template of the catalogue is the file, under another name if wanted`() throws {
    for entry in try Self.entries() {
      let template = try #require(PipelineTemplate.named(entry.name))
      #expect(try template.text() == entry.copy)
      #expect(template.summary == entry.pipeline.description)
      let own = PipelineDocument.load(text: try template.text(name: "mine"), file: "mine.yaml")
      #expect(own.pipeline?.name == "mine")
    }
    #expect(PipelineTemplate.named("nothing-like-this") == nil)
    let names = (PipelineTemplate.all + PipelineTemplate.catalogue).map(\.name)
    #expect(Set(names).count == names.count)
  }

  // MARK: The page

  @Test func `the page has a row for each file`() throws {
    let url = TestFiles.repository.appending(path: "docs/catalogue.md")
    let page = try String(contentsOf: url, encoding: .utf8)
    let (begin, end) = ("<!-- generated: pipelines -->\n", "<!-- end -->\n")
    let start = try #require(page.range(of: begin)), stop = try #require(page.range(of: end))
    let rows = try Self.entries().map { try Self.row($0) }
    let table =
      "| pipeline | steps | lifetimes | what resumes | proven against |\n|---|---|---|---|---|\n"
      + rows.joined()
    if TestFiles.isSet("UPDATE_GENERATED") {
      let text = page[..<start.upperBound] + table + page[stop.lowerBound...]
      try Data(text.utf8).write(to: url)
    } else {
      let kept = String(page[start.upperBound..<stop.lowerBound])
      #expect(kept == table, "run the tests with UPDATE_GENERATED=1")
    }
  }

  private static func row(_ entry: Entry) throws -> String {
    let name = "[\(entry.name)](../Pipelines/catalogue/\(entry.name).yaml)"
    let cells = [
      name, steps(entry.pipeline), lifetimes(entry.pipeline), resumes(entry.pipeline),
      try proof(entry),
    ]
    return "| \(cells.joined(separator: " | ")) |\n"
  }

  /// The steps in order, with those of turns and parts in brackets.
  private static func steps(_ pipeline: Pipeline) -> String {
    pipeline.steps.indices.filter {
      pipeline.steps[$0].turnOf == nil && pipeline.steps[$0].partOf == nil
    }.map { index in
      let inner = pipeline.steps.filter { $0.turnOf == index || $0.partOf == index }.map(
        \.id.rawValue)
      return pipeline.steps[index].id.rawValue
        + (inner.isEmpty ? "" : " (\(inner.joined(separator: ", ")))")
    }.joined(separator: ", ")
  }

  /// The lifetimes of outputs, in the words of the file.
  private static func lifetimes(_ pipeline: Pipeline) -> String {
    let all = pipeline.steps.flatMap { step in
      step.outputs.compactMap { output -> String? in
        guard let lifetime = output.lifetime else { return nil }
        let source = lifetime.end.expression.compiled.source
          .trimmingCharacters(in: .whitespacesAndNewlines)
        let word =
          switch lifetime.end {
          case .after: source.replacing(/^duration\(["'](\d+)s["']\)$/) { units($0.output.1) }
          case .at: "as the response says"
          case .url: "as the URL says"
          }
        return "`\(step.id).\(output.name)`: \(word.contains("(") ? "`\(word)`" : word)"
          + (lifetime.slides ? ", from each use" : "")
      }
    }
    return all.isEmpty ? "–" : all.joined(separator: "; ").replacing("|", with: "\\|")
  }

  /// Seconds in the largest unit that divides them.
  private static func units(_ text: Substring) -> String {
    let seconds = Int(text) ?? 0
    for (unit, length) in [("d", 86400), ("h", 3600), ("min", 60)] where seconds % length == 0 {
      return "\(seconds / length) \(unit)"
    }
    return "\(seconds) s"
  }

  private static func resumes(_ pipeline: Pipeline) -> String {
    var found: [String] = []
    for (index, step) in pipeline.steps.enumerated() {
      switch step.action {
      case .repeat(let template):
        found.append(
          template.resync == nil ? "turn by turn" : "inside a file, where the server says")
      case .forEach where pipeline.steps.contains { $0.partOf == index && $0.sendsRange }:
        found.append("inside a file, part by part")
      default: break
      }
    }
    var seen: Set<String> = []
    let kinds = found.filter { seen.insert($0).inserted }
    return kinds.isEmpty ? "file by file" : kinds.joined(separator: "; ")
  }

  /// The servers that a comment of the file names, or the number of cases with scripted responses.
  private static func proof(_ entry: Entry) throws -> String {
    let mark = "# Proven against "
    if let line = entry.text.split(separator: "\n").first(where: { $0.hasPrefix(mark) }) {
      return String(line.dropFirst(mark.count).drop { $0 == " " }).trimmingSuffix(".")
    }
    let test = try String(
      contentsOf: folder.appending(path: entry.name + ".test.yaml"), encoding: .utf8)
    let cases = test.split(separator: "\n").count { $0.hasPrefix("  - name: ") }
    #expect(cases > 0, "\(entry.name).test.yaml")
    return
      "[\(cases) cases](../Pipelines/catalogue/\(entry.name).test.yaml) with scripted responses"
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}

extension Step {
  /// Whether it uploads a range of a file, or writes a body of one.
  fileprivate var sendsRange: Bool {
    switch action {
    case .upload(let upload): upload.range != nil
    case .materialize(let body): body.containsRange
    default: false
    }
  }
}

extension Materialize {
  fileprivate var containsRange: Bool {
    switch source {
    case .file(_, let range): range != nil
    case .concat(let pieces):
      pieces.contains { if case .file(_, _?) = $0 { true } else { false } }
    case .multipart(let parts):
      parts.contains { if case .file(_, _?, _) = $0.content { true } else { false } }
    case .json, .text, .xml: false
    }
  }
}
