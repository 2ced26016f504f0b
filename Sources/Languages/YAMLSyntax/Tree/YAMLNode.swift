/// A node of a YAML document with its range, shared and immutable; an alias refers to its target.
public final class YAMLNode: Sendable {
  /// A scalar, a sequence or a mapping, after aliases are resolved.
  public enum Content: Sendable {
    case scalar(YAMLScalar)
    /// A list, `- a` or `[a]`.
    case sequence([YAMLNode])
    /// A mapping with its entries in order, including duplicates.
    case mapping([YAMLEntry])
    /// An alias; its target is nil if there is none, or if it contains the alias.
    case alias(name: String, target: YAMLNode?)
  }

  /// Its children.
  public let content: Content
  /// Its range, from its first character, including an anchor or a tag, to its last that is not blank.
  public let range: SourceRange
  /// The name after `&`, or nil.
  public let anchor: String?
  /// The full tag of a collection or scalar, handles replaced, or nil.
  public let tag: String?
  /// The number of nodes from here down, counting each alias as a copy.
  public let expandedNodeCount: Int
  /// Whether it is a collection written `[…]` or `{…}`.
  public let isFlow: Bool
  /// The nesting from here down, aliases followed: 1 for a scalar.
  public let height: Int
  /// The scalar's value under the core schema, computed once.
  private let value: CoreValue?

  init(
    _ content: Content, range: SourceRange, anchor: String? = nil, tag: String? = nil,
    isFlow: Bool = false, expandedNodeCount: Int = 1, height: Int = 1
  ) {
    (self.content, self.range, self.anchor, self.tag) = (content, range, anchor, tag)
    (self.isFlow, self.expandedNodeCount, self.height) = (isFlow, expandedNodeCount, height)
    value = if case .scalar(let scalar) = content { scalar.value } else { nil }
  }
}

/// A key with its value.
public struct YAMLEntry: Sendable {
  /// The key; any node in YAML, but anything other than a string is reported.
  public let key: YAMLNode
  public let value: YAMLNode

  /// Makes an entry of a key and a value.
  public init(key: YAMLNode, value: YAMLNode) { (self.key, self.value) = (key, value) }

  /// The key as a string, or nil if it is not one under the core schema.
  public var name: String? { key.string }

  /// From the start of the key to the end of the value.
  public var range: SourceRange {
    SourceRange(start: key.range.start, end: max(key.range.end, value.range.end))
  }
}

extension YAMLNode {
  /// The node that this one refers to: the end of its aliases, or itself.
  public var resolved: YAMLNode {
    var node = self
    while case .alias(_, let target?) = node.content { node = target }
    return node
  }

  /// The scalar, aliases followed; nil for a collection.
  public var scalar: YAMLScalar? {
    if case .scalar(let scalar) = resolved.content { scalar } else { nil }
  }

  /// The scalar's value under the core schema, aliases followed; nil for a collection.
  public var scalarValue: CoreValue? { resolved.value }
  /// The value if it is a string under the core schema, aliases followed.
  public var string: String? { if case .string(let text) = scalarValue { text } else { nil } }

  /// The elements of a list, aliases followed; nil for anything else.
  public var sequence: [YAMLNode]? {
    if case .sequence(let elements) = resolved.content { elements } else { nil }
  }

  /// The entries of a mapping, aliases followed; nil for anything else.
  public var mapping: [YAMLEntry]? {
    if case .mapping(let entries) = resolved.content { entries } else { nil }
  }

  /// The value of the first entry whose key is the string `key`; nil if the node is not a mapping.
  public subscript(_ key: String) -> YAMLNode? { entry(key)?.value }

  /// The first entry whose key is the string `key`.
  public func entry(_ key: String) -> YAMLEntry? {
    guard case .mapping(let entries) = resolved.content,
      let index = entries.firstIndex(where: { $0.key.isString(key) })
    else { return nil }
    return entries[index]
  }

  func isString(_ text: String) -> Bool {
    switch value {
    // Most texts differ in length, which is cheaper to check than equality.
    case .string(let own)?: own.utf8.count == text.utf8.count && own == text
    case nil: string == text
    default: false
    }
  }
}
