/// A JSON value with its range; numbers keep their text, and objects their order and repeated keys.
public struct JSONNode: Sendable {
  /// The six kinds of JSON value.
  public enum Value: Sendable {
    case null
    case bool(Bool)
    /// A number with its exact text.
    case number(JSONNumber)
    /// A string, without quotes and escapes.
    case string(String)
    case array([JSONNode])
    /// An object: its members in the order of the text.
    case object([Member])
  }

  /// One `key: value` of an object.
  public struct Member: Sendable {
    /// The key, without quotes and escapes.
    public var key: String
    /// The range of the key, including quotes.
    public var keyRange: SourceRange?
    public var value: JSONNode

    /// A member from its parts.
    public init(key: String, keyRange: SourceRange? = nil, value: JSONNode) {
      (self.key, self.keyRange, self.value) = (key, keyRange, value)
    }
  }

  public var value: Value
  /// The range of the value; `nil` for a value without a text.
  public var range: SourceRange?

  /// A node from its parts.
  public init(_ value: Value, range: SourceRange? = nil) {
    (self.value, self.range) = (value, range)
  }

  /// The last value of `key`, if this is an object that has it.
  public subscript(key: String) -> JSONNode? { member(key)?.value }

  /// The last member with `key`, if this is an object that has it.
  public func member(_ key: String) -> Member? {
    guard case .object(let members) = value else { return nil }
    return members.last { $0.key.isByteEqual(to: key) }
  }

  /// The members when this is an object.
  public var members: [Member]? { if case .object(let members) = value { members } else { nil } }
  /// The items when this is an array.
  public var items: [JSONNode]? { if case .array(let items) = value { items } else { nil } }
  /// The text when this is a string.
  public var string: String? { if case .string(let text) = value { text } else { nil } }
  /// The value of a number; otherwise `nil`.
  public var number: JSONNumber? { if case .number(let number) = value { number } else { nil } }
  /// The value of a Boolean; otherwise `nil`.
  public var bool: Bool? { if case .bool(let flag) = value { flag } else { nil } }

  package var nodeCount: Int {
    switch value {
    case .array(let items): items.reduce(1) { $0 + $1.nodeCount }
    case .object(let members): members.reduce(1) { $0 + $1.value.nodeCount }
    default: 1
    }
  }

  /// Whether both are the same JSON value in the sense of JSON Schema (2020-12 core §4.2.2).
  ///
  /// Numbers compare by mathematical value, strings by code point, objects without regard to order.
  public func isEqual(to other: JSONNode) -> Bool {
    switch (value, other.value) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.number(let left), .number(let right)): return left == right
    case (.string(let left), .string(let right)): return left.isByteEqual(to: right)
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
    case (.object(let first), .object(let second)):
      let (left, right) = (Self.effective(first), Self.effective(second))
      guard left.count == right.count else { return false }
      if left.count <= 8 {
        return left.allSatisfy { member in
          other[member.key].map { member.value.isEqual(to: $0) } ?? false
        }
      }
      let index = Dictionary(right.map { (ByteExact($0.key), $0.value) }, uniquingKeysWith: { $1 })
      return left.allSatisfy { member in
        index[ByteExact(member.key)].map { member.value.isEqual(to: $0) } ?? false
      }
    default: return false
    }
  }

  /// The effective members: for a repeated key the last.
  fileprivate static func effective(_ members: [Member]) -> [Member] {
    if members.count <= 8 {
      return members.indices.filter { index in
        !members[(index + 1)...].contains { $0.key.isByteEqual(to: members[index].key) }
      }.map { members[$0] }
    }
    var seen: Set<ByteExact> = []
    return members.reversed().filter { seen.insert(ByteExact($0.key)).inserted }
  }
}

/// A node as a key of a set, compared by ``JSONNode/isEqual(to:)``.
package struct EqualValue: Hashable {
  package let node: JSONNode

  package init(node: JSONNode) { self.node = node }

  package static func == (left: EqualValue, right: EqualValue) -> Bool {
    left.node.isEqual(to: right.node)
  }

  package func hash(into hasher: inout Hasher) { Self.hash(node, into: &hasher) }

  private static func hash(_ node: JSONNode, into hasher: inout Hasher) {
    switch node.value {
    case .null: hasher.combine(0)
    case .bool(let flag): hasher.combine(flag ? 1 : 2)
    case .number(let number): hasher.combine(number)
    case .string(let text): ByteExact(text).hash(into: &hasher)
    case .array(let items):
      hasher.combine(items.count)
      for item in items { hash(item, into: &hasher) }
    case .object(let members):
      // The order of members must not count, so their hashes are added up.
      var sum = 0
      for member in JSONNode.effective(members) {
        var own = Hasher()
        ByteExact(member.key).hash(into: &own)
        hash(member.value, into: &own)
        sum &+= own.finalize()
      }
      hasher.combine(sum)
    }
  }
}
