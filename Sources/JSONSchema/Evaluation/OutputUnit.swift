/// What one schema or one keyword said about one instance value (core §12.2).
struct OutputUnit: Sendable {
  /// What a failure is about, as far as the messages for people need to know.
  enum Cause: Sendable {
    /// A whole schema: its children are its keywords.
    case schema
    /// An applicator: its children say what is wrong.
    case group
    /// `anyOf` or `oneOf` of which no branch matches: its children are the branches.
    case alternatives
    case type(TypeSet, found: JSONNode)
    /// `const` or `enum`: what would have been right.
    case values([JSONNode], found: JSONNode)
    case required(key: String)
    case unknownProperty(String, known: [String])
    case other
  }

  let isValid: Bool
  /// `nil` for a whole schema.
  let keyword: String?
  /// The way through the schema by which the keyword was reached, references included.
  let keywordLocation: String
  let absoluteLocation: String
  let instancePointer: JSONPointer
  /// Where the instance value stands.
  let range: SourceRange?
  /// Where the key of the instance value stands, when it is a member.
  let keyRange: SourceRange?
  var message: String?
  var annotation: JSONNode?
  let cause: Cause
  var children: [OutputUnit]
}
