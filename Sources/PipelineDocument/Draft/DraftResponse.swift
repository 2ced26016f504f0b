package import CEL

/// What a request declares of its answer's body.
package struct DraftResponse {
  /// The type of `response.json` where a field that is not declared is a mistake.
  let closed: ValueType
  /// The type where other fields may be there too, as in the body of an error.
  let open: ValueType
  /// The words that a field can hold, by its path, such as `response.json.state`.
  package let words: [String: [String]]
  /// The schema itself.
  package let schema: Value
}
