import Basics
import YAMLSyntax

/// Every single edit of some kinds on a YAML text, by the spans of its tree.
struct SingleEdits {
  enum Kind: String, CaseIterable {
    case dropKey = "drop a key"
    case dropElement = "drop an element"
    case dropMatcher = "drop a matcher"
    case misspellKey = "misspell a key"
    case misspellWord = "misspell a word or reference"
    case misspellName = "misspell a name in an expression"
    case misspellFunction = "misspell a function"
    case misspellAnswer = "misspell a field of a response"
    case changeType = "change a type"
    case changeInput = "change the type of an input"
    case swapSteps = "swap two steps"
    case changeStatus = "change a status"
  }

  struct Edit {
    let kind: Kind
    /// The line and its edit.
    let what: String
    let text: String
  }

  private let bytes: [UInt8]
  private(set) var edits: [Edit] = []
  private var seen: Set<String> = []

  init(_ text: String) {
    bytes = Array(text.utf8)
    seen.insert(text)
    if let root = YAMLDocument.parse(text).root { visit(root, key: "") }
  }

  // MARK: The tree

  private mutating func visit(_ node: YAMLNode, key: String) {
    switch node.content {
    case .mapping(let entries):
      for (index, entry) in entries.enumerated() {
        drop(entry, at: index, of: entries, in: node)
        misspell(entry.key, .misspellKey)
        visit(entry.value, key: entry.name ?? "")
      }
    case .sequence(let elements):
      for index in elements.indices {
        drop(index, of: elements, in: node, kind: key == "on" ? .dropMatcher : .dropElement)
        for other in elements.indices where key == "steps" && other > index {
          swap(elements[index], elements[other])
        }
        visit(elements[index], key: key)
      }
    case .scalar(let scalar): edit(scalar, node, key: key)
    case .alias: break
    }
    changeType(node, key: key)
  }

  private mutating func add(_ kind: Kind, _ what: String, _ node: YAMLNode, _ text: [UInt8]) {
    let text = String(decoding: text, as: UTF8.self)
    guard seen.insert(text).inserted else { return }
    edits.append(Edit(kind: kind, what: "line \(node.range.start.line): \(what)", text: text))
  }

  private func replacing(_ range: Range<Int>, with text: String) -> [UInt8] {
    var result = bytes
    result.replaceSubrange(range, with: Array(text.utf8))
    return result
  }

  private func span(_ node: YAMLNode) -> Range<Int> {
    node.range.start.offset..<node.range.end.offset
  }

  private func source(_ node: YAMLNode) -> String {
    String(decoding: bytes[span(node)], as: UTF8.self)
  }

