import CEL

/// Which parts of a response expressions read, and for what: a tree from the response's root down.
struct ResponseReads {
  /// The purpose for which a part is read.
  enum Use: Hashable {
    case bool, text, number, moment, momentSeconds, life, lifeText, link, signedLink, list, presence
  }

  /// One part.
  struct Node {
    var uses: [Use] = []
    /// Values that it is compared with.
    var constants: [Value] = []
    /// Lengths that it is compared with.
    var lengths: [Int64] = []
    /// Members in the order in which they were found.
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

    mutating func note(constant: Value) {
      if !constants.contains(constant) { constants.append(constant) }
    }
  }

  enum Component: Hashable {
    case member(String)
    case element
  }

  /// A part of the response: `json`, `xml`, `headers` or `text` first.
  typealias Path = [Component]

  private(set) var root = Node()
  /// Statuses that conditions name.
  private(set) var statuses: [Int] = []
  /// Names of values that are parts of the response, such as `steps.list.files` in later steps.
  var aliases: [String: Path] = [:]

  private static let environment = Environment(libraries: Library.all)

  /// Records an expression; `use` is the purpose of its value.
  mutating func read(_ source: String, for use: Use? = nil) {
    walk(Self.environment.compile(source, isChecked: false).syntax, use, [:])
  }

  /// The part of the response that an expression refers to, if any.
  func path(of source: String) -> Path? {
    path(of: Self.environment.compile(source, isChecked: false).syntax, [:])
  }

  /// Records what a schema declares.
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

  // MARK: The form of expressions

  private typealias Names = [String: Path]

  private func path(of syntax: Syntax, _ names: Names) -> Path? {
    if let text = syntax.path?.names.map(\.name) {
      if let first = text.first, let bound = names[first] {
        return bound + text.dropFirst().map(Component.member)
      }
      for count in (1...text.count).reversed() {
        if let alias = aliases[text.prefix(count).joined(separator: ".")] {
          return alias + text.dropFirst(count).map(Component.member)
        }
      }
      guard text.count >= 2, text[0] == "response",
        ["json", "xml", "headers", "text"].contains(text[1])
      else { return nil }
      return text.dropFirst().map(Component.member)
    }
    switch syntax.kind {
    case .select(let operand, let field, _):
      return path(of: operand, names).map { $0 + [.member(field.name)] }
    case .index(let operand, let key, _):
      guard let base = path(of: operand, names) else { return nil }
      if case .literal(.string(let text)) = key.kind { return base + [.member(text)] }
      return base + [.element]
    case .call(let function, nil, let arguments) where function.name == "elements":
      guard arguments.count == 2, let base = path(of: arguments[0], names),
        case .literal(.string(let text)) = arguments[1].kind
      else { return nil }
      return base + text.split(separator: "/").map { .member(String($0)) }
    case .comprehension(let comprehension) where comprehension.kind == .list:
      // A filter returns elements of its source.
      return comprehension.transform == nil ? path(of: comprehension.source, names) : nil
    default: return nil
    }
  }

  private mutating func note(_ path: Path, _ use: Use?) {
    root.at(path[...]) { node in if let use { node.note(use) } }
  }

  private mutating func walk(_ syntax: Syntax, _ use: Use?, _ names: Names) {
    if let path = path(of: syntax, names) {
      note(path, use)
      walkFilters(syntax, names)
      return
    }
    switch syntax.kind {
    case .literal, .name, .invalid: break
    case .select(let operand, _, _): walk(operand, nil, names)
    case .has(let operand, let field):
      if let path = path(of: operand, names) {
        root.at((path + [.member(field.name)])[...]) { $0.note(.presence) }
      }
    case .index(let operand, let key, _):
      walk(operand, nil, names)
      walk(key, nil, names)
    case .call(let function, let target, let arguments):
      call(function.name, target, arguments, use, names)
    case .list(let elements): for element in elements { walk(element.value, nil, names) }
    case .map(let entries): for entry in entries { walk(entry.value, nil, names) }
    case .and(let operands), .or(let operands):
      for operand in operands { walk(operand, .bool, names) }
    case .conditional(let test, let first, let second):
      walk(test, .bool, names)
      walk(first, use, names)
      walk(second, use, names)
    case .comprehension(let comprehension): walk(comprehension, names)
    case .bind(let name, let value, let body):
      walk(value, nil, names)
      var inner = names
      inner[name.name] = path(of: value, names)
      walk(body, use, inner)
    case .optionalMap(let target, let name, let body, _):
      walk(target, nil, names)
      var inner = names
      inner[name.name] = path(of: target, names)
      walk(body, use, inner)
    }
  }

