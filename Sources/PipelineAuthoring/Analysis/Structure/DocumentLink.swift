import Basics
public import PipelineDocument
import YAMLSyntax

/// A place that names another document.
public struct DocumentLink: Hashable, Sendable {
  /// Where it is.
  public enum Target: Hashable, Sendable {
    /// A file: its path from the folder of the document, or an absolute path.
    case file(String)
    /// An address on the web.
    case address(String)
  }

  /// The name, without quotes.
  public let range: TextRange
  /// The target.
  public let target: Target
}

extension DocumentAnalysis {
  /// The files that the document names and that exist, and the schema that its first comment names, in text order.
  public var documentLinks: [DocumentLink] {
    var links = index.files.compactMap { link(to: $0.value, at: $0.range) }
    if let schema { links.append(schema) }
    return links.sorted { $0.range.start < $1.range.start }
  }

  private func link(to path: String, at range: TextRange) -> DocumentLink? {
    guard range.start.line == range.end.line, !path.isEmpty,
      files.text(DocumentPath.resolve(path, from: "")) != nil
    else { return nil }
    return DocumentLink(range: range, target: .file(DocumentPath.resolve(path, from: "")))
  }

  /// `# yaml-language-server: $schema=PATH` before the first key.
  private var schema: DocumentLink? {
    let mark = Array("$schema=".unicodeScalars)
    for number in 0..<min(lines.count, 100) {
      let scalars = lines.scalars(number)
      let line = OutlineLine(scalars)
      guard line.isEmpty else { return nil }
      guard let found = scalars.firstRange(of: mark) else { continue }
      let end = scalars[found.upperBound...].firstIndex { $0 == " " || $0 == "\t" }
      let columns = found.upperBound..<(end ?? scalars.count)
      let name = scalars[columns].text
      let range = range(line: number + 1, columns)
      if name.hasPrefix("https://") || name.hasPrefix("http://") {
        return DocumentLink(range: range, target: .address(name))
      }
      return link(to: name, at: range)
    }
    return nil
  }
}
