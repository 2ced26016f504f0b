/// The names and macro variables in an expression, which may be half typed; positions are in Unicode scalars.
struct ExpressionNames {
  /// Names joined by dots, such as `steps.allocate.upload_id`.
  struct Path {
    var names: [(name: String, range: Range<Int>)]
    /// Whether it follows a dot: a member of something other than a name.
    let isMember: Bool
    var isCalled = false
    /// Whether a macro declares its first name.
    let isLocal: Bool

    func text(through index: Int) -> String {
      names.prefix(index + 1).map(\.name).joined(separator: ".")
    }
  }

  /// A call whose arguments contain the end of the text.
  struct Call {
    let name: String
    let receiver: String?
    /// The index of the argument at the end of the text, from 0.
    let argument: Int
  }

  private(set) var paths: [Path] = []
  private(set) var locals: Set<String> = []
  /// Names declared by macros that are still open at the end.
  private(set) var openLocals: [String] = []
  /// How many macros around the current position declare a name.
  private var visibleLocals: [String: Int] = [:]
  private(set) var endsInText = false
  private(set) var receiver: String?
  private(set) var openCall: Call?

  private enum Token {
    case name(String, Range<Int>)
    case dot(Int)
    case open(Int)
    case close(Int)
    case comma
    case other(Range<Int>)

    var start: Int? {
      switch self {
      case .name(_, let range), .other(let range): range.lowerBound
      case .dot(let place), .open(let place), .close(let place): place
      case .comma: nil
      }
    }
  }

  private struct Frame {
    let macro: String?
    /// The index of the token that names the function whose arguments these are.
    let callee: Int?
    var locals: [String] = []
    var arguments = 0
  }

  init(_ scalars: [Unicode.Scalar]) {
    let tokens = scan(scalars)
    read(tokens, scalars)
    receiver = Self.receiver(tokens, scalars)
  }

