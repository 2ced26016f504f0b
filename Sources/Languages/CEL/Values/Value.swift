/// A value of the Common Expression Language.
///
/// `==` and `hash(into:)` compare kind and content; the equality of the language, where `1 == 1u == 1.0`, is what
/// expressions evaluate.
public enum Value: Sendable {
  /// The only value of `null_type`.
  case null
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case double(Double)
  /// A sequence of Unicode code points.
  case string(String)
  case bytes([UInt8])
  case list([Value])
  /// A map whose keys are booleans, integers or strings.
  case map(MapValue)
  case timestamp(Timestamp)
  /// A duration, in whole nanoseconds.
  case duration(Swift.Duration)
  case type(TypeName)
  indirect case optional(Value?)
}

/// The name of a type, as returned by `type(x)`.
public struct TypeName: Hashable, Sendable, CustomStringConvertible {
  /// The name, such as `int` or `google.protobuf.Timestamp`.
  public let name: String

  /// A type of this name.
  public init(_ name: String) { self.name = name }
  /// The name itself.
  public var description: String { name }

  static let bool = TypeName("bool")
  static let bytes = TypeName("bytes")
  static let double = TypeName("double")
  static let duration = TypeName("google.protobuf.Duration")
  static let int = TypeName("int")
  static let list = TypeName("list")
  static let map = TypeName("map")
  static let null = TypeName("null_type")
  static let optional = TypeName("optional_type")
  static let string = TypeName("string")
  static let timestamp = TypeName("google.protobuf.Timestamp")
  static let type = TypeName("type")
  static let uint = TypeName("uint")
}

extension Value {
  /// The name of the value's type at run time.
  public var typeName: TypeName {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .string: .string
    case .bytes: .bytes
    case .list: .list
    case .map: .map
    case .timestamp: .timestamp
    case .duration: .duration
    case .type: .type
    case .optional: .optional
    }
  }

  /// Whether this is `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }
  /// The value of a Boolean; otherwise `nil`.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The integer, if this is an `int`, or a `uint` that fits.
  public var intValue: Int64? {
    switch self {
    case .int(let value): value
    case .uint(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The number as a double, if this is an `int`, a `uint` or a `double`.
  public var doubleValue: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The text, if this is a string.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The result of `string(x)`; `nil` for values that it does not accept.
  public var textValue: String? { (try? Library.toString(self))?.stringValue }
  /// The bytes, if this is a `bytes`.
  public var bytesValue: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
  /// The elements, if this is a list.
  public var listValue: [Value]? { if case .list(let value) = self { value } else { nil } }
  /// The value of a map; otherwise `nil`.
  public var mapValue: MapValue? { if case .map(let value) = self { value } else { nil } }

  /// The timestamp, if this is a timestamp.
  public var timestampValue: Timestamp? {
    if case .timestamp(let value) = self { value } else { nil }
  }
}

extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// A `bool`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An `int`.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// A `double`.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A `string`.
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
  /// A map with string keys; for a repeated key the last value is kept.
  public init(dictionaryLiteral elements: (String, Value)...) { self = .map(MapValue(elements)) }
}
