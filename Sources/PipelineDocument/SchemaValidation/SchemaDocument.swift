public import Basics
import YAMLSyntax

/// A JSON or YAML text as a tree that a JSON Schema can look at.
public struct SchemaDocument: Sendable {
  /// The file's name, in messages.
  public let file: String
  /// The tree.
  public let root: JSONNode
  /// What is odd about the text and does not keep it from being read, such as repeated keys.
  public let warnings: [Problem]

  /// A place in a file and what is wrong there.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file.
    public let file: String
    /// Line, from 1.
    public let line: Int
    /// Column in Unicode scalars, from 1.
    public let column: Int
    /// What is wrong, lower case, without a final stop.
    public let message: String

    /// `file:line:column: message`.
    public var description: String { "\(file):\(line):\(column): \(message)" }
  }

  /// Reads a text: as JSON where the file's name ends in `.json`, else as YAML.
  ///
  /// - Throws: ``Problem`` with the place of the first thing that cannot be read.
  public init(bytes: [UInt8], file: String) throws(Problem) {
    self.file = file
    if file.lowercased().hasSuffix(".json") {
      do {
        let document = try JSONReader().read(bytes)
        root = document.root
        warnings = document.duplicateKeys.map { duplicate in
          Problem(
            file: file, line: duplicate.range.start.line, column: duplicate.range.start.column,
            message: "duplicate key '\(duplicate.key)', first at \(duplicate.first.start)")
        }
      } catch {
        throw Problem(
          file: file, line: error.position.line, column: error.position.column,
          message: error.explanation)
      }
      return
    }
    let document = YAMLDocument.parse(bytes)
    let problems = document.issues.map { issue in
      (
        issue.severity,
        Problem(
          file: file, line: issue.range.start.line, column: issue.range.start.column,
          message: issue.message)
      )
    }
    if let error = problems.first(where: { $0.0 == .error }) { throw error.1 }
    guard let node = document.root else {
      throw Problem(file: file, line: 1, column: 1, message: "the document is empty")
    }
    root = JSONNode(node)
    warnings = problems.map(\.1)
  }
}
