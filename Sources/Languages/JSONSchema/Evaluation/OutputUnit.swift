/// The result of one schema or one keyword for one instance value (core §12.2).
struct OutputUnit: Sendable {
  enum Cause: Sendable {
    /// A whole schema: its children are its keywords.
    case schema
    /// An applicator: its children have the reasons.
    case group
    /// `anyOf` or `oneOf` of which no branch matches: its children are the branches.
    case alternatives
    case type(TypeSet, found: JSONNode)
    /// `const` or `enum`: the valid values.
    case values([JSONNode], found: JSONNode)
    case required(key: String)
    case unknownProperty(String, known: [String])
    case other
  }

  let isValid: Bool
  /// `nil` for a whole schema.
  let keyword: String?
  /// The path through the schema to the keyword, including references.
  let keywordLocation: String
  let absoluteLocation: String
  let instancePointer: JSONPointer
  let range: SourceRange?
  /// The range of the instance value's key, if it is a member.
  let keyRange: SourceRange?
  var message: String?
  let annotation: JSONNode?
  var cause: Cause
  var children: [OutputUnit]

  func replacing(message: String?, cause: Cause, children: [OutputUnit] = []) -> OutputUnit {
    var unit = self
    (unit.message, unit.cause, unit.children) = (message, cause, children)
    return unit
  }
}
