import Basics
import CEL

/// Removes secrets from text, in every form in which a server may echo them.
///
/// A secret is found literally, escaped as JSON (`\/`, `\u00e9`), as HTML (`&amp;`, `&#38;`) or in a URL (`%2f`, `+`), character by character in
/// any mixture, and in base64 with any bytes before and after it, such as the user name in `Basic`.
struct Redaction: Sendable {
  /// The replacement for a secret.
  static let mark = "***"
  /// Minimum number of base64 characters that count as a secret's; shorter runs occur in any text.
  private static let shortestCode = 4
  /// Minimum number of digits of a numeric secret; shorter numbers occur in any text.
  private static let shortestNumber = 4

  /// Minimum length of a text derived from a secret, and of the parts of a secret URL.
  private static let shortestResult = 8
  /// Minimum length of one segment of a secret URL; shorter ones may be words.
  private static let shortestSegment = 12

  private struct Needle: Sendable {
    let scalars: [Unicode.Scalar]
    /// Whether the surrounding base64 text is removed with it.
    let isBase64: Bool
  }

  private var needles: [Needle] = []
  private var known: Set<String> = []
  private var firstScalars: Set<Unicode.Scalar> = []

  mutating func hide(_ value: Value?) {
    switch value {
    case .string(let text)?: hide(text)
    case .bytes(let bytes)?: hide(String(decoding: bytes, as: UTF8.self))
    case .int(let number)?: hide(number: String(number))
    case .uint(let number)?: hide(number: String(number))
    case .list?: for element in value?.listValue ?? [] { hide(element) }
    case .map(let map)?: for (_, element) in map { hide(element) }
    default: break
    }
  }

  /// Hides the result that an expression derived from a secret; short results, such as `true`, occur in any text.
  mutating func hide(made value: Value) {
    switch value {
    case .list: for element in value.listValue ?? [] { hide(made: element) }
    case .map(let map): for (_, element) in map { hide(made: element) }
    case .string(let text) where text.utf8.count < Self.shortestResult: break
    case .string, .bytes, .int, .uint: hide(value)
    default: break
    }
  }

  private mutating func hide(number text: String) {
    if text.utf8.count >= Self.shortestNumber { hide(text) }
  }

  private mutating func hide(_ secret: String) {
    guard !secret.isEmpty, known.insert(secret).inserted else { return }
    add(secret, isBase64: false)
    for part in Self.parts(ofURL: secret) where known.insert(part).inserted {
      add(part, isBase64: false)
    }
    let bytes = Array(secret.utf8)
    if bytes.count >= Self.shortestCode {
      let digits = Hexadecimal.text(bytes)
      add(digits, isBase64: false)
      add(digits.uppercased(), isBase64: false)
    }
    add(Base64.encode(bytes).trimmingEnd("="), isBase64: true)
    // What precedes the secret shifts its encoding by up to two bytes, so only whole groups of it are certain.
    for shift in 0..<3 {
      let skipped = (3 - shift) % 3
      guard bytes.count > skipped else { continue }
      let whole = bytes.dropFirst(skipped)
      add(Base64.encode(Array(whole.prefix(whole.count / 3 * 3))), isBase64: true)
    }
  }

  /// The texts by which a server may quote a secret URL: its target, its path, its query, and each long part of them.
  private static func parts(ofURL text: String) -> [String] {
    guard let start = text.authorityStart else { return [] }
    let target = text[text.authorityEnd(after: start)...]
    let path = target.prefix { $0 != "?" && $0 != "#" }
    let query = target.dropFirst(path.count + 1)
    let segments = path.split(separator: "/")
    let values = query.split(separator: "&").map { $0.drop { $0 != "=" }.dropFirst() }
    var parts = (segments + values).filter { $0.utf8.count >= shortestSegment }
    // A path of short words, such as `/upload`, reveals nothing.
    if segments.contains(where: { $0.utf8.count >= shortestResult }) { parts += [target, path] }
    if query.utf8.count >= shortestResult { parts += [target, query] }
    return parts.flatMap { part in
      let plain = PercentEncoding.decode(part.utf8, keepingMalformed: true) ?? []
      return [String(part), String(decoding: plain, as: UTF8.self)]
    }
  }

  private mutating func add(_ text: String, isBase64: Bool) {
    guard !isBase64 || text.utf8.count >= Self.shortestCode else { return }
    let scalars = Array(text.unicodeScalars)
    guard let first = scalars.first else { return }
    needles.append(Needle(scalars: scalars, isBase64: isBase64))
    firstScalars.insert(first)
  }

  func applied(to text: String) -> String {
    guard !needles.isEmpty else { return text }
    // Longest first: a secret that is a prefix of another must not leave the rest of the other.
    let needles = needles.sorted { $0.scalars.count > $1.scalars.count }
    let source = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    var position = 0
    while position < source.count {
      guard let (needle, end) = found(needles, in: source, at: position) else {
        result.append(source[position])
        position += 1
        continue
      }
      position = end
      if needle.isBase64 {
        while let last = result.last, Self.isCode(last) { result.removeLast() }
        while position < source.count, Self.isCode(source[position]) { position += 1 }
      }
      result.append(contentsOf: Self.mark.unicodeScalars)
    }
    return String(result)
  }

  private func found(
    _ needles: [Needle], in source: [Unicode.Scalar], at position: Int
  ) -> (Needle, end: Int)? {
    let first = source[position]
    guard firstScalars.contains(first) || Self.beginsEscape(first) else { return nil }
    for needle in needles {
      if let end = Self.end(of: needle, in: source, at: position) { return (needle, end) }
    }
    return nil
  }

  /// The end of the needle that starts at `start`, with each of its characters in any form.
  private static func end(of needle: Needle, in source: [Unicode.Scalar], at start: Int) -> Int? {
    var position = start
    for scalar in needle.scalars {
      guard let next = EscapedScalar.end(of: scalar, in: source, at: position) else {
        // base64url (RFC 4648 §5) has two other characters.
        guard needle.isBase64, position < source.count,
          (scalar == "+" && source[position] == "-") || (scalar == "/" && source[position] == "_")
        else { return nil }
        position += 1
        continue
      }
      position = next
    }
    return position
  }

  private static func beginsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\\", "%", "&", "+", "-", "_": true
    default: false
    }
  }

  private static func isCode(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "+", "/", "-", "_", "=", "\\", "%": true
    default: false
    }
  }
}

extension Evaluator {
  /// The same text with every secret value known to the scope removed; see ``Redaction``.
  public func redact(_ text: String, _ scope: Scope) -> String {
    redaction(scope).applied(to: text)
  }

  func redaction(_ scope: Scope) -> Redaction {
    var redaction = Redaction()
    for secret in scope.secrets.values { redaction.hide(secret) }
    for frame in scope.frames {
      for step in frame {
        for output in step.outputs + step.previous where output.isSecret {
          redaction.hide(output.value)
        }
      }
    }
    return redaction
  }
}

extension String {
  fileprivate func trimmingEnd(_ character: Character) -> String {
    var text = self[...]
    while text.last == character { text.removeLast() }
    return String(text)
  }
}
