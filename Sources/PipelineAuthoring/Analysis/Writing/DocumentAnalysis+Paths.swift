import Basics
import PipelineDocument
import PipelineScenarios

extension DocumentAnalysis {
  /// Files and folders for a key that names a file; those of one folder at a time.
  func paths(
    _ context: CursorContext, _ place: CursorPlace, _ position: SourcePosition
  ) -> [Completion] {
    guard let owner = place.owner, DocumentIndex.namesFile(owner.construct, owner.key),
      place.shapes.contains(where: { if case .text = $0 { true } else { false } })
    else { return [] }
    let scalars = lines.scalars(position.line - 1)
    let word = wordRange(at: position)
    let cursor = min(max(position.column - 1, word.lowerBound), word.upperBound)
    let slash = scalars[word.lowerBound..<cursor].lastIndex(of: "/")
    let start = slash.map { $0 + 1 } ?? word.lowerBound
    let folder = scalars[word.lowerBound..<start].text
    let end = scalars[cursor..<word.upperBound].firstIndex(of: "/") ?? word.upperBound
    let range = range(line: position.line, start..<end)
    return entries(of: folder, hidden: start < scalars.count && scalars[start] == ".")
      .map { entry in
        let isFolder = entry.hasSuffix("/")
        return Completion(
          label: entry, kind: isFolder ? .folder : .file, detail: nil, documentation: nil,
          range: range, text: entry, snippet: nil, sortText: "\(isFolder ? 1 : 0)\(entry)")
      }
  }

  private func entries(of folder: String, hidden: Bool) -> [String] {
    let own = DocumentPath.lastName(of: file)
    return files.entries(of: DocumentPath.resolve(folder, from: "")).sorted().filter { entry in
      if entry.hasPrefix("."), !hidden { return false }
      if entry.hasSuffix("/") { return true }
      if folder.isEmpty, entry == own { return false }
      // Neither tests nor scenarios can be named.
      return (entry.hasSuffix(".yaml") || entry.hasSuffix(".yml")) && !TestDocument.isNamed(entry)
        && !entry.hasSuffix(".scenario.yaml") && !entry.hasSuffix(".scenario.yml")
    }
  }
}
