/// The result of ``JSONReader``: the tree and the repeated keys.
public struct JSONDocument: Sendable {
  /// The value of the text.
  public let root: JSONNode
  /// Every repeated occurrence of a key in its object, in text order.
  public let duplicateKeys: [DuplicateKey]
}

/// A key that its object already has; RFC 8259 §4 leaves its meaning open.
public struct DuplicateKey: Sendable, Hashable {
  /// The key.
  public let key: String
  /// Where it occurs again.
  public let range: SourceRange
  /// Where it occurred first.
  public let first: SourceRange
}

/// A position where a text violates the JSON grammar (RFC 8259) or a limit.
public struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The message, in lower case, without a final full stop.
  public let message: String
  /// Where it is.
  public let position: SourcePosition

  /// `line:column: message`.
  public var description: String { "\(position): \(message)" }
}

/// Reads JSON text into located, loss-free nodes; strict in the sense of RFC 8259.
///
/// A byte order mark at the start is skipped (§8.1). Escapes that name half of a surrogate pair
/// are errors, because no Unicode string can contain them.
public struct JSONReader: Sendable {
  /// How many arrays and objects may be open at once.
  public var maximumDepth: Int
  /// How many characters a number may have (RFC 8259 §6 and §9 allow such a limit).
  public var maximumNumberLength: Int

  /// A reader with its limits.
  public init(maximumDepth: Int = 256, maximumNumberLength: Int = 4096) {
    self.maximumDepth = maximumDepth
    self.maximumNumberLength = maximumNumberLength
  }

  /// Reads one JSON text from its UTF-8 bytes.
  public func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONDocument {
    let result: Result<JSONDocument, JSONSyntaxError> = bytes.withUnsafeBufferPointer {
      readBuffer($0)
    }
    return try result.get()
  }

  /// Reads one JSON text.
  public func read(_ text: String) throws(JSONSyntaxError) -> JSONDocument {
    var copy = text
    let result: Result<JSONDocument, JSONSyntaxError> = copy.withUTF8 { readBuffer($0) }
    return try result.get()
  }

  private func readBuffer(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Result<JSONDocument, JSONSyntaxError> {
    var scanner = JSONScanner(
      bytes: bytes, maximumDepth: maximumDepth, maximumNumberLength: maximumNumberLength)
    do throws(JSONSyntaxError) {
      let root = try scanner.document()
      return .success(JSONDocument(root: root, duplicateKeys: scanner.duplicateKeys))
    } catch {
      return .failure(error)
    }
  }
}

/// The state of one reading.
struct JSONScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  let maximumDepth: Int
  let maximumNumberLength: Int
  var index = 0
  var duplicateKeys: [DuplicateKey] = []
  private var line = 1
  private var lineStart = 0
  /// UTF-8 continuation bytes since the start of the line; they do not count as columns.
  var continuations = 0
  private var depth = 0

  init(bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int, maximumNumberLength: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    self.maximumNumberLength = maximumNumberLength
  }

  var position: SourcePosition {
    SourcePosition(line: line, column: index - lineStart - continuations + 1)
  }

  @inline(never)
  func failure(_ message: String) -> JSONSyntaxError {
    JSONSyntaxError(message: message, position: position)
  }

