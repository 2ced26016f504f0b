extension DocumentReader {
  /// A scalar that may contain expressions; numbers and Booleans are read as text.
  package func template(_ node: YAMLNode, expected: String = "text") -> DraftTemplate? {
    guard let text = scalarText(node, expected: expected) else { return nil }
    guard let parts = parts(of: text.value, at: node) else { return nil }
    noteUnmarked(text.value, at: node)
    return DraftTemplate(parts: parts, range: text.range)
  }

  package func expression(_ node: YAMLNode, expected: String) -> DraftExpression? {
    guard let scalar = node.scalar, scalar.value != .null
    else { return refuse(node, expected: "\(expected) as an expression '${{ … }}'") }
    guard let parts = parts(of: scalar.text, at: node) else { return nil }
    let solid = parts.filter { part in
      if case .text(let text) = part { !Substring(text).trimmed.isEmpty } else { true }
    }
    if solid.count == 1, case .expression(let expression) = solid[0] { return expression }
    reportBare(scalar, at: node, expected: expected)
    return nil
  }

  private func reportBare(_ scalar: YAMLScalar, at node: YAMLNode, expected: String) {
    let text = String(Substring(scalar.text).trimmed)
    guard !text.holds("${{") else {
      collector.report(
        .expressionExpected, "expected \(expected) as one expression, found text around '${{ … }}'",
        at: range(node), help: "join the parts with '+' inside one expression")
      return
    }
    let wrapped = "${{ \(text) }}"
    // Single quotes are the only style that can contain any single-line text verbatim.
    let quoted =
      "'" + wrapped.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
      + "'"
    let replacement = wrapped.contains("'") || !wrapped.contains("\"") ? "\"\(wrapped)\"" : quoted
    let isPlain = !(wrapped.contains("'") && wrapped.contains("\"")) && !text.contains("\\")
    let shown = isPlain ? replacement : quoted
    let read = Variables.base.compile(text, isChecked: false)
    let syntax = read.issues.isEmpty ? read.syntax : nil
    collector.report(
      .expressionExpected, "expected \(expected) as an expression '${{ … }}', found text",
      at: range(node), help: syntax == nil ? nil : "write \(shown)",
      fix: syntax.map {
        // A path such as 'out/a.bin' is an expression, too, and hardly meant as one.
        Diagnostic.Fix(range: range(node), replacement: shown, isSafe: Self.namesAreKnown(in: $0))
      })
  }

  /// Whether an expression names only what all expressions can.
  private static func namesAreKnown(in syntax: Syntax) -> Bool {
    let known: Set = ["inputs", "steps", "response", "history", "item", "run", "now", "batch"]
    let bound = Set(syntax.allParts.flatMap(\.boundNames).map(\.name))
    return syntax.allParts.allSatisfy {
      guard case .name(let name, _) = $0.kind else { return true }
      return known.contains(name) || bound.contains(name)
    }
  }

  package func json(_ node: YAMLNode) -> DraftJSON? {
    switch node.resolved.content {
    case .sequence(let elements): return .array(elements.compactMap(json))
    case .mapping(let entries):
      var seen: Set<String> = []
      return .object(
        entries.compactMap { entry in
          guard let name = entry.name, seen.insert(name).inserted else { return nil }
          return json(entry.value).map { .init(key: name, value: $0) }
        })
    case .scalar(let scalar): return json(scalar, at: node)
    case .alias: return nil
    }
  }

  private func json(_ scalar: YAMLScalar, at node: YAMLNode) -> DraftJSON? {
    noteReading(of: node)
    switch scalar.value {
    case .null: return .literal(.null)
    case .bool(let flag): return .literal(.bool(flag))
    case .int(let number): return .literal(.int(number))
    case .bigInt(let digits):
      return .literal(UInt64(digits).map(Value.uint) ?? .double(Double(digits) ?? 0))
    case .double(let number):
      guard number.isFinite else {
        return collector.refuse(
          .wrongType, "'\(scalar.text)' cannot be written as JSON, expected a finite number",
          at: range(node))
      }
      return .literal(.double(number))
    case .string(let text):
      guard let parts = parts(of: text, at: node) else { return nil }
      noteUnmarked(text, at: node)
      let template = DraftTemplate(parts: parts, range: range(node))
      return template.constant.map { .literal(.string($0)) } ?? .template(template)
    }
  }

  private static let expressionLimit = 1000

  private func parts(of text: String, at node: YAMLNode) -> [DraftTemplate.Part]? {
    guard text.holds("${{") else { return text.isEmpty ? [] : [.text(text)] }
    // A text that aliases repeat is copied and searched again for each of them.
    let length = text.utf8.count
    guard collector.spend(length, .bytes, at: range(node)) else { return nil }
    var scanner = TemplateScanner(text)
    var parts: [DraftTemplate.Part] = []
    while let piece = scanner.next() {
      // The cost of each expression grows with the text around it.
      guard parts.count < 2 * Self.expressionLimit else {
        return collector.refuse(
          .tooLarge, "the text contains more than \(Self.expressionLimit) expressions",
          at: range(node))
      }
      switch piece {
      case .text(let text): parts.append(.text(text))
      case .expression(let inner):
        guard collector.spend(1, .nodes, at: range(node)),
          collector.spend(length / 128, at: range(node))
        else { return nil }
        let source = scanner.source
        let outer = (inner.lowerBound - 3)..<(inner.upperBound + 2)
        // Characters are examined only if there is no printable ASCII.
        guard
          source.utf8.contains(where: { (0x21...0x7E).contains($0) })
            || source.contains(where: { !$0.isWhitespace })
        else {
          return collector.refuse(
            .expressionSyntax, "the expression is empty", at: range(outer, in: node))
        }
        parts.append(
          .expression(
            DraftExpression(
              source: source, origin: .scalar(node, offset: inner.lowerBound),
              range: range(outer, in: node))))
      case .unclosed(let start):
        let rest = String(text.unicodeScalars.dropFirst(start + 3))
        return collector.refuse(
          .unclosedExpression, "'${{' is never closed, expected '}}' after the expression",
          at: range(start..<(start + 3), in: node),
          help: rest.contains("}")
            ? "write '}}' instead of '}'" : "write '$${{' for a literal '${{'")
      }
    }
    return parts
  }
}

