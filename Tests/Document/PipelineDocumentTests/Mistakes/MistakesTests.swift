import Basics
import Foundation
import PipelineDocument
import Testing

/// Single typical mistakes, in correct files.
struct MistakesTests {
  private static let all =
    Mistake.ofText + Mistake.ofValues + Mistake.ofExpressions + Mistake.ofMeaning

  private static func text(_ file: String) throws -> String {
    try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Files/\(file)"),
      encoding: .utf8)
  }

  private static func findings(_ text: String) -> [Diagnostic] {
    PipelineDocument.load(text: text, file: "a.yaml").diagnostics
  }

  /// The rest of the line from a place.
  private static func rest(of text: String, from place: SourcePosition) -> Substring {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(place.line - 1) else { return "" }
    return lines[place.line - 1].dropFirst(place.column - 1)
  }

  /// The problem with the findings of a mistake; `nil` if it is caught in its place,
  /// with the correction.
  private static func shortfall(_ mistake: Mistake) throws -> String? {
    let original = try text(mistake.file)
    guard original.ranges(of: mistake.right).count == 1 else {
      return "the file does not contain once: \(mistake.right)"
    }
    let edited = original.replacing(mistake.right, with: mistake.wrong)
    let findings = findings(edited)
    let all = findings.map {
      "\($0.range.start.line):\($0.range.start.column) [\($0.code.rawValue)] \($0.message); \($0.help ?? "")"
    }
    .joined(separator: "\n    ")
    guard let found = findings.first(where: { $0.code == mistake.code }) else {
      return "no [\(mistake.code.rawValue)], but:\n    \(all)"
    }
    guard !mistake.place.isEmpty || isNear(found, mistake, original, edited) else {
      return "elsewhere:\n    \(all)"
    }
    let rest = Self.rest(of: edited, from: found.range.start)
    guard rest.hasPrefix(mistake.place) else { return "at '\(rest)':\n    \(all)" }
    let words = ([found.message, found.help ?? ""] + found.fixes.map(\.replacement))
      .joined(separator: "\n")
    return words.contains(mistake.says) ? nil : "does not say '\(mistake.says)':\n    \(all)"
  }

  /// Whether a finding is in the edited lines, or in the mapping that they belong to.
  private static func isNear(
    _ found: Diagnostic, _ mistake: Mistake, _ original: String, _ edited: String
  ) -> Bool {
    guard let range = original.firstRange(of: mistake.right) else { return false }
    let first = original[..<range.lowerBound].count { $0 == "\n" } + 1
    let last = first + mistake.wrong.count { $0 == "\n" }
    // A key that is missing is reported at its mapping, and a step at its ID.
    return (first - 4...last + 1).contains(found.range.start.line)
  }

  @Test(arguments: ["photos.yaml", "film.yaml"])
  func `the files without mistakes have no findings`(_ file: String) throws {
    #expect(Self.findings(try Self.text(file)) == [])
  }

  @Test(arguments: all)
  func `a mistake is reported in its place, with the correction`(_ mistake: Mistake) throws {
    let shortfall = try Self.shortfall(mistake)
    #expect(shortfall == nil, "\(shortfall ?? "")")
  }

  @Test func `there are at least ninety, of many kinds`() {
    #expect(Self.all.count >= 90)
    #expect(Set(Self.all.map(\.code)).count >= 60)
  }
}
