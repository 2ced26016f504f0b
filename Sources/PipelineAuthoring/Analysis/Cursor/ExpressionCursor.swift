import PipelineDocument

struct ExpressionCursor {
  enum Position: Hashable {
    /// None: the word is a name or a function.
    case name
    case member(of: String)
    /// None: the cursor is in a string or a comment, where nothing is completed.
    case text
  }

  let position: Position
  let prefixLength: Int
  let suffixLength: Int
  let isCalled: Bool
  /// Names that macros around the cursor declare.
  let locals: [String]
  /// The innermost call whose parentheses contain the cursor.
  let call: ExpressionNames.Call?
  let isClosed: Bool

  /// Examines the text after `${{`; `cursor` is an index of it.
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
    call = names.openCall
    if names.endsInText {
      position = .text
    } else if let receiver = names.receiver {
      position = .member(of: receiver)
    } else {
      position = .name
    }
  }
}
