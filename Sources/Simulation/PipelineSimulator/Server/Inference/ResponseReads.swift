import CELFunctions

/// Which parts of a response expressions read, and for what: a tree from the response's root down.
struct ResponseReads {
  enum Use: Hashable {
    case bool, text, number, moment, momentSeconds, life, lifeText, link, signedLink, list, presence
    /// A list with an element for each member of a batch.
    case each
  }

  struct Node {
    var uses: [Use] = []
    var compared: [ResponseShape] = []
    var lengths: [Int64] = []
    var members: [(key: String, node: Node)] = []
    /// Elements that an index or a comprehension reaches.
    var elements: [Node] = []

    mutating func at(_ path: ArraySlice<Component>, _ change: (inout Node) -> Void) {
      guard let first = path.first else {
        change(&self)
        return
      }
      switch first {
      case .member(let key):
        let index: Int
        if let known = members.firstIndex(where: { $0.key == key }) {
          index = known
        } else {
          index = members.count
          members.append((key, Node()))
        }
        members[index].node.at(path.dropFirst(), change)
      case .element:
        if elements.isEmpty { elements.append(Node()) }
        elements[0].at(path.dropFirst(), change)
      }
    }

    mutating func note(_ use: Use) { if !uses.contains(use) { uses.append(use) } }

    mutating func note(comparedWith form: ResponseShape) {
      if !compared.contains(form) { compared.append(form) }
    }

    mutating func note(constant: Value) { note(comparedWith: .value(constant)) }
  }

  enum Component: Hashable {
    case member(String)
    case element
  }

  /// A part of the response: `json`, `xml`, `headers` or `text` first.
  typealias Path = [Component]
  var root = Node()
  /// Statuses that conditions name.
  var statuses: [Int] = []
  /// Names of values that are parts of the response, such as `steps.list.files` in later steps; a value may be one of several.
  var aliases: [String: [Path]] = [:]

  struct Names {
    let source: String
    let definitions: [String: CompiledExpression]
    /// The parts of the response that its own names may be.
    var bound: [String: [Path]] = [:]

    init(_ expression: CompiledExpression) {
      source = expression.source
      definitions = expression.definitions
    }
  }

  static let environment = Environment(libraries: Library.all + [.uploads])

  static func syntax(of expression: CompiledExpression) -> Syntax {
    environment.compile(expression.source, isChecked: false).syntax
  }

  /// Records an expression; `use` is the purpose of its value.
  mutating func read(_ expression: CompiledExpression, for use: Use? = nil) {
    walk(Self.syntax(of: expression), use, Names(expression))
  }

  mutating func read(_ matcher: Matcher) {
    if let condition = matcher.condition { read(condition.compiled, for: .bool) }
    if let after = matcher.after { read(after.compiled) }
    for part in matcher.message?.expressions ?? [] { read(part.compiled) }
  }

  /// Records the reads of the results of a batch's members.
  mutating func read(_ batch: BatchPolicy) {
    read(batch.result.compiled)
    let results = paths(of: batch.result.compiled)
    for path in results {
      guard let place = path.firstIndex(of: .element) else { continue }
      note(Array(path[..<place]), .each)
    }
    aliases["batch.result"] = results
    for matcher in batch.matchers { read(matcher) }
  }

  /// Assigns a name to the parts of the response that an expression refers to, if there are any.
  mutating func name(_ name: String, _ expression: CompiledExpression) {
    let found = paths(of: expression)
    if !found.isEmpty { aliases[name] = found }
  }

  /// Assigns a name to the elements of a list, if they are parts of the response.
  mutating func name(_ name: String, elementsOf list: CompiledExpression) {
    let found = elements(of: Self.syntax(of: list), Names(list))
    if !found.isEmpty { aliases[name] = found }
  }

  private func paths(of expression: CompiledExpression) -> [Path] {
    paths(of: Self.syntax(of: expression), Names(expression))
  }

  mutating func declare(_ schema: Value, at path: Path) {
    guard case .map(let map) = schema else { return }
    func note(_ use: Use) { root.at(path[...]) { $0.note(use) } }
    for word in map["enum"]?.listValue ?? [] { root.at(path[...]) { $0.note(constant: word) } }
    if let constant = map["const"] { root.at(path[...]) { $0.note(constant: constant) } }
    switch map["type"]?.stringValue {
    case "boolean": note(.bool)
    case "integer", "number": note(.number)
    case "array": note(.list)
    case "string":
      let format = map["format"]?.stringValue
      note(format == "date-time" ? .moment : format == "uri" ? .link : .text)
    default: break
    }
    if let items = map["items"] { declare(items, at: path + [.element]) }
    guard case .map(let properties)? = map["properties"] else { return }
    for (key, value) in properties {
      guard let key = key.stringValue else { continue }
      declare(value, at: path + [.member(key)])
    }
  }
}

