/// The static type of an expression or a variable.
public indirect enum ValueType: Hashable, Sendable {
  /// Any value; its operations are checked only at evaluation.
  case dyn
  case null
  case bool, int, uint, double, string, bytes, timestamp, duration
  case list(ValueType)
  case map(ValueType, ValueType)
  /// Types as values; the parameter is the type that the value names.
  case type(ValueType)
  case optional(ValueType)
  case nullable(ValueType)
  case object(ObjectType)
  /// An opaque type, known by its name and its parameters.
  case opaque(String, [ValueType])
  case parameter(String)
}

/// A type with declared fields; its values are maps with string keys.
public struct ObjectType: Hashable, Sendable {
  /// A field and the type of its values.
  public struct Field: Hashable, Sendable {
    /// The name used in expressions.
    public let name: String
    /// The type of the field's value.
    public let type: ValueType

    /// A field.
    public init(_ name: String, _ type: ValueType) { (self.name, self.type) = (name, type) }
  }

  /// The name, for messages.
  public let name: String
  /// The fields, in the order of their declaration.
  public let fields: [Field]
  /// Whether other fields may be selected too, with the type `dyn`.
  public let isOpen: Bool

  /// An object type.
  public init(name: String, fields: [Field], isOpen: Bool = false) {
    (self.name, self.fields, self.isOpen) = (name, fields, isOpen)
  }

  /// An object type of fields by name, in the order of the literal.
  public init(name: String, fields: KeyValuePairs<String, ValueType>, isOpen: Bool = false) {
    self.init(name: name, fields: fields.map { Field($0.key, $0.value) }, isOpen: isOpen)
  }

  /// The type of the field `name`; `dyn` for an unknown field of an open type.
  public func type(ofField name: String) -> ValueType? {
    fields.first { $0.name == name }?.type ?? (isOpen ? .dyn : nil)
  }
}

extension ValueType: CustomStringConvertible {
  /// The name in messages, such as `map(string, int)`.
  public var description: String {
    switch self {
    case .dyn: "dyn"
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .list(let element): "list(\(element))"
    case .map(let key, let value): "map(\(key), \(value))"
    case .type(let type): "type(\(type))"
    case .optional(let type): "optional(\(type))"
    case .nullable(let type): "\(type)?"
    case .object(let type): type.name
    case .opaque(let name, let parameters):
      parameters.isEmpty
        ? name : "\(name)(\(parameters.map(\.description).joined(separator: ", ")))"
    case .parameter(let name): name
    }
  }
}

extension ValueType {
  /// Whether a value of this type is accepted where `target` is expected.
  ///
  /// `dyn` is assignable in both directions, also within lists and maps, because the kind is checked
  /// again at run time; `null` is assignable to nullable, optional, object, timestamp and duration types.
  public func isAssignable(to target: ValueType) -> Bool {
    var substitution = Substitution()
    return substitution.isAssignable(self, to: target)
  }

  /// The static type of a value; members that differ make the member type `dyn`.
  public init(of value: Value) {
    switch value {
    case .null: self = .null
    case .bool: self = .bool
    case .int: self = .int
    case .uint: self = .uint
    case .double: self = .double
    case .string: self = .string
    case .bytes: self = .bytes
    case .timestamp: self = .timestamp
    case .duration: self = .duration
    case .list(let elements): self = .list(Self.common(elements.lazy.map(ValueType.init(of:))))
    case .map(let map):
      self = .map(
        Self.common(map.entries.lazy.map { ValueType(of: $0.key) }),
        Self.common(map.entries.lazy.map { ValueType(of: $0.value) }))
    case .type: self = .type(.dyn)
    case .optional(let wrapped): self = .optional(wrapped.map(ValueType.init(of:)) ?? .dyn)
    }
  }

  private static func common(_ types: some Sequence<ValueType>) -> ValueType {
    var result: ValueType?
    for type in types {
      if let result, result != type { return .dyn }
      result = type
    }
    return result ?? .dyn
  }

  var components: [ValueType] {
    switch self {
    case .list(let type), .type(let type), .optional(let type), .nullable(let type): [type]
    case .map(let key, let value): [key, value]
    case .opaque(_, let parameters): parameters
    default: []
    }
  }

  /// Whether a value of the type is certainly not accepted where this one is expected.
  func excludes(_ type: ValueType) -> Bool {
    guard let own = shape, let other = type.shape else { return false }
    return own != other
  }

  /// A key for types that are only assignable to themselves; `nil` for all others.
  private var shape: Int? {
    switch self {
    case .bool: 0
    case .int: 1
    case .uint: 2
    case .double: 3
    case .string: 4
    case .bytes: 5
    case .timestamp: 6
    case .duration: 7
    case .list: 8
    case .dyn, .null, .map, .type, .optional, .nullable, .object, .opaque, .parameter: nil
    }
  }

  var hasParameter: Bool {
    if case .parameter = self { true } else { components.contains(where: \.hasParameter) }
  }

  func mapComponents(_ transform: (ValueType) -> ValueType) -> ValueType {
    switch self {
    case .list(let type): .list(transform(type))
    case .type(let type): .type(transform(type))
    case .optional(let type): .optional(transform(type))
    case .nullable(let type): .nullable(transform(type))
    case .map(let key, let value): .map(transform(key), transform(value))
    case .opaque(let name, let parameters): .opaque(name, parameters.map(transform))
    default: self
    }
  }

  func admits(_ value: Value) -> Bool {
    switch (self, value) {
    case (.dyn, _), (.parameter, _): true
    case (.null, .null), (.bool, .bool), (.int, .int), (.uint, .uint), (.double, .double): true
    case (.string, .string), (.bytes, .bytes), (.timestamp, .timestamp): true
    case (.duration, .duration), (.list, .list), (.map, .map), (.object, .map): true
    case (.type, .type), (.optional, .optional), (.nullable, .null): true
    case (.nullable(let type), _): type.admits(value)
    case (.opaque, _): true
    default: false
    }
  }
}
