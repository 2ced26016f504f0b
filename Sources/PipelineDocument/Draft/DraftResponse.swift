package import CEL

package struct DraftResponse: Sendable {
  /// The type of `response.json` where an undeclared field is a mistake.
  let closed: ValueType
  /// The type where other fields may be present too, as in the body of an error.
  let open: ValueType
  /// The words that a field can contain, by its path, such as `response.json.state`.
  package let words: [String: [String]]
  package let schema: Value
}