  mutating func document() throws(JSONSyntaxError) -> JSONNode {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      index = 3
      lineStart = 3
    }
    skipSpace()
    guard index < bytes.count else { throw failure("the text is empty") }
    let root = try value()
    skipSpace()
    guard index == bytes.count else {
      throw failure("unexpected \(found) after the end of the value")
    }
    return root
  }

  mutating func skipSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0D: index += 1
      case 0x0A:
        index += 1
        line += 1
        lineStart = index
        continuations = 0
      default: return
      }
    }
  }

  /// The next byte as a message names it.
  var found: String {
    guard index < bytes.count else { return "end of the text" }
    let byte = bytes[index]
    if byte < 0x20 || byte == 0x7F { return "control character U+00" + hexadecimal(byte) }
    if byte < 0x80 { return "\"\(Character(Unicode.Scalar(byte)))\"" }
    return "character outside a string"
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return text.count < 2 ? "0" + text : text
  }

  private mutating func value() throws(JSONSyntaxError) -> JSONNode {
    guard index < bytes.count else { throw failure("expected a value, found the end of the text") }
    let start = position
    switch bytes[index] {
    case 0x7B: return try object(from: start)
    case 0x5B: return try array(from: start)
    case 0x22:
      let text = try string()
      return JSONNode(.string(text), range: SourceRange(start: start, end: position))
    case 0x2D, 0x30...0x39: return try number(from: start)
    case 0x74: return try literal("true", .bool(true), from: start)
    case 0x66: return try literal("false", .bool(false), from: start)
    case 0x6E: return try literal("null", .null, from: start)
    default: throw failure("expected a value, found \(found)")
    }
  }

  @inline(never)
  private mutating func literal(
    _ word: StaticString, _ value: JSONNode.Value, from start: SourcePosition
  ) throws(JSONSyntaxError) -> JSONNode {
    let length = word.utf8CodeUnitCount
    guard index + length <= bytes.count,
      (0..<length).allSatisfy({ bytes[index + $0] == word.utf8Start[$0] })
    else { throw failure("expected a value, found \(found); a string needs double quotes") }
    index += length
    return JSONNode(value, range: SourceRange(start: start, end: position))
  }

  @inline(never)
  private mutating func number(
    from start: SourcePosition
  ) throws(JSONSyntaxError) -> JSONNode {
    let first = index
    if bytes[index] == 0x2D { index += 1 }
    let integer = index
    try digits("a digit must follow the minus sign")
    if bytes[integer] == 0x30, index > integer + 1 {
      index = integer
      throw failure("a number must not begin with a zero")
    }
    if index < bytes.count, bytes[index] == 0x2E {
      index += 1
      try digits("a digit must follow the decimal point")
    }
    if index < bytes.count, bytes[index] | 0x20 == 0x65 {
      index += 1
      if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D { index += 1 }
      try digits("a digit must follow the exponent sign")
    }
    guard index - first <= maximumNumberLength else {
      index = first
      throw failure("the number is longer than \(maximumNumberLength) characters")
    }
    let text = String(
      decoding: UnsafeBufferPointer(rebasing: bytes[first..<index]), as: UTF8.self)
    return JSONNode(
      .number(JSONNumber(checked: text)), range: SourceRange(start: start, end: position))
  }

  private mutating func digits(_ message: String) throws(JSONSyntaxError) {
    let start = index
    while index < bytes.count, bytes[index] &- 0x30 < 10 { index += 1 }
    if index == start { throw failure(message) }
  }

  private mutating func open() throws(JSONSyntaxError) {
    depth += 1
    guard depth <= maximumDepth else {
      throw failure("arrays and objects are nested deeper than \(maximumDepth)")
    }
    index += 1
  }

  private mutating func array(from start: SourcePosition) throws(JSONSyntaxError) -> JSONNode {
    try open()
    var items: [JSONNode] = []
    skipSpace()
    if index < bytes.count, bytes[index] == 0x5D {
      index += 1
    } else {
      while true {
        items.append(try value())
        skipSpace()
        guard try continues(closing: 0x5D, in: "array", from: start) else { break }
        skipSpace()
        if index < bytes.count, bytes[index] == 0x5D { throw failure("comma before \"]\"") }
      }
    }
    depth -= 1
    return JSONNode(.array(items), range: SourceRange(start: start, end: position))
  }

  /// Consumes a comma (true) or the closing bracket (false).
  private mutating func continues(
    closing: UInt8, in kind: String, from start: SourcePosition
  ) throws(JSONSyntaxError) -> Bool {
    guard index < bytes.count else {
      throw failure("the \(kind) that begins at \(start) is not closed")
    }
    let byte = bytes[index]
    guard byte == 0x2C || byte == closing else {
      let bracket = Character(Unicode.Scalar(closing))
      throw failure("expected \",\" or \"\(bracket)\", found \(found)")
    }
    index += 1
    return byte == 0x2C
  }

  private mutating func object(from start: SourcePosition) throws(JSONSyntaxError) -> JSONNode {
    try open()
    var members: [JSONNode.Member] = []
    skipSpace()
    if index < bytes.count, bytes[index] == 0x7D {
      index += 1
    } else {
      while true {
        members.append(try member())
        skipSpace()
        guard try continues(closing: 0x7D, in: "object", from: start) else { break }
        skipSpace()
        if index < bytes.count, bytes[index] == 0x7D { throw failure("comma before \"}\"") }
      }
    }
    depth -= 1
    reportDuplicates(members)
    return JSONNode(.object(members), range: SourceRange(start: start, end: position))
  }

  @inline(never)
  private mutating func member() throws(JSONSyntaxError) -> JSONNode.Member {
    guard index < bytes.count, bytes[index] == 0x22 else {
      throw failure("expected a key in double quotes, found \(found)")
    }
    let start = position
    let key = try string()
    let range = SourceRange(start: start, end: position)
    skipSpace()
    guard index < bytes.count, bytes[index] == 0x3A else {
      throw failure("expected \":\" after the key, found \(found)")
    }
    index += 1
    skipSpace()
    return JSONNode.Member(key: key, keyRange: range, value: try value())
  }

  @inline(never)
  private mutating func reportDuplicates(_ members: [JSONNode.Member]) {
    guard members.count > 1 else { return }
    if members.count <= 8 {
      for later in 1..<members.count {
        for earlier in 0..<later
        where members[earlier].key.isByteEqual(to: members[later].key) {
          report(members[later], first: members[earlier])
          break
        }
      }
      return
    }
    var seen: [ByteExact: Int] = [:]
    seen.reserveCapacity(members.count)
    for (place, member) in members.enumerated() {
      if let first = seen[ByteExact(member.key)] {
        report(member, first: members[first])
      } else {
        seen[ByteExact(member.key)] = place
      }
    }
  }

  private mutating func report(_ member: JSONNode.Member, first: JSONNode.Member) {
    guard let range = member.keyRange, let firstRange = first.keyRange else { return }
    duplicateKeys.append(DuplicateKey(key: member.key, range: range, first: firstRange))
  }
}
