extension DocumentReader {
  package func text(_ node: YAMLNode, expected: String = "text") -> Located<String>? {
    guard let text = node.string else { return refuse(node, expected: expected) }
    guard !text.holds("${{") else {
      return collector.refuse(
        .expressionNotAllowed, "expressions are not allowed here, expected \(expected)",
        at: range(node))
    }
    return Located(text, at: range(node))
  }

  package func scalarText(_ node: YAMLNode, expected: String) -> Located<String>? {
    guard let scalar = node.scalar, scalar.value != .null
    else { return refuse(node, expected: expected) }
    return Located(scalar.text, at: range(node))
  }

  /// A name that follows `[a-z][a-z0-9_]*`, with `-` too where `allowsHyphen`.
  package func name(_ node: YAMLNode, of what: String, allowsHyphen: Bool = false) -> Located<
    String
  >? {
    guard let name = text(node, expected: what) else { return nil }
    guard !check(name: name, of: what, allowsHyphen: allowsHyphen) else { return name }
    // The rest of the document is checked with the name that was probably meant.
    return Self.validName(for: name.value).map { Located($0, at: name.range) }
  }

  /// Whether `name` is a valid name; reports an error if not.
  package func check(name: Located<String>, of what: String, allowsHyphen: Bool = false) -> Bool {
    guard Self.isName(name.value, allowsHyphen: allowsHyphen) else {
      collector.report(
        .invalidName,
        """
        invalid name '\(name.value)': \(what) must be lower-case letters, digits\
        \(allowsHyphen ? ", '_' and '-'" : " and '_'"), starting with a letter
        """, at: name.range,
        help: Self.validName(for: name.value).map { "did you mean '\($0)'?" })
      return false
    }
    return true
  }

  package static func isName(_ name: String, allowsHyphen: Bool) -> Bool {
    let scalars = name.unicodeScalars
    return scalars.first.map { ("a"..."z").contains($0) } == true
      && scalars.allSatisfy {
        ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "_"
          || allowsHyphen && $0 == "-"
      }
  }

  /// The nearest valid name; `nil` if letters of the text cannot be in one.
  private static func validName(for text: String) -> String? {
    guard text.unicodeScalars.allSatisfy(\.isASCII) else { return nil }
    let scalars = text.lowercased().unicodeScalars.map { scalar -> Character in
      let isKept = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
      return isKept ? Character(scalar) : "_"
    }
    let name = String(scalars.drop { $0 == "_" || $0.isNumber })
    return name.contains { $0 != "_" } ? name : nil
  }

  package func flag(_ node: YAMLNode) -> Located<Bool>? {
    guard case .bool(let flag) = node.scalarValue else {
      guard let text = node.string,
        let truth = AmbiguousScalarRule.oldTruths[text.lowercased()]
      else { return refuse(node, expected: "'true' or 'false'") }
      return collector.refuse(
        .wrongType, "expected 'true' or 'false', found the text '\(text)'", at: range(node),
        help: "write '\(truth)'", replacement: "\(truth)")
    }
    return Located(flag, at: range(node))
  }

  package func duration(_ node: YAMLNode) -> Duration? {
    scalarText(node, expected: "a duration such as '30s'").flatMap {
      literal($0, .invalidDuration, DurationLiteral.parse)
    }
  }

  /// A limit in time; 0 would end everything before it starts.
  func timeout(_ node: YAMLNode) -> Duration? {
    guard let limit = duration(node) else { return nil }
    guard limit > .zero else {
      return collector.refuse(.outOfRange, "a timeout must be more than 0s", at: range(node))
    }
    return limit
  }

  package func size(_ node: YAMLNode) -> Int64? {
    scalarText(node, expected: "a size such as '512 MiB'").flatMap {
      literal($0, .invalidSize, SizeLiteral.parse)
    }
  }

  func literal<Value>(
    _ text: Located<String>, _ code: DiagnosticCode,
    _ parse: (String) throws(LiteralProblem) -> Value
  ) -> Value? {
    do throws(LiteralProblem) { return try parse(text.value) } catch {
      return collector.refuse(code, error.message, at: text.range, nearest: error.suggestion)
    }
  }

  package func rate(_ node: YAMLNode) -> Int64? {
    guard let text = scalarText(node, expected: "bytes per second such as '5 MB/s'")
    else { return nil }
    let words = Substring(text.value).trimmed
    let size = words.hasSuffix("/s") ? words.dropLast(2) : words
    do throws(LiteralProblem) { return try SizeLiteral.parse(String(size)) } catch {
      let isBits = ["bit/s", "bps"].contains { words.lowercased().hasSuffix($0) }
      return collector.refuse(
        .invalidSize, "invalid rate '\(text.value)', expected bytes per second such as '5 MB/s'",
        at: text.range, help: isBits ? "a byte has 8 bits" : nil)
    }
  }

  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ node: YAMLNode, of type: Choice.Type, what: String
  ) -> Located<Choice>? where Choice.RawValue == String {
    guard let text = text(node, expected: what) else { return nil }
    guard let choice = Choice(rawValue: text.value) else {
      let words = Choice.allCases.map(\.rawValue)
      return collector.refuse(
        .invalidChoice,
        "invalid \(what) '\(text.value)', expected \(quotedList(words, joinedBy: "or"))",
        at: text.range, nearest: nearestName(to: text.value, among: words))
    }
    return Located(choice, at: text.range)
  }

  package func list(_ node: YAMLNode, of what: String) -> [YAMLNode]? {
    guard let elements = node.sequence else { return refuse(node, expected: "a list of \(what)") }
    return elements
  }

  package func filledList(
    _ node: YAMLNode, _ key: String, of what: String, _ one: String, help: String? = nil
  ) -> [YAMLNode]? {
    let elements = list(node, of: what)
    if elements?.isEmpty == true {
      collector.report(
        .emptyCollection, "'\(key)' is empty, expected at least one \(one)", at: range(node),
        help: help)
    }
    return elements
  }

  func stepIDs(_ node: YAMLNode?) -> [Located<String>] {
    (node.flatMap { list($0, of: "step IDs") } ?? []).compactMap { text($0, expected: "a step ID") }
  }

  /// The entries of a mapping from names, each name once, `nil` if it is not a mapping.
  package func map(_ node: YAMLNode, of what: String) -> [(name: Located<String>, value: YAMLNode)]?
  {
    guard let entries = node.mapping else { return refuse(node, expected: "a mapping of \(what)") }
    var seen: Set<String> = []
    return entries.compactMap { entry in
      // The merge key is reported when the tree is built.
      guard let name = entry.name, name != "<<", seen.insert(name).inserted else { return nil }
      return (Located(name, at: range(entry.key)), entry.value)
    }
  }
}
