/// One root cause why an instance is invalid, with a message for the user.
public struct Finding: Hashable, Sendable {
  /// The message, in lower case, without a final full stop.
  public let message: String
  /// The invalid value.
  public let instancePointer: JSONPointer
  /// The range in the instance's text: of the key if the key is wrong, otherwise of the value.
  public let range: SourceRange?
  /// The keyword that failed, such as `required`; empty when a limit ended the validation.
  public let keyword: String
  /// The absolute URI of the keyword in its schema.
  public let schemaLocation: String
  /// The nearest valid alternative, if there is one.
  public let suggestion: Suggestion?
}

extension Finding: Comparable, CustomStringConvertible {
  /// Orders by position in the text, then by pointer, schema location and message.
  public static func < (left: Finding, right: Finding) -> Bool {
    if left.range != right.range { return precedes(left.range, right.range) }
    return (left.instancePointer.description, left.schemaLocation, left.message)
      < (right.instancePointer.description, right.schemaLocation, right.message)
  }

  /// Position, message and suggestion on one line.
  public var description: String {
    let place = range.map { "\($0.start)" } ?? "#\(instancePointer)"
    return "\(place): \(message)" + (suggestion.map { "; \($0)" } ?? "")
  }
}

/// What is wrong with a value, and whether the search was complete.
public struct ValidationResult: Sendable {
  let schema: Schema
  let instance: JSONNode
  let failure: OutputUnit?
  /// The causes for the user, sorted by position, without duplicates; empty if the instance is valid.
  public let findings: [Finding]

  /// Whether the instance is valid.
  public var isValid: Bool { failure == nil }

  /// One of the output forms of the specification (core §12.4).
  public enum OutputForm: String, CaseIterable, Sendable {
    case flag
    /// A list of all failures, or of all annotations of a valid instance.
    case basic
    /// The same as a tree that follows the schema, without empty nodes.
    case detailed
  }

  /// The result in a form for machines; write it with ``JSONNode/compactText``.
  public func output(_ form: OutputForm) -> JSONNode {
    if form == .flag { return OutputWriter.flag(isValid) }
    let root: OutputUnit
    if let failure {
      root = failure
    } else {
      var evaluator = Evaluator(
        program: schema.program, options: schema.options, mode: .annotations)
      _ = evaluator.run(instance)
      root = evaluator.rootUnit(instance)
    }
    return form == .basic ? OutputWriter.basic(root) : OutputWriter.detailed(root)
  }
}
