/// What ``JSONReader`` makes of a text: the tree and the keys that occur twice.
public struct JSONDocument: Sendable {
  /// The value of the text.
  public let root: JSONNode
  /// Every later occurrence of a key in its object, in the order of the text.
  public let duplicateKeys: [DuplicateKey]
}

/// A key that its object already has; RFC 8259 §4 leaves its meaning open.
public struct DuplicateKey: Sendable, Hashable {
  public let key: String
  /// Where it occurs again.
  public let range: SourceRange
  /// Where it occurred first.
  public let first: SourceRange
}

/// A place where a text leaves the JSON grammar (RFC 8259) or a limit.
public struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The expected element: lower case, without a full stop, and without text of the document.
  public let message: String
  /// Where, in octets from the start.
  public let offset: Int
  /// The problem, lower case, without a final full stop; may show the character that was found.
  public let explanation: String
  /// Where it is.
  public let position: SourcePosition
  /// The problem.
  public var kind = Kind.syntax

  /// The possible problems of a text.
  public enum Kind: Hashable, Sendable {
    case syntax
    /// It is JSON, with a number that cannot be represented exactly enough.
    case number
  }

  /// `line:column: explanation`.
  public var description: String { "\(position): \(explanation)" }
}

/// Reads JSON text into located, loss-free nodes; strict in the sense of RFC 8259.
///
/// A byte order mark at the start is skipped (§8.1). Escapes that name half of a surrogate pair
/// are errors, because no Unicode string can hold them.
public struct JSONReader: Sendable {
  /// How many arrays and objects may be open at once.
  public var maximumDepth: Int
  /// How many characters a number may have (RFC 8259 §6 and §9 allow such a limit).
  public var maximumNumberLength: Int

  /// A reader with its limits.
  public init(maximumDepth: Int = 256, maximumNumberLength: Int = 4096) {
    (self.maximumDepth, self.maximumNumberLength) = (maximumDepth, maximumNumberLength)
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
    var tree = JSONTreeBuilder(
      scanner: JSONScanner(
        bytes: bytes, maximumDepth: maximumDepth, maximumNumberLength: maximumNumberLength,
        skipsByteOrderMark: true))
    do throws(JSONSyntaxError) {
      try tree.scanner.begin()
      let root = try tree.value()
      try tree.scanner.end()
      return .success(JSONDocument(root: root, duplicateKeys: tree.duplicateKeys))
    } catch { return .failure(error) }
  }
}

private struct JSONTreeBuilder {
  var scanner: JSONScanner
  var duplicateKeys: [DuplicateKey] = []

  mutating func value() throws(JSONSyntaxError) -> JSONNode {
    let start = scanner.position
    let value: JSONNode.Value
    switch try scanner.token() {
    case .object: value = .object(try members(from: start))
    case .array: value = .array(try items(from: start))
    case .string: value = .string(try scanner.string())
    case .number: value = .number(JSONNumber(checked: try scanner.number().text))
    case .bool(let flag): value = .bool(flag)
    case .null: value = .null
    }
    return JSONNode(value, range: SourceRange(start: start, end: scanner.position))
  }

  private mutating func items(from start: SourcePosition) throws(JSONSyntaxError) -> [JSONNode] {
    try scanner.open()
    var items: [JSONNode] = []
    while try scanner.element(from: start) { items.append(try value()) }
    return items
  }

  private mutating func members(
    from start: SourcePosition
  ) throws(JSONSyntaxError) -> [JSONNode.Member] {
    try scanner.open()
    var members: [JSONNode.Member] = []
    while let key = try scanner.key(from: start) {
      members.append(JSONNode.Member(key: key.text, keyRange: key.range, value: try value()))
    }
    reportDuplicates(members)
    return members
  }

  @inline(never) private mutating func reportDuplicates(_ members: [JSONNode.Member]) {
    guard members.count > 1 else { return }
    if members.count <= 8 {
      for later in 1..<members.count {
        for earlier in 0..<later where members[earlier].key.isByteEqual(to: members[later].key) {
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
