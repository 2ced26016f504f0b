/// A JSON Pointer (RFC 6901): the path from a root to one of its values.
public struct JSONPointer: Hashable, Sendable {
  /// The unescaped reference tokens, from the root on.
  public var tokens: [String]

  /// A pointer from its unescaped tokens; no tokens name the root.
  public init(_ tokens: [String] = []) { self.tokens = tokens }

  /// A pointer from its text such as `/steps/0/id`, or `nil` when the text is not one.
  public init?(text: String) {
    guard FormatRules.isJSONPointer(text) else { return nil }
    tokens = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst().map { Self.unescape(Substring($0)) }
  }

  /// The array index written by a token, or `nil`: digits without a leading zero (RFC 6901 §4).
  static func index(_ token: String) -> Int? {
    let bytes = token.utf8
    guard let first = bytes.first, bytes.count < 16, bytes.count == 1 || first != 0x30,
      bytes.allSatisfy(\.isDigit)
    else { return nil }
    return Int(token)
  }

  static func escape(_ token: String) -> String {
    guard token.utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else { return token }
    let bytes = Array(token.utf8).replacing("~".utf8, with: "~0".utf8)
      .replacing("/".utf8, with: "~1".utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unescape(_ token: Substring) -> String {
    guard token.utf8.contains(0x7E) else { return String(token) }
    let bytes = Array(token.utf8).replacing("~1".utf8, with: "/".utf8)
      .replacing("~0".utf8, with: "~".utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  func appending(_ token: String) -> JSONPointer { JSONPointer(tokens + [token]) }
}

extension JSONPointer: CustomStringConvertible {
  /// The pointer's text; empty for the root.
  public var description: String { tokens.map { "/" + Self.escape($0) }.joined() }
}

extension JSONNode {
  /// The node that a JSON Pointer (RFC 6901) names, or `nil` when there is none.
  public func node(at pointer: JSONPointer) -> JSONNode? {
    var current = self
    for token in pointer.tokens {
      switch current.value {
      case .object:
        guard let next = current[token] else { return nil }
        current = next
      case .array(let items):
        guard let index = JSONPointer.index(token), index < items.count else { return nil }
        current = items[index]
      default: return nil
      }
    }
    return current
  }
}