  private func isFlow(_ node: YAMLNode) -> Bool {
    let first = span(node).first.map { bytes[$0] }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private func lineStart(_ offset: Int) -> Int {
    var index = offset
    while index > 0, bytes[index - 1] != UInt8(ascii: "\n") { index -= 1 }
    return index
  }

  private func lineEnd(_ offset: Int) -> Int {
    var index = offset
    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
    return min(index + 1, bytes.count)
  }

  // MARK: Dropping and swapping

  private mutating func drop(
    _ entry: YAMLEntry, at index: Int, of entries: [YAMLEntry], in node: YAMLNode
  ) {
    let start = entry.range.start.offset
    let end = entry.range.end.offset
    let range: Range<Int>
    if isFlow(node) {
      range = flowRange(
        start..<end, before: index > 0 ? entries[index - 1].range.end.offset : nil,
        after: index + 1 < entries.count ? entries[index + 1].range.start.offset : nil)
    } else if bytes[lineStart(start)..<start].allSatisfy({ $0 == UInt8(ascii: " ") }) {
      range = lineStart(start)..<lineEnd(end)
    } else if index + 1 < entries.count {
      range = start..<entries[index + 1].range.start.offset
    } else {
      range = start..<end
    }
    add(.dropKey, "without '\(entry.name ?? "?")'", entry.key, replacing(range, with: ""))
  }

  private func flowRange(_ own: Range<Int>, before: Int?, after: Int?) -> Range<Int> {
    if let after { return own.lowerBound..<after }
    return (before ?? own.lowerBound)..<own.upperBound
  }

  private mutating func drop(
    _ index: Int, of elements: [YAMLNode], in node: YAMLNode, kind: Kind
  ) {
    let own = span(elements[index])
    var range = lineStart(own.lowerBound)..<lineEnd(own.upperBound)
    if isFlow(node) {
      range = flowRange(
        own, before: index > 0 ? span(elements[index - 1]).upperBound : nil,
        after: index + 1 < elements.count ? span(elements[index + 1]).lowerBound : nil)
    }
    add(kind, "without element \(index)", elements[index], replacing(range, with: ""))
  }

  private mutating func swap(_ first: YAMLNode, _ second: YAMLNode) {
    var result = Array(bytes[..<span(first).lowerBound])
    result += bytes[span(second)]
    result += bytes[span(first).upperBound..<span(second).lowerBound]
    result += bytes[span(first)]
    result += bytes[span(second).upperBound...]
    add(.swapSteps, "swapped with line \(second.range.start.line)", first, result)
  }

  // MARK: Scalars

  private static let words: Set<String> = [
    "id", "expired", "retry", "then", "for_each", "type", "jitter", "retry_after", "exhausted",
    "effect", "method", "header", "pipeline", "digests", "depends_on", "name",
  ]

  private mutating func edit(_ scalar: YAMLScalar, _ node: YAMLNode, key: String) {
    if source(node).contains("${{") { return editExpressions(node) }
    if Self.words.contains(key) { misspell(node, .misspellWord) }
    if key == "type" {
      let kinds = ["string", "int", "bool", "url", "duration", "size", "file", "files", "secret"]
      guard let index = kinds.firstIndex(of: scalar.text) else { return }
      let other = kinds[(index + 1) % kinds.count]
      add(.changeInput, "'\(scalar.text)' to '\(other)'", node, replacing(span(node), with: other))
    }
  }

  private mutating func misspell(_ node: YAMLNode, _ kind: Kind) {
    let word = source(node)
    guard word.count > 1 else { return }
    let wrong = Self.misspelled(word)
    add(kind, "'\(word)' to '\(wrong)'", node, replacing(span(node), with: wrong))
  }

  /// Two letters change places, or the last is left out.
  private static func misspelled(_ word: String) -> String {
    var letters = Array(word)
    for index in letters.indices.dropFirst().dropLast() where letters[index] != letters[index + 1] {
      letters.swapAt(index, index + 1)
      return String(letters)
    }
    return String(letters.dropLast())
  }

  private mutating func changeType(_ node: YAMLNode, key: String) {
    var others: [String] = []
    if let scalar = node.scalar {
      let quoted =
        "\"" + scalar.text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
      others = ["[\(quoted)]", "{ a: \(quoted) }", "null"]
      if case .string = scalar.value { others.append("17") } else { others.append("\"words\"") }
    } else {
      others = ["17", "words", node.mapping == nil ? "{ a: 17 }" : "[17]"]
    }
    for other in others where node.range.start.offset > 0 {
      add(.changeType, "'\(key)' to \(other)", node, replacing(span(node), with: other))
    }
  }

  // MARK: Expressions

  private mutating func editExpressions(_ node: YAMLNode) {
    let range = span(node)
    var index = range.lowerBound
    var path = ""
    var quote: UInt8?
    var isInside = false
    while index < range.upperBound {
      let byte = bytes[index]
      if bytes[index...].starts(with: Array("${{".utf8)) { isInside = true }
      if bytes[index...].starts(with: Array("}}".utf8)) { isInside = false }
      if isInside, let open = quote {
        if byte == open { quote = nil }
      } else if isInside, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      } else if isInside, Self.isNamePart(byte) {
        var end = index
        while end < range.upperBound, Self.isNamePart(bytes[end]) { end += 1 }
        token(index..<end, after: path, node)
        path += String(decoding: bytes[index..<end], as: UTF8.self)
        index = end
        if index < range.upperBound, bytes[index] == UInt8(ascii: ".") {
          path += "."
          index += 1
        } else {
          path = ""
        }
        continue
      } else {
        path = ""
      }
      index += 1
    }
  }

  private mutating func token(_ range: Range<Int>, after path: String, _ node: YAMLNode) {
    let word = String(decoding: bytes[range], as: UTF8.self)
    if let number = Int(word) {
      guard (100...599).contains(number) else { return }
      add(
        .changeStatus, "\(number) to \(number + 1)", node,
        replacing(range, with: "\(number + 1)"))
      return
    }
    guard word.count > 1, !["in", "true", "false", "null"].contains(word) else { return }
    var kind = Kind.misspellName
    if range.upperBound < bytes.count, bytes[range.upperBound] == UInt8(ascii: "(") {
      kind = .misspellFunction
    }
    if path.hasPrefix("response.json.") { kind = .misspellAnswer }
    let wrong = Self.misspelled(word)
    add(kind, "'\(path)\(word)' to '\(wrong)'", node, replacing(range, with: wrong))
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
