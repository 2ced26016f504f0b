package struct Located<Value> {
  package let value: Value
  package let range: TextRange

  package init(_ value: Value, at range: TextRange) {
    self.value = value
    self.range = range
  }
}

extension Located: Sendable where Value: Sendable {}
