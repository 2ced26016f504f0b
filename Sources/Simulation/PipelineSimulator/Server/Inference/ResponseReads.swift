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
    /// The definitions of the names that it refers to.
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

  /// The parts of the response that an expression may refer to.
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
