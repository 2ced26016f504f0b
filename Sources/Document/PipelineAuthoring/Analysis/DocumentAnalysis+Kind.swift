import PipelineDocument
import PipelineScenarios

/// Which texts are in the language of pipelines: an editor may give a server every YAML file.
extension DocumentAnalysis {
  /// Whether the name of the file, a key or the schema says that the text is a pipeline, a test, a scenario, or definitions.
  var isOurs: Bool { hasOwnName || lines.topLines.contains { Self.isSign($0) } }

  /// Whether the text is in another language: nothing says that it is in ours, and it has keys that ours does not have.
  ///
  /// - Parameter line: A line, from 1, on which a key may be half typed.
  func isForeign(except line: Int? = nil) -> Bool {
    guard !isOurs else { return false }
    let known = Set(
      [Construct.pipeline, .definitions, .test, .scenario]
        .flatMap { $0.keys.map(\.name) })
    let typed = line.map { lines.topLine($0 - 1) } ?? nil
    return lines.topLines.contains { line in
      line != typed
        && OutlineLine(Array(line.unicodeScalars)).key.map { !known.contains($0) } ?? false
    }
  }

  private var hasOwnName: Bool {
    TestDocument.isNamed(file) || ScenarioDocument.isNamed(file)
      || file.hasSuffix(".pipeline.yaml") || file.hasSuffix(".pipeline.yml")
      || file.hasPrefix("Pipelines/") || file.contains("/Pipelines/")
  }

  private static let marks = ["pipeline", "test", "scenario", "definitions"]

  /// Whether a line that is not indented says what kind of document it is in.
  ///
  /// Other languages have such keys too, but with a mapping below them, and not with a name beside them.
  private static func isSign(_ line: Substring) -> Bool {
    if line.first == "#" {
      guard let schema = line.firstRange(of: "$schema=") else { return false }
      let name = DocumentPath.lastName(of: String(line[schema.upperBound...].prefix { $0 != " " }))
      return ["pipeline", "pipeline-test", "scenario"].contains {
        name.hasPrefix($0 + ".schema.json")
      }
    }
    if line.first == "{" {
      return marks.contains { line.contains("\($0):") || line.contains("\"\($0)\":") }
    }
    let outline = OutlineLine(Array(line.unicodeScalars))
    guard let key = outline.key, !outline.value.isEmpty else { return false }
    // A misspelled one is to be found. `test` is too short: other words are near it.
    return marks.contains(key) || nearestName(to: key, among: marks.filter { $0 != "test" }) != nil
  }
}

extension LineTable {
  var topLines: some Sequence<Substring> { (0..<count).lazy.compactMap(topLine) }

  func topLine(_ line: Int) -> Substring? {
    let range = byteRange(line)
    guard let first = bytes[range].first, ![0x20, 0x09, 0x2D].contains(first) else { return nil }
    return Substring(String(decoding: bytes[range], as: UTF8.self))
  }
}