/// Splits a text into literal text and expressions.
///
/// `$${{` is an escaped `${{`. An expression ends at the first `}}` outside CEL's strings and braces. All of these marks
/// are ASCII, so the text is scanned as bytes; positions are reported in Unicode scalars.
package struct TemplateScanner {
  package enum Piece {
    case text(String)
    case expression(Range<Int>)
    case unclosed(Int)
  }

  package private(set) var source = ""
  private let bytes: [UInt8]
  private var position = 0
  /// A byte position, and the number of Unicode scalars before it.
  private var counted = (bytes: 0, scalars: 0)

  package init(_ text: String) { bytes = Array(text.utf8) }

  package mutating func next() -> Piece? {
    guard position < bytes.count else { return nil }
    var text: [UInt8] = []
    while position < bytes.count {
      let mark = bytes[position...].firstIndex(of: UInt8(ascii: "$")) ?? bytes.count
      text += bytes[position..<mark]
      position = mark
      guard mark < bytes.count else { break }
      if matches("$${{", at: mark) {
        text += "${{".utf8
        position += 4
      } else if matches("${{", at: mark) {
        guard text.isEmpty else { break }
        guard let end = end(from: mark + 3) else {
          position = bytes.count
          return .unclosed(scalars(before: mark))
        }
        position = end + 2
        source = String(decoding: bytes[(mark + 3)..<end], as: UTF8.self)
        return .expression(scalars(before: mark + 3)..<scalars(before: end))
      } else {
        text.append(bytes[mark])
        position += 1
      }
    }
    return .text(String(decoding: text, as: UTF8.self))
  }

  /// The number of Unicode scalars before a position, which must not decrease from call to call.
  private mutating func scalars(before place: Int) -> Int {
    counted.scalars += bytes[counted.bytes..<place].count { !$0.isContinuation }
    counted.bytes = place
    return counted.scalars
  }

  private func matches(_ text: StaticString, at index: Int) -> Bool {
    text.withUTF8Buffer { text in
      text.count <= bytes.count - index && text.indices.allSatisfy { text[$0] == bytes[index + $0] }
    }
  }

  /// The position of the `}}` that closes the expression starting at `start`.
  private func end(from start: Int) -> Int? {
    var index = start
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): index = stringEnd(from: index)
      case UInt8(ascii: "{"):
        depth += 1
        index += 1
      case UInt8(ascii: "}"):
        if depth == 0 { return matches("}}", at: index) ? index : nil }
        depth -= 1
        index += 1
      default: index += 1
      }
    }
    return nil
  }

  /// The position after the CEL string that starts at `start`; an unclosed one is left for CEL to report.
  private func stringEnd(from start: Int) -> Int {
    let quote = bytes[start]
    let isTriple = start + 2 < bytes.count && bytes[start + 1] == quote && bytes[start + 2] == quote
    let isRaw =
      start > 0 && (bytes[start - 1] == UInt8(ascii: "r") || bytes[start - 1] == UInt8(ascii: "R"))
    var index = start + (isTriple ? 3 : 1)
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\"), !isRaw {
        index += 2
      } else if bytes[index] == quote {
        guard isTriple else { return index + 1 }
        if index + 2 < bytes.count, bytes[index + 1] == quote, bytes[index + 2] == quote {
          return index + 3
        }
        index += 1
      } else {
        index += 1
      }
    }
    return start + 1
  }
}

extension UInt8 {
  /// Whether it continues a Unicode scalar that an earlier byte started (RFC 3629 §3).
  fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}
