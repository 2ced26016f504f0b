import YAMLSyntax

/// One value of a YAML document, put in the place of what the file says.
///
/// The document is changed as text and checked afterwards like any other, so that every key of the
/// language can be set and a wrong value is a finding with a place.
///
/// The key is a path: keys of mappings, and in lists the `id`, the `for_each` variable or the `name`
/// of an entry, or its index from 0, joined by points. It may be cut off at the front where what is
/// left occurs once: `photo.concurrency`, or `concurrency` alone in a file with one loop.
public struct DocumentOverride: Hashable, Sendable {
  /// The path.
  public let key: String
  /// The value as YAML, or a text where it is none.
  public let value: String

  /// Why a path leads nowhere.
  public struct Problem: Error, Hashable, Sendable {
    /// What is wrong: a sentence without a final stop.
    public let message: String
    /// What was most likely meant, or what can be chosen from.
    public let help: String?
  }

  /// A changed text.
  public struct Change: Hashable, Sendable {
    /// The text.
    public let text: String
    /// Whether the key stood nowhere: whether the language knows it, only the checker says.
    public let isNew: Bool
    /// The key that was most likely meant, should the checker not know it.
    public let suggestion: String?
  }

  /// Sets the value at `key`.
  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }

  /// Reads `KEY=VALUE`; `nil` where there is no `=`, or nothing before it.
  public init?(_ assignment: String) {
    guard let sign = assignment.firstIndex(of: "="), sign > assignment.startIndex else {
      return nil
    }
    self.init(
      key: String(assignment[..<sign]), value: String(assignment[assignment.index(after: sign)...]))
  }

  /// The text with the value in its place.
  ///
  /// - Throws: ``Problem`` where the text is no mapping, or the key stands in several places.
  public func applied(to text: String) throws(Problem) -> Change {
    guard let root = YAMLDocument.parse(text).root, root.mapping != nil else {
      throw Problem(message: "'\(key)' cannot be set in a file that is no mapping", help: nil)
    }
    let tree = OverrideTree(root)
    let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard path.allSatisfy({ !$0.isEmpty }) else {
      throw Problem(message: "'\(key)' is no path of keys", help: "write it like budgets.disk")
    }
    var bytes = Array(text.utf8)
    let written = Array(Self.node(value).utf8)
    if let place = try find(path, tree) {
      let range = place.node.range
      // A value that is left out has its place right behind the colon.
      let blank = range.start.offset == range.end.offset ? Array(" ".utf8) : []
      bytes.replaceSubrange(range.start.offset..<range.end.offset, with: blank + written)
      return Change(
        text: String(decoding: bytes, as: UTF8.self), isNew: false, suggestion: nil)
    }
    try insert(path, written, tree, &bytes)
    return Change(
      text: String(decoding: bytes, as: UTF8.self), isNew: true,
      suggestion: tree.nearest(to: key, path))
  }

  /// The one place that a path names; `nil` where there is none.
  private func find(
    _ path: [String], _ tree: OverrideTree
  ) throws(Problem) -> OverrideTree.ValuePlace? {
    let found = tree.places(endingWith: path)
    if let exact = found.first(where: { $0.path == path }) ?? (found.count == 1 ? found[0] : nil) {
      return exact
    }
    guard found.isEmpty else {
      let names = found.prefix(8).map { "'\($0.path.joined(separator: "."))'" }
      throw Problem(
        message: "'\(path.joined(separator: "."))' stands in \(found.count) places",
        help: "write one of " + names.joined(separator: ", "))
    }
    return nil
  }

  /// Adds the entry to the mapping that its path leads to.
  private func insert(
    _ path: [String], _ value: [UInt8], _ tree: OverrideTree, _ bytes: inout [UInt8]
  ) throws(Problem) {
    var parent = tree.root
    var rest = path
    if path.count == 1, let loop = tree.onlyLoop, OverrideTree.keysOfLoops.contains(path[0]) {
      parent = loop
    } else {
      for count in stride(from: path.count - 1, to: 0, by: -1) {
        guard let place = try find(Array(path.prefix(count)), tree) else { continue }
        (parent, rest) = (place.node, Array(path.dropFirst(count)))
        break
      }
    }
    guard let entries = parent.mapping else {
      throw Problem(
        message: "'\(path.dropLast(rest.count).joined(separator: "."))' has no keys",
        help: tree.nearest(to: key, path).map { "did you mean '\($0)'?" })
    }
    var entry = Array("\(rest[0]): ".utf8)
    for name in rest.dropFirst() { entry += Array("{ \(name): ".utf8) }
    entry += value
    for _ in rest.dropFirst() { entry += Array(" }".utf8) }
    let start = parent.range.start
    let isFlow = bytes.indices.contains(start.offset) && bytes[start.offset] == UInt8(ascii: "{")
    guard let first = entries.first else {
      bytes.replaceSubrange(
        start.offset..<parent.range.end.offset, with: Array("{ ".utf8) + entry + Array(" }".utf8))
      return
    }
    let place = first.key.range.start
    let gap =
      isFlow
      ? Array(", ".utf8)
      : Array("\n".utf8) + [UInt8](repeating: UInt8(ascii: " "), count: place.column - 1)
    bytes.insert(contentsOf: entry + gap, at: place.offset)
  }

  /// The value as it can stand in a flow or block mapping: as it is where it is a YAML node that needs
  /// no quotes anywhere, otherwise as a text in quotes.
  private static func node(_ value: String) -> String {
    let special = "{}[],:#&*!|>'\"%@`\n\t"
    let isPlain =
      !value.isEmpty && !value.contains { special.contains($0) }
      && value.first != " " && value.last != " " && !value.hasPrefix("- ") && !value.hasPrefix("? ")
    if isPlain { return value }
    let isWhole = ["[", "{", "\"", "'"].contains { value.hasPrefix($0) }
    let parsed = YAMLDocument.parse(value)
    if isWhole, !value.hasPrefix("${"), parsed.issues.isEmpty, parsed.root != nil { return value }
    var quoted = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
