import Basics

/// A JSON value (RFC 8259) in a message.
public enum JSONValue: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number without a fraction.
  case int(Int)
  /// Any other number.
  case double(Double)
  /// Text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Members by name.
  case object([String: JSONValue])

  /// The value of a member; `nil` if there is none or this is not an object.
  public subscript(_ name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The value of a member of a member, and so on.
  public subscript(_ first: String, _ rest: String...) -> JSONValue? {
    rest.reduce(self[first]) { $0?[$1] }
  }

  /// The text, if it is a string.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The number, if it is an integer.
  public var int: Int? { if case .int(let number) = self { number } else { nil } }

  /// The Boolean, if it is one.
  public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// The elements, if it is a list.
  public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The members, if it is an object.
  public var object: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }
}

extension JSONValue {
  /// The value of a tree; `nil` where a number is beyond the doubles.
  init?(_ node: JSONNode) {
    switch node.value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .string(let text): self = .string(text)
    case .number(let number):
      if let integer = number.integer {
        self = .int(integer)
      } else {
        guard let double = Double(number.text), double.isFinite else { return nil }
        self = .double(double)
      }
    case .array(let items):
      let elements = items.compactMap { JSONValue($0) }
      guard elements.count == items.count else { return nil }
      self = .array(elements)
    case .object(let nodes):
      var members: [String: JSONValue] = [:]
      for node in nodes {
        guard let value = JSONValue(node.value) else { return nil }
        members[node.key] = value
      }
      self = .object(members)
    }
  }

  /// Writes the value, members in the order of their names.
  func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let flag): writer.bool(nil, flag)
    case .int(let number): writer.int(nil, number)
    case .double(let number): writer.double(nil, number)
    case .string(let text): writer.string(nil, text)
    case .array(let elements): writer.array { for element in elements { element.write(to: &$0) } }
    case .object(let members):
      writer.object {
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
          $0.key(name)
          value.write(to: &$0)
        }
      }
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A list.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object; of two members with one name the last is kept.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { $1 })
  }
  /// The value `null`.
  public init(nilLiteral: ()) { self = .null }
}
