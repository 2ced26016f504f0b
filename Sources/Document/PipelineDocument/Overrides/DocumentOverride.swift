/// A value that overrides one in a YAML document.
///
/// The document is changed as text and then checked like any other, so every key of the language
/// can be set, and an invalid value is reported with its position.
///
/// The key is a path of keys of mappings, joined by dots; entries of lists are named by their `id`,
/// their `for_each` variable or their `name`, or by their index from 0. Leading parts may be omitted
/// if the rest is unique: `photo.concurrency`, or only `concurrency` in a file with one loop.
public struct DocumentOverride: Hashable, Sendable {
  /// The path.
  public let key: String
  /// The value as YAML, or as text if it is not valid YAML.
  public let value: String

  /// Why a path is invalid.
  public struct Problem: Error, Hashable, Sendable {
    /// The error: a sentence without a final full stop.
    public let message: String
    /// The likely intention, or the possible choices.
    public let help: String?
  }

  /// A changed text.
  public struct Change: Hashable, Sendable {
    public let text: String
    /// Whether the key is new in the document.
    ///
    /// Only the checker can decide whether the language has it.
    public let isNew: Bool
    /// The key that was most likely meant if the checker rejects this one.
    public let suggestion: String?
  }

  /// Sets the value at `key`.
  public init(key: String, value: String) { (self.key, self.value) = (key, value) }

  /// Parses `KEY=VALUE`; `nil` if there is no `=`, or nothing before it.
  public init?(_ assignment: String) {
    guard let sign = assignment.firstIndex(of: "="), sign > assignment.startIndex
    else { return nil }
    self.init(
      key: String(assignment[..<sign]), value: String(assignment[assignment.index(after: sign)...]))
  }

  /// The text with the value set.
  ///
  /// - Throws: ``Problem`` if the text is not a mapping, or the key is ambiguous.
  public func applied(to text: String) throws(Problem) -> Change {
    guard let root = YAMLDocument.parse(text).root, root.mapping != nil
    else { throw Problem(message: "cannot set '\(key)': the file is not a mapping", help: nil) }
    let tree = OverrideTree(root)
    let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard path.allSatisfy({ !$0.isEmpty }) else {
      throw Problem(
        message: "invalid path '\(key)', expected keys joined by dots",
        help: "for example: budgets.disk")
    }
    var bytes = Array(text.utf8)
    let written = Array(Self.node(value).utf8)
    if let place = try find(path, tree) {
      let range = place.node.range
      // An empty value is right after the colon.
      let blank = range.start.offset == range.end.offset ? Array(" ".utf8) : []
      bytes.replaceSubrange(range.start.offset..<range.end.offset, with: blank + written)
      return Change(text: String(decoding: bytes, as: UTF8.self), isNew: false, suggestion: nil)
    }
    try insert(path, written, tree, &bytes)
    return Change(
      text: String(decoding: bytes, as: UTF8.self), isNew: true,
      suggestion: tree.nearest(to: key, path))
  }

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
        message: "'\(path.joined(separator: "."))' is ambiguous: it matches \(found.count) values",
        help: "use one of " + names.joined(separator: ", "))
    }
    return nil
  }

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
        message: "'\(path.dropLast(rest.count).joined(separator: "."))' is not a mapping",
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

  /// The value for a flow or block mapping: unchanged if it is a YAML node that needs no quotes
  /// anywhere, otherwise quoted.
  private static func node(_ value: String) -> String {
    let special = "{}[],:#&*!|>'\"%@`\n\t"
    let isPlain =
      !value.isEmpty && !value.contains { special.contains($0) }
      && value.first != " " && value.last != " " && !value.hasPrefix("- ") && !value.hasPrefix("? ")
    if isPlain { return value }
    let isWhole = ["[", "{", "\"", "'"].contains { value.hasPrefix($0) }
    let parsed = YAMLDocument.parse(value)
    if isWhole, !value.hasPrefix("${"), parsed.issues.isEmpty, parsed.root != nil { return value }
    // In double quotes, YAML has the escapes of JSON.
    return Value.string(value).jsonText()
  }
}

struct OverrideTree {
  struct ValuePlace {
    package let path: [String]
    package let node: YAMLNode
  }

  /// Keys of loops that can be written by themselves if there is only one loop.
  static let keysOfLoops: Set<String> = ["concurrency", "batch"]
  /// No handwritten pipeline is larger than this.
  private static let limit = 100_000
  package let root: YAMLNode
  private(set) var places: [ValuePlace] = []
  private var loops: [YAMLNode] = []

  init(_ root: YAMLNode) {
    self.root = root
    visit(root, [])
  }

  var onlyLoop: YAMLNode? { loops.count == 1 ? loops[0] : nil }

  package func places(endingWith path: [String]) -> [ValuePlace] {
    var seen: Set<ObjectIdentifier> = []
    return places.filter { place in
      place.path.count >= path.count && place.path.suffix(path.count).elementsEqual(path)
        && seen.insert(ObjectIdentifier(place.node)).inserted
    }
  }

  private mutating func visit(_ node: YAMLNode, _ path: [String]) {
    // A value repeated by an alias is located at its anchor.
    if case .alias = node.content { return }
    guard places.count < Self.limit else { return }
    if let entries = node.mapping {
      if node["for_each"] != nil { loops.append(node) }
      for entry in entries {
        guard let name = entry.name else { continue }
        places.append(ValuePlace(path: path + [name], node: entry.value))
        visit(entry.value, path + [name])
      }
    } else if let elements = node.sequence {
      for (index, element) in elements.enumerated() {
        for name in Self.names(of: element, at: index) {
          places.append(ValuePlace(path: path + [name], node: element))
          visit(element, path + [name])
          // Names of lists in between may be omitted: `photo.upload` is `steps.photo.steps.upload`.
          if let list = path.last, list == "steps", path.count > 1 {
            let short = Array(path.dropLast()) + [name]
            places.append(ValuePlace(path: short, node: element))
            visit(element, short)
          }
        }
      }
    }
  }

  private static func names(of element: YAMLNode, at index: Int) -> [String] {
    for key in ["id", "for_each", "name"] { if let name = element[key]?.string { return [name] } }
    return ["\(index)"]
  }

  package func nearest(to key: String, _ path: [String]) -> String? {
    let paths = places.map { $0.path.joined(separator: ".") }
    if let near = nearestName(to: key, among: paths) { return near }
    guard let last = path.last else { return nil }
    var keys: [String] = []
    for place in places {
      if let name = place.path.last, !keys.contains(name) { keys.append(name) }
    }
    return nearestName(to: last, among: keys)
  }
}
