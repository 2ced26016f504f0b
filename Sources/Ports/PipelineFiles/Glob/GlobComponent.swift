/// One name of a pattern, between two slashes.
struct GlobComponent: Hashable, Sendable {
  enum Token: Hashable, Sendable {
    case byte(UInt8)
    /// `?`: one Unicode scalar.
    case anyScalar
    /// `*`: any number of bytes.
    case anything
    /// `[a-z]`: one Unicode scalar that is, or is not, in one of the ranges.
    case scalar(in: [ClosedRange<UInt32>], isNegated: Bool)
  }

  /// The name with its braces expanded: one of these must match.
  let alternatives: [[Token]]
  /// The exact name, if the pattern has no wildcard here.
  let literal: [UInt8]?

  init(_ alternatives: [[Token]]) {
    self.alternatives = alternatives
    literal = alternatives.count == 1 ? Self.bytes(of: alternatives[0]) : nil
  }

  func matches(_ name: UnsafeBufferPointer<UInt8>, includingHidden: Bool = false) -> Bool {
    let isHidden = !includingHidden && name.first == UInt8(ascii: ".")
    for tokens in alternatives {
      if isHidden, tokens.first != .byte(UInt8(ascii: ".")) { continue }
      if Self.matches(tokens, name) { return true }
    }
    return false
  }

  private static func bytes(of tokens: [Token]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for token in tokens {
      guard case .byte(let byte) = token else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// Matches from left to right; on a mismatch only the last `*` consumes one more byte.
  private static func matches(_ tokens: [Token], _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    var token = 0
    var index = 0
    var retry: (token: Int, index: Int)?
    while true {
      if token < tokens.count {
        if case .anything = tokens[token] {
          retry = (token, index)
          token += 1
          continue
        }
        if let length = width(of: tokens[token], at: index, in: name) {
          token += 1
          index += length
          continue
        }
      } else if index == name.count {
        return true
      }
      guard let last = retry, last.index < name.count else { return false }
      retry = (last.token, last.index + 1)
      token = last.token + 1
      index = last.index + 1
    }
  }

  /// Bytes that `token` matches at `index`; `nil` if it does not match.
  private static func width(
    of token: Token, at index: Int, in name: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard index < name.count else { return nil }
    switch token {
    case .byte(let byte): return name[index] == byte ? 1 : nil
    case .anything: return nil
    case .anyScalar: return scalar(at: index, in: name).map(\.length)
    case .scalar(let ranges, let isNegated):
      guard let (value, length) = scalar(at: index, in: name) else { return nil }
      return ranges.contains { $0.contains(value) } != isNegated ? length : nil
    }
  }

  /// The scalar that starts at `index`; `nil` in the middle of one, where `*` may have stopped.
  private static func scalar(
    at index: Int, in name: UnsafeBufferPointer<UInt8>
  ) -> (value: UInt32, length: Int)? {
    let first = name[index]
    guard first >= 0x80 else { return (UInt32(first), 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0
    guard length > 0, index + length <= name.count else { return nil }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(name[index + offset] & 0x3F) }
    return (value, length)
  }
}