  private mutating func scan(_ scalars: [Unicode.Scalar]) -> [Token] {
    var tokens: [Token] = []
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      let start = index
      switch scalar {
      case " ", "\t", "\n", "\r": index += 1
      case "\"", "'":
        index = textEnd(scalars, from: index)
        tokens.append(.other(start..<index))
      case "/" where index + 1 < scalars.count && scalars[index + 1] == "/":
        while index < scalars.count, scalars[index] != "\n" { index += 1 }
        endsInText = index == scalars.count
      case ".":
        index += index + 1 < scalars.count && scalars[index + 1] == "?" ? 2 : 1
        tokens.append(.dot(start))
      case "(", "[", "{":
        index += 1
        tokens.append(.open(start))
      case ")", "]", "}":
        index += 1
        tokens.append(.close(start))
      case ",":
        index += 1
        tokens.append(.comma)
      case "0"..."9":
        while index < scalars.count, scalars[index].isIdentifierPart || isPoint(scalars, index) {
          index += 1
        }
        tokens.append(.other(start..<index))
      default:
        while index < scalars.count, scalars[index].isIdentifierPart { index += 1 }
        if index == start {
          index += 1
          tokens.append(.other(start..<index))
        } else if index < scalars.count, scalars[index] == "\"" || scalars[index] == "'",
          ["r", "R", "b", "B", "rb", "br", "bR", "Rb"].contains(scalars[start..<index].text)
        {
          index = textEnd(scalars, from: index)
          tokens.append(.other(start..<index))
        } else {
          tokens.append(.name(scalars[start..<index].text, start..<index))
        }
      }
    }
    return tokens
  }

  private func isPoint(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    scalars[index] == "." && index + 1 < scalars.count && ("0"..."9").contains(scalars[index + 1])
  }

  private mutating func textEnd(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
    let quote = scalars[start]
    let isRaw = start > 0 && (scalars[start - 1] == "r" || scalars[start - 1] == "R")
    let isTriple =
      start + 2 < scalars.count && scalars[start + 1] == quote && scalars[start + 2] == quote
    var index = start + (isTriple ? 3 : 1)
    while index < scalars.count {
      if scalars[index] == "\\", !isRaw {
        index += 2
        continue
      }
      if scalars[index] == quote {
        if !isTriple { return index + 1 }
        if index + 2 < scalars.count, scalars[index + 1] == quote, scalars[index + 2] == quote {
          return index + 3
        }
      }
      index += 1
    }
    endsInText = true
    return scalars.count
  }

  private static let macros: Set<String> = [
    "all", "exists", "exists_one", "existsOne", "map", "filter", "transformList", "transformMap",
    "transformMapEntry", "optMap", "optFlatMap", "bind",
  ]
  /// Macros whose second argument may be a name too.
  private static let pairs: Set<String> = [
    "all", "exists", "exists_one", "existsOne", "transformList", "transformMap",
    "transformMapEntry",
  ]

  private mutating func read(_ tokens: [Token], _ scalars: [Unicode.Scalar]) {
    var frames: [Frame] = []
    var index = 0
    while index < tokens.count {
      switch tokens[index] {
      case .name: takePath(tokens, &index, &frames)
      case .open(let place):
        var macro: String?
        var callee: Int?
        if index >= 1, scalars[place] == "(", case .name = tokens[index - 1] { callee = index - 1 }
        if index >= 2, case .name(let name, _) = tokens[index - 1], case .dot = tokens[index - 2],
          Self.macros.contains(name)
        {
          macro = name
        }
        frames.append(Frame(macro: macro, callee: callee))
        index += 1
      case .close:
        for name in frames.popLast()?.locals ?? [] { visibleLocals[name, default: 1] -= 1 }
        index += 1
      case .comma:
        if let last = frames.indices.last { frames[last].arguments += 1 }
        index += 1
      case .dot, .other: index += 1
      }
    }
    openLocals = frames.flatMap(\.locals)
    guard let frame = frames.last(where: { $0.callee != nil }), let callee = frame.callee,
      case .name(let name, _) = tokens[callee]
    else { return }
    let before = Array(tokens[..<callee])
    openCall = Call(name: name, receiver: Self.receiver(before, scalars), argument: frame.arguments)
  }

  private mutating func takePath(_ tokens: [Token], _ index: inout Int, _ frames: inout [Frame]) {
    var names: [(name: String, range: Range<Int>)] = []
    var isMember = false
    if index > 0, case .dot = tokens[index - 1] { isMember = true }
    while index < tokens.count, case .name(let name, let range) = tokens[index] {
      names.append((name, range))
      index += 1
      guard index + 1 < tokens.count, case .dot = tokens[index], case .name = tokens[index + 1]
      else { break }
      index += 1
    }
    guard let first = names.first else { return }
    if !isMember, names.count == 1, declare(first.name, tokens, index, &frames) { return }
    let isLocal = !isMember && visibleLocals[first.name] ?? 0 > 0
    var path = Path(names: names, isMember: isMember, isLocal: isLocal)
    if index < tokens.count, case .open = tokens[index] { path.isCalled = true }
    paths.append(path)
  }

  /// Whether a name is the variable of the macro in whose arguments it occurs.
  private mutating func declare(
    _ name: String, _ tokens: [Token], _ next: Int, _ frames: inout [Frame]
  ) -> Bool {
    guard let last = frames.indices.last, let macro = frames[last].macro,
      frames[last].arguments == frames[last].locals.count,
      frames[last].arguments < (Self.pairs.contains(macro) ? 2 : 1),
      next < tokens.count, case .comma = tokens[next]
    else { return false }
    frames[last].locals.append(name)
    locals.insert(name)
    visibleLocals[name, default: 0] += 1
    return true
  }

  private static func receiver(_ tokens: [Token], _ scalars: [Unicode.Scalar]) -> String? {
    guard case .dot(let end)? = tokens.last else { return nil }
    var index = tokens.count - 2
    var start = end
    while index >= 0 {
      switch tokens[index] {
      case .close:
        var depth = 0
        while index >= 0 {
          if case .close = tokens[index] { depth += 1 }
          if case .open(let place) = tokens[index] {
            depth -= 1
            start = place
          }
          if depth == 0 { break }
          index -= 1
        }
        index -= 1
        // A call or an index continues to the left, a parenthesis does not.
        guard index >= 0, case .name(_, let range) = tokens[index], range.upperBound == start else {
          if index >= 0, case .close(let place) = tokens[index], place + 1 == start { continue }
          return scalars[start..<end].text
        }
        continue
      case .name(_, let range), .other(let range):
        start = range.lowerBound
        guard index > 0, case .dot = tokens[index - 1] else { return scalars[start..<end].text }
        index -= 2
      case .dot, .open, .comma: return start < end ? scalars[start..<end].text : nil
      }
    }
    return start < end ? scalars[start..<end].text : nil
  }
}
