/// An error in a schema.
public struct SchemaIssue: Hashable, Sendable {
  /// The message, in lower case, without a final full stop.
  public let message: String
  /// The URI under which the schema document is known.
  public let documentURI: String
  /// The location in the document, as a JSON Pointer.
  public let pointer: String
  /// The range in the document's text, if it came from a text.
  public let range: SourceRange?
  /// The nearest valid alternative, if there is one.
  public let suggestion: Suggestion?
}

extension SchemaIssue: Comparable, CustomStringConvertible {
  /// Orders by document, location and message.
  public static func < (left: SchemaIssue, right: SchemaIssue) -> Bool {
    if left.documentURI != right.documentURI { return left.documentURI < right.documentURI }
    if left.range != right.range { return precedes(left.range, right.range) }
    return (left.pointer, left.message) < (right.pointer, right.message)
  }

  /// Document, location, message and suggestion on one line.
  public var description: String {
    let place = range.map { "\($0.start)" } ?? "#" + pointer
    return "\(documentURI):\(place): \(message)" + (suggestion.map { "; \($0)" } ?? "")
  }
}

/// Whether a range comes before another; none comes first.
func precedes(_ first: SourceRange?, _ second: SourceRange?) -> Bool {
  guard let first, let second else { return first == nil && second != nil }
  return first < second
}

/// Why a schema could not be compiled: every issue found, sorted by location.
public struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The issues; never empty.
  public let issues: [SchemaIssue]

  /// The issues, one a line.
  public var description: String { issues.map(\.description).joined(separator: "\n") }
}

/// The nearest valid alternative to something wrong.
public struct Suggestion: Hashable, Sendable, CustomStringConvertible {
  /// The text that the suggestion replaces.
  public enum Kind: Hashable, Sendable {
    case key
    case value
  }

  /// The text that it replaces.
  public let kind: Kind
  /// The key, or the value as JSON text.
  public let replacement: String
  /// The range to replace, if the instance came from a text.
  public let range: SourceRange?

  /// The question "did you mean" with the replacement.
  public var description: String {
    kind == .key
      ? "did you mean \(JSONNode(.string(replacement)).compactText)?"
      : "did you mean \(replacement)?"
  }
}
