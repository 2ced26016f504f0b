import PipelineDocument
import PipelineScenarios

/// Where in an expression a cursor stands.
struct ExpressionCursor {
  /// What the word at the cursor is a member of.
  enum Position: Hashable {
    /// Of nothing: a name or a function stands here.
    case name
    /// Of what an expression gives.
    case member(of: String)
    /// In a text between quotes or a comment, where nothing is completed.
    case text
  }

  let position: Position
  /// Number of characters of the word that stand before the cursor.
  let prefixLength: Int
  /// Number of characters of the word that stand after it.
  let suffixLength: Int
  /// Whether an opening parenthesis follows the word.
  let isCalled: Bool
  /// Names that macros around the cursor declare.
  let locals: [String]
  /// Whether `}}` follows.
  let isClosed: Bool

  /// Looks at the text after `${{`; `cursor` is an index of it.
  init(_ scalars: [Unicode.Scalar], cursor: Int, isClosed: Bool = true) {
    self.isClosed = isClosed
    let cursor = min(max(cursor, 0), scalars.count)
    var start = cursor
    while start > 0, scalars[start - 1].isIdentifierPart { start -= 1 }
    var end = cursor
    while end < scalars.count, scalars[end].isIdentifierPart { end += 1 }
    prefixLength = cursor - start
    suffixLength = end - cursor
    isCalled = end < scalars.count && scalars[end] == "("
    let names = ExpressionNames(scalars[..<start].map { $0 })
    locals = names.openLocals
    if names.endsInText {
      position = .text
    } else if let receiver = names.receiver {
      position = .member(of: receiver)
    } else {
      position = .name
    }
  }
}