/// Which parts of the response expressions refer to.
extension ResponseReads {
  /// The definition that a path starts with, and the names after it.
  func definition(
    of syntax: Syntax, _ names: Names
  ) -> (expression: CompiledExpression, rest: [String])? {
    guard let text = syntax.path?.names.map(\.name), let first = text.first,
      names.bound[first] == nil
    else { return nil }
    for count in (1...text.count).reversed() {
      if let found = names.definitions[text.prefix(count).joined(separator: ".")] {
        return (found, Array(text.dropFirst(count)))
      }
    }
    return nil
  }

  /// The parts that an expression may refer to; several if it depends on a condition.
  func paths(of syntax: Syntax, _ names: Names) -> [Path] {
    if let (known, rest) = definition(of: syntax, names) {
      return paths(of: Self.syntax(of: known), Names(known)).map { $0 + rest.map(Component.member) }
    }
    if let text = syntax.path?.names.map(\.name) { return paths(of: text, names) }
    switch syntax.kind {
    case .select(let operand, let field, _):
      return paths(of: operand, names).map { $0 + [.member(field.name)] }
    case .index(let operand, let key, _):
      guard case .literal(.string(let text)) = key.kind else { return elements(of: operand, names) }
      return paths(of: operand, names).map { $0 + [.member(text)] }
    case .call(let function, nil, let arguments) where function.name == "elements":
      guard arguments.count == 2, case .literal(.string(let text)) = arguments[1].kind
      else { return [] }
      let below = text.split(separator: "/").map { Component.member(String($0)) }
      return paths(of: arguments[0], names).map { $0 + below }
    case .call(let function, nil, let arguments) where function.name == "header":
      guard arguments.count == 2, case .literal(.string(let text)) = arguments[1].kind
      else { return [] }
      return paths(of: arguments[0], names).map { $0 + [.member(text)] }
    case .call(let function, nil, let arguments) where function.name == "covering":
      return arguments.first.map { paths(of: $0, names) } ?? []
    case .call(let function, let target?, let arguments) where function.name == "orValue":
      return ([target] + arguments).flatMap { paths(of: $0, names) }
    case .conditional(_, let first, let second):
      return paths(of: first, names) + paths(of: second, names)
    case .comprehension(let comprehension) where comprehension.kind == .list:
      // A filter returns elements of its source.
      return comprehension.transform == nil ? paths(of: comprehension.source, names) : []
    default: return []
    }
  }

  private func paths(of text: [String], _ names: Names) -> [Path] {
    if let first = text.first, let bound = names.bound[first] {
      return bound.map { $0 + text.dropFirst().map(Component.member) }
    }
    for count in (1...text.count).reversed() {
      if let alias = aliases[text.prefix(count).joined(separator: ".")] {
        return alias.map { $0 + text.dropFirst(count).map(Component.member) }
      }
    }
    guard text.count >= 2, text[0] == "response",
      ["json", "xml", "headers", "text"].contains(text[1])
    else { return [] }
    return [text.dropFirst().map(Component.member)]
  }

  /// The parts that the elements of a list may be.
  func elements(of syntax: Syntax, _ names: Names) -> [Path] {
    if let (known, rest) = definition(of: syntax, names), rest.isEmpty {
      return elements(of: Self.syntax(of: known), Names(known))
    }
    switch syntax.kind {
    case .list(let members): return members.flatMap { paths(of: $0.value, names) }
    case .conditional(_, let first, let second):
      return elements(of: first, names) + elements(of: second, names)
    case .call(let function, let target?, let arguments) where function.name == "orValue":
      return ([target] + arguments).flatMap { elements(of: $0, names) }
    case .comprehension(let comprehension) where comprehension.kind == .list:
      guard let transform = comprehension.transform
      else { return elements(of: comprehension.source, names) }
      return paths(of: transform, inside(comprehension, names))
    default: return paths(of: syntax, names).map { $0 + [.element] }
    }
  }

  func inside(_ comprehension: Syntax.Comprehension, _ names: Names) -> Names {
    var inner = names
    for name in comprehension.names { inner.bound[name.name] = [] }
    if let name = comprehension.names.last {
      inner.bound[name.name] = elements(of: comprehension.source, names)
    }
    return inner
  }
}
