/// A member of an object that a command prints as JSON, with its description in the schema;
/// without a value it is absent, never `null`.
@propertyWrapper package struct Member<Value: Described>: Encodable {
  package var wrappedValue: Value
  private let summary: String
  private let shape: OutputShape

  /// - Parameters:
  ///   - summary: A sentence: its meaning and its unit.
  ///   - shape: The properties that the value's type does not determine.
  package init(wrappedValue: Value, _ summary: String, as shape: OutputShape? = nil) {
    (self.wrappedValue, self.summary) = (wrappedValue, summary)
    self.shape = shape ?? Value.shape
  }

  /// A member that may be absent.
  package init(_ summary: String, as shape: OutputShape? = nil)
  where Value: ExpressibleByNilLiteral { self.init(wrappedValue: nil, summary, as: shape) }

  package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension Member: DescribedMember {
  func named(_ name: String) -> OutputMember {
    Value.isRequired ? .always(name, shape, summary) : .maybe(name, shape, summary)
  }
}

private protocol DescribedMember { func named(_ name: String) -> OutputMember }

extension KeyedEncodingContainer {
  /// Leaves out a member without a value; the compiler chooses this for members whose values are optional.
  package mutating func encode<Value>(_ member: Member<Value?>, forKey key: Key) throws {
    try encodeIfPresent(member.wrappedValue, forKey: key)
  }
}

/// The type of a member's value.
package protocol Described: Encodable {
  static var shape: OutputShape { get }
  static var isRequired: Bool { get }
}

extension Described { package static var isRequired: Bool { true } }
extension String: Described { package static var shape: OutputShape { .text } }
extension Bool: Described { package static var shape: OutputShape { .flag } }
extension Int: Described { package static var shape: OutputShape { .count } }
extension Int64: Described { package static var shape: OutputShape { .count } }
extension Double: Described { package static var shape: OutputShape { .amount } }

extension Optional: Described where Wrapped: Described {
  package static var shape: OutputShape { Wrapped.shape }
  package static var isRequired: Bool { false }
}

extension Array: Described where Element: Described {
  package static var shape: OutputShape { .list(Element.shape) }
}

extension Dictionary: Described where Key == String, Value: Described {
  package static var shape: OutputShape { .map(Value.shape) }
}

/// An object that a command prints: its members define both the output and the schema.
package protocol Form: Described { init() }

extension Form {
  /// A form with the members that `fill` sets.
  package init(_ fill: (inout Self) throws -> Void) rethrows {
    self.init()
    try fill(&self)
  }

  /// The schema's declarations, in the order of the properties.
  package static var members: [OutputMember] {
    Mirror(reflecting: Self()).children.compactMap { label, value in
      // The wrapper of `name` is stored as `_name`.
      (value as? any DescribedMember)?.named(String((label ?? "").dropFirst()))
    }
  }

  package static var shape: OutputShape { .object(members) }
}
