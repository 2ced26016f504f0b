/// A value with its range.
struct Located<Value> {
  let value: Value
  let range: TextRange

  init(_ value: Value, at range: TextRange) {
    self.value = value
    self.range = range
  }
}

extension Located: Sendable where Value: Sendable {}
