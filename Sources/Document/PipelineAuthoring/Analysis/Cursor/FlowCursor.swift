/// The position of a cursor inside `{ … }` and `[ … ]`; tolerates anything that is not closed.
struct FlowCursor {
  /// The open brackets around the cursor, from the outside in.
  private(set) var frames: [Frame] = []
  private(set) var wordStart = 0
  private(set) var isQuoted = false
  /// The keys of the innermost mapping, also those after the cursor.
  private(set) var siblings: Set<String> = []

  struct Frame {
    let isMapping: Bool
    var key: String?
    var elementStart: Int
    var keys: Set<String> = []
  }

  /// Scans `scalars`, which start with the outermost bracket; `cursor` is an index of them.
  init(_ scalars: [Unicode.Scalar], cursor: Int) {
    var scanner = Scanner(scalars: scalars)
    scanner.advance(to: cursor)
    frames = scanner.frames
    wordStart = scanner.wordStart
    isQuoted = scanner.quote != nil
    guard let depth = scanner.frames.indices.last else { return }
    siblings = scanner.frames[depth].keys
    // The mapping's keys are complete when it closes, or at the end of the text.
    while scanner.index < scalars.count, scanner.frames.count > depth {
      if scanner.frames.count == depth + 1, scanner.isClosing { break }
      scanner.advance(to: scanner.index + 1)
    }
    if scanner.frames.count > depth { siblings = scanner.frames[depth].keys }
    guard frames[depth].key == nil else { return }
    siblings.remove(scalars[min(wordStart, scalars.count)...].prefix { $0.isWordPart }.text)
  }

  private struct Scanner {
    let scalars: [Unicode.Scalar]
    var index = 0
    var frames: [Frame] = []
    var wordStart = 0
    var wordEnd = 0
    var quote: Unicode.Scalar?

    var isClosing: Bool {
      quote == nil && index < scalars.count && (scalars[index] == "}" || scalars[index] == "]")
    }

    mutating func advance(to end: Int) {
      while index < min(end, scalars.count) {
        let scalar = scalars[index]
        if let open = quote { step(inQuotes: open, scalar) } else { step(scalar) }
        index += 1
      }
    }

    private mutating func step(inQuotes open: Unicode.Scalar, _ scalar: Unicode.Scalar) {
      if scalar == "\\", open == "\"" { index += 1 } else if scalar == open { quote = nil }
      wordEnd = index
    }

    private mutating func step(_ scalar: Unicode.Scalar) {
      switch scalar {
      case "{", "[":
        frames.append(Frame(isMapping: scalar == "{", key: nil, elementStart: index + 1))
        begin(at: index + 1)
      case "}", "]":
        if !frames.isEmpty { frames.removeLast() }
        begin(at: index + 1)
      case ",":
        if let last = frames.indices.last {
          frames[last].key = nil
          frames[last].elementStart = index + 1
        }
        begin(at: index + 1)
      case ":" where isColon: takeKey()
      case " ", "\t", "\n", "\r": if wordStart == index { begin(at: index + 1) }
      case "\"" where wordStart == index, "'" where wordStart == index:
        quote = scalar
        begin(at: index + 1)
      default: wordEnd = index + 1
      }
    }

    /// A colon ends a key if white space, a bracket or the end follows, or if the key is quoted.
    private var isColon: Bool {
      guard index + 1 < scalars.count else { return true }
      return " \t\n\r,{}[]\"'".unicodeScalars.contains(scalars[index + 1])
    }

    private mutating func takeKey() {
      if let last = frames.indices.last, frames[last].isMapping, frames[last].key == nil {
        let key = scalars[min(wordStart, index)..<max(min(wordStart, index), wordEnd)].text
        frames[last].key = key
        frames[last].keys.insert(key)
      }
      begin(at: index + 1)
    }

    private mutating func begin(at place: Int) {
      wordStart = place
      wordEnd = place
    }
  }
}

extension Unicode.Scalar { var isWordPart: Bool { isIdentifierPart || self == "-" } }

struct ExpressionCursor {
  enum Position: Hashable {
    /// None: the word is a name or a function.
    case name
    case member(of: String)
    /// None: the cursor is in a string or a comment, where nothing is completed.
    case text
  }

  let position: Position
  let prefixLength, suffixLength: Int
  let isCalled: Bool
  let locals: [String]
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
