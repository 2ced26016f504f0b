public import Basics

/// Something wrong with a schema.
public struct SchemaIssue: Hashable, Sendable {
  /// What is wrong, lower-case, without a final stop.
  public let message: String
  /// The URI under which the schema document is known.
  public let documentURI: String
  /// Where in the document it is: a JSON Pointer's text.
  public let pointer: String
  /// Where in the document's text it is, when the document came from a text.
  public let range: SourceRange?
  /// The nearest right thing, when there is one.
  public let suggestion: Suggestion?
}

extension SchemaIssue: Comparable, CustomStringConvertible {
  /// Orders by document, place and message.
  public static func < (left: SchemaIssue, right: SchemaIssue) -> Bool {
    if left.documentURI != right.documentURI { return left.documentURI < right.documentURI }
    if left.range != right.range {
      guard let range = left.range else { return true }
      guard let other = right.range else { return false }
      return range < other
    }
    return (left.pointer, left.message) < (right.pointer, right.message)
  }

  /// Document, place, message and suggestion on one line.
  public var description: String {
    let place = range.map { "\($0.start)" } ?? "#" + pointer
    return "\(documentURI):\(place): \(message)" + (suggestion.map { "; \($0)" } ?? "")
  }
}

/// Why a schema could not be compiled: every issue found, sorted by place.
public struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The issues; never empty.
  public let issues: [SchemaIssue]

  /// The issues, one a line.
  public var description: String { issues.map(\.description).joined(separator: "\n") }
}

/// The nearest right thing to something wrong.
public struct Suggestion: Hashable, Sendable, CustomStringConvertible {
  /// What the suggestion replaces.
  public enum Kind: Hashable, Sendable {
    /// The key of a member.
    case key
    /// The value.
    case value
  }

  /// What it replaces.
  public let kind: Kind
  /// The key, or the value as JSON text.
  public let replacement: String
  /// What to replace, when the instance came from a text.
  public let range: SourceRange?

  /// The question "did you mean" with the replacement.
  public var description: String {
    kind == .key
      ? "did you mean \(JSONNode(.string(replacement)).compactText)?"
      : "did you mean \(replacement)?"
  }
}
