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
