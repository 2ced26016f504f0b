public import Basics

/// A JSON or YAML text as a tree for validation with a JSON Schema.
public struct SchemaDocument: Sendable {
  /// The file's name, in messages.
  public let file: String
  /// The tree.
  public let root: JSONNode
  /// Problems that do not prevent reading the text, such as duplicate keys.
  public let warnings: [Problem]

  /// An error at a position in a file.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file.
    public let file: String
    /// The position in the file.
    public let position: SourcePosition
    /// The message, in lower case, without a final full stop.
    public let message: String

    /// `file:line:column: message`.
    public var description: String { "\(file):\(position): \(message)" }
  }

  /// Reads a text: as JSON if the file ends in `.json`, otherwise as YAML; throws the first error.
  public init(bytes: [UInt8], file: String) throws(Problem) {
    self.file = file
    if file.lowercased().hasSuffix(".json") {
      do {
        let document = try JSONReader().read(bytes)
        root = document.root
        warnings = document.duplicateKeys.map { duplicate in
          Problem(
            file: file, position: duplicate.range.start,
            message: "duplicate key '\(duplicate.key)', first at \(duplicate.first.start)")
        }
      } catch { throw Problem(file: file, position: error.position, message: error.explanation) }
      return
    }
    let document = YAMLDocument.parse(bytes)
    let problems = document.issues.map { issue in
      (issue.severity, Problem(file: file, position: issue.range.start, message: issue.message))
    }
    if let error = problems.first(where: { $0.0 == .error }) { throw error.1 }
    guard let node = document.root else {
      throw Problem(
        file: file, position: SourcePosition(line: 1, column: 1), message: "the document is empty")
    }
    root = JSONNode(node)
    warnings = problems.map(\.1)
  }
}