  /// Filters in a path read parts, too.
  private mutating func walkFilters(_ syntax: Syntax, _ names: Names) {
    switch syntax.kind {
    case .select(let operand, _, _), .index(let operand, _, _): walkFilters(operand, names)
    case .comprehension(let comprehension): walk(comprehension, names)
    default: break
    }
  }

  private mutating func walk(_ comprehension: Syntax.Comprehension, _ names: Names) {
    var inner = names
    if let path = path(of: comprehension.source, names) {
      note(path, .list)
      walkFilters(comprehension.source, names)
      if let name = comprehension.names.last { inner[name.name] = path + [.element] }
    } else {
      walk(comprehension.source, .list, names)
    }
    if let condition = comprehension.condition { walk(condition, .bool, inner) }
    if let transform = comprehension.transform { walk(transform, nil, inner) }
  }
}

/// What functions imply about their arguments.
extension ResponseReads {
  private mutating func call(
    _ function: String, _ target: Syntax?, _ arguments: [Syntax], _ use: Use?, _ names: Names
  ) {
    switch function {
    case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_":
      compare(arguments, names)
    case "@in": contain(arguments, names)
    case "!_": for argument in arguments { walk(argument, .bool, names) }
    case "timestamp":
      for argument in arguments { walk(argument, .moment, names) }
    case "duration":
      for argument in arguments { walk(argument, .lifeText, names) }
    case "seconds":
      for argument in arguments { walk(argument, .life, names) }
    case "string":
      // `duration(string(x) + "s")` implies a number of seconds.
      for argument in arguments { walk(argument, use == .life ? .life : nil, names) }
    case "int", "uint", "double":
      let inner: Use = use == .moment ? .momentSeconds : .number
      for argument in arguments { walk(argument, inner, names) }
    case "_+_": add(arguments, use, names)
    case "_-_", "_*_", "_/_", "_%_", "-_":
      for argument in arguments { walk(argument, .number, names) }
    case "size":
      for argument in arguments + [target].compactMap({ $0 }) { walk(argument, .list, names) }
    default:
      if let target { walk(target, .text, names) }
      for argument in arguments { walk(argument, nil, names) }
      if let target, let path = path(of: target, names) {
        for case .literal(let value) in arguments.map(\.kind) {
          root.at(path[...]) { $0.note(constant: value) }
        }
      }
    }
  }

  private mutating func compare(_ arguments: [Syntax], _ names: Names) {
    for (index, argument) in arguments.enumerated() {
      let other = arguments[arguments.count - 1 - index]
      guard case .literal(let value) = other.kind else {
        walk(argument, nil, names)
        continue
      }
      if argument.pathText == "response.status", case .int(let status) = value {
        statuses.append(Int(status))
      } else if let path = path(of: argument, names) {
        root.at(path[...]) { node in
          node.note(constant: value)
          if case .int = value { node.note(.number) }
          if case .bool = value { node.note(.bool) }
        }
      } else if case .call(let function, let target, let inner) = argument.kind,
        function.name == "size", case .int(let length) = value,
        let list = target ?? inner.first, let path = path(of: list, names)
      {
        root.at(path[...]) { node in
          node.note(.list)
          node.lengths += [length, length + 1, max(length - 1, 0)]
        }
      } else {
        walk(argument, nil, names)
      }
    }
  }

  private mutating func contain(_ arguments: [Syntax], _ names: Names) {
    guard arguments.count == 2 else { return }
    if case .list(let elements) = arguments[1].kind {
      for case .literal(let value) in elements.map(\.value.kind) {
        if arguments[0].pathText == "response.status", case .int(let status) = value {
          statuses.append(Int(status))
        } else if let path = path(of: arguments[0], names) {
          root.at(path[...]) { $0.note(constant: value) }
        }
      }
      return
    }
    walk(arguments[0], nil, names)
    guard let path = path(of: arguments[1], names) else { return }
    note(path, .list)
    if case .literal(let value) = arguments[0].kind {
      root.at((path + [.element])[...]) { $0.note(constant: value) }
    }
  }

  private mutating func add(_ arguments: [Syntax], _ use: Use?, _ names: Names) {
    let isText = arguments.contains { if case .literal(.string) = $0.kind { true } else { false } }
    let isNumber = arguments.contains { if case .literal(.int) = $0.kind { true } else { false } }
    for (index, argument) in arguments.enumerated() {
      let inner: Use? =
        use == .lifeText
        ? .life : use == .link && index == 0 ? .link : isText ? .text : isNumber ? .number : nil
      walk(argument, inner, names)
    }
  }
}

extension Syntax {
  /// `a.b.c`, if the expression is such a path.
  fileprivate var pathText: String? { path?.names.map(\.name).joined(separator: ".") }
}
