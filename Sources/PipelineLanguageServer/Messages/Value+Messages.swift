package import CEL

extension Value {
  /// The value of a member of a member, and so on.
  package subscript(_ names: String...) -> Value? {
    names.reduce(self) { value, name in value?.mapValue?[name] }
  }

  /// The number, if it is whole: some clients write `1.0`.
  package var int: Int? {
    intValue.flatMap { Int(exactly: $0) } ?? doubleValue.flatMap { Int(exactly: $0) }
  }

  package init(_ number: Int) { self = .int(Int64(number)) }
}
