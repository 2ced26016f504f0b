/// A JSON or YAML text as trees for validation with a JSON Schema.
///
/// A YAML text may have several documents, merge keys as in YAML 1.1, and keys that are numbers, Booleans or null: JSON has
/// their texts.
public struct SchemaDocument: Sendable {
  /// The file's name, in messages.
  public let file: String
  /// The documents of the text, at least one.
  public let roots: [JSONNode]
  /// The first document.
  public var root: JSONNode { roots[0] }
  /// Problems that do not prevent reading the text, such as duplicate keys.
  public let warnings: [Problem]

  /// An error at a position in a file.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
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
        roots = [document.root]
        warnings = document.duplicateKeys.map { duplicate in
          Problem(
            file: file, position: duplicate.range.start,
            message: "duplicate key '\(duplicate.key)', first at \(duplicate.first.start)")
        }
      } catch { throw Problem(file: file, position: error.position, message: error.explanation) }
      return
    }
    let (nodes, issues) = YAMLDocument.parseAll(bytes)
    let problems = issues.filter { ![.mergeKey, .nonStringKey].contains($0.code) }.map { issue in
      (issue.severity, Problem(file: file, position: issue.range.start, message: issue.message))
    }
    if let error = problems.first(where: { $0.0 == .error }) { throw error.1 }
    guard !nodes.isEmpty else {
      throw Problem(
        file: file, position: SourcePosition(line: 1, column: 1), message: "the document is empty")
    }
    var roots: [JSONNode] = []
    for node in nodes { roots.append(try Self.merged(node, file)) }
    self.roots = roots
    warnings = problems.map(\.1)
  }

  /// The JSON value of a node; the members of `<<` are those of its mappings that the mapping itself does not have.
  private static func merged(_ node: YAMLNode, _ file: String) throws(Problem) -> JSONNode {
    let range = node.range
    let node = node.resolved
    if let elements = node.sequence {
      var items: [JSONNode] = []
      for element in elements { items.append(try merged(element, file)) }
      return JSONNode(.array(items), range: range)
    }
    guard let entries = node.mapping else {
      var scalar = JSONNode(node)
      scalar.range = range
      return scalar
    }
    var members: [JSONNode.Member] = []
    var others: [JSONNode.Member] = []
    for entry in entries {
      guard let key = entry.key.resolved.scalar else {
        throw Problem(
          file: file, position: entry.key.range.start,
          message: "a key cannot be a collection in JSON")
      }
      let value = try merged(entry.value, file)
      if key.text == "<<", key.style == .plain {
        for source in value.items ?? [value] {
          guard let members = source.members else {
            throw Problem(
              file: file, position: (source.range ?? entry.value.range).start,
              message: "'<<' merges mappings, expected one or a list of them")
          }
          others += members
        }
      } else {
        members.append(.init(key: key.text, keyRange: entry.key.range, value: value))
      }
    }
    var known = Set(members.map(\.key))
    members += others.filter { known.insert($0.key).inserted }
    return JSONNode(.object(members), range: range)
  }
}
