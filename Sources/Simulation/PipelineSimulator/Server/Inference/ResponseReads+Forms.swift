/// The implications of the forms of expressions for the parts that they read.
extension ResponseReads {
  mutating func note(_ path: Path, _ use: Use?) {
    root.at(path[...]) { node in if let use { node.note(use) } }
  }

  mutating func walk(_ syntax: Syntax, _ use: Use?, _ names: Names) {
    noteIndexed(syntax, names)
    if let (known, rest) = definition(of: syntax, names) {
      walk(Self.syntax(of: known), rest.isEmpty ? use : nil, Names(known))
      for path in paths(of: syntax, names) { note(path, use) }
      return
    }
    if syntax.isPart {
      let paths = paths(of: syntax, names)
      for path in paths { note(path, use) }
      if !paths.isEmpty {
        walkFilters(syntax, names)
        return
      }
    }
    switch syntax.kind {
    case .literal, .name, .invalid: break
    case .select(let operand, _, _): walk(operand, nil, names)
    case .has(let operand, let field):
      let paths = paths(of: operand, names)
      for path in paths { note(path + [.member(field.name)], .presence) }
      if paths.isEmpty { walk(operand, nil, names) } else { walkFilters(operand, names) }
    case .index(let operand, let key, _):
      walk(operand, nil, names)
      walk(key, nil, names)
    case .call(let function, let target, let arguments):
      call(function.name, target, arguments, use, names)
    case .list(let elements): for element in elements { walk(element.value, nil, names) }
    case .map(let entries):
      for entry in entries {
        walk(entry.key, .text, names)
        walk(entry.value, nil, names)
      }
    case .and(let operands), .or(let operands):
      for operand in operands { walk(operand, .bool, names) }
    case .conditional(let test, let first, let second):
      walk(test, .bool, names)
      walk(first, use, names)
      walk(second, use, names)
    case .comprehension(let comprehension): walk(comprehension, names)
    case .bind(let name, let value, let body), .optionalMap(let value, let name, let body, _):
      walk(value, nil, names)
      var inner = names
      inner.bound[name.name] = paths(of: value, names)
      walk(body, use, inner)
    }
  }

  /// The components of a path read parts, too.
  private mutating func walkFilters(_ syntax: Syntax, _ names: Names) {
    if let (known, _) = definition(of: syntax, names) {
      walk(Self.syntax(of: known), nil, Names(known))
      return
    }
    switch syntax.kind {
    case .select(let operand, _, _), .index(let operand, _, _):
      noteIndexed(operand, names)
      walkFilters(operand, names)
    case .comprehension(let comprehension): walk(comprehension, names)
    case .conditional, .call, .list: if !syntax.isPart { walk(syntax, nil, names) }
    default: break
    }
  }

  /// A list of which each element is read in turn, such as a URL for each piece of a file; trials have three pieces.
  private mutating func noteIndexed(_ syntax: Syntax, _ names: Names) {
    guard case .index(let list, let key, _) = syntax.kind else { return }
    if case .literal = key.kind { return }
    for path in paths(of: list, names) { root.at(path[...]) { $0.lengths.append(3) } }
  }

  private mutating func walk(_ comprehension: Syntax.Comprehension, _ names: Names) {
    let inner = inside(comprehension, names)
    let lists = paths(of: comprehension.source, names)
    for path in lists { note(path, .list) }
    if lists.isEmpty {
      walk(comprehension.source, .list, names)
    } else {
      walkFilters(comprehension.source, names)
    }
    if let condition = comprehension.condition { walk(condition, .bool, inner) }
    if let transform = comprehension.transform { walk(transform, nil, inner) }
  }

  mutating func call(
    _ function: String, _ target: Syntax?, _ arguments: [Syntax], _ use: Use?, _ names: Names
  ) {
    switch function {
    case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_": compare(arguments, names)
    case "@in": contain(arguments, names)
    case "!_": for argument in arguments { walk(argument, .bool, names) }
    case "timestamp": for argument in arguments { walk(argument, .moment, names) }
    case "duration": for argument in arguments { walk(argument, .lifeText, names) }
    case "seconds": for argument in arguments { walk(argument, .life, names) }
    case "string":
      // `duration(string(x) + "s")` implies a number of seconds.
      for argument in arguments { walk(argument, use == .life ? .life : nil, names) }
    case "int", "uint", "double":
      for argument in arguments { walk(argument, use == .moment ? .momentSeconds : .number, names) }
    case "_+_": add(arguments, use, names)
    case "_-_", "_*_", "_/_", "_%_", "-_":
      for argument in arguments { walk(argument, .number, names) }
    case "size":
      for argument in arguments + [target].compactMap({ $0 }) { walk(argument, .list, names) }
    case "capture", "matches": match([target].compactMap { $0 } + arguments, names)
    case "covering": cover(arguments, names)
    default:
      if let target { walk(target, .text, names) }
      for argument in arguments { walk(argument, nil, names) }
      for path in target.map({ paths(of: $0, names) }) ?? [] {
        for value in arguments.compactMap(\.constant) {
          root.at(path[...]) { $0.note(constant: value) }
        }
      }
    }
  }

  private mutating func match(_ arguments: [Syntax], _ names: Names) {
    guard let text = arguments.first else { return }
    walk(text, .text, names)
    guard arguments.count == 2, case .literal(.string(let pattern)) = arguments[1].kind
    else { return }
    for path in paths(of: text, names) {
      root.at(path[...]) { $0.note(comparedWith: .matching(pattern)) }
    }
  }

  /// A list of ranges that are to cover all bytes: one that has them all.
  private mutating func cover(_ arguments: [Syntax], _ names: Names) {
    for argument in arguments { walk(argument, nil, names) }
    guard arguments.count == 2 else { return }
    for path in paths(of: arguments[0], names) {
      root.at(path[...]) { node in
        node.note(.list)
        node.lengths.append(1)
      }
      let range = path + [.element]
      root.at((range + [.member("offset")])[...]) { $0.note(constant: .int(0)) }
      said(arguments[1], range + [.member("length")], names)
    }
  }

  /// Notes that a part is compared with an expression that reads nothing of the response.
  private mutating func said(_ syntax: Syntax, _ path: Path, _ names: Names) {
    let scalars = names.source.unicodeScalars
    let text = String(
      String.UnicodeScalarView(
        scalars.dropFirst(syntax.range.lowerBound).prefix(syntax.range.count)))
    guard let known = Self.environment.compile(text, isChecked: false).expression else { return }
    root.at(path[...]) { $0.note(comparedWith: .said(known)) }
  }

  private mutating func compare(_ arguments: [Syntax], _ names: Names) {
    for (index, argument) in arguments.enumerated() {
      let other = arguments[arguments.count - 1 - index]
      let parts = paths(of: argument.unconverted, names)
      guard case .literal(let value) = other.kind else {
        walk(argument, nil, names)
        guard paths(of: other, names).isEmpty else { continue }
        for path in parts { said(other, path, names) }
        continue
      }
      if argument.pathText == "response.status", case .int(let status) = value {
        statuses.append(Int(status))
      } else if case .call(let function, let target, let inner) = argument.kind,
        function.name == "size", case .int(let length) = value, let list = target ?? inner.first
      {
        walk(list, .list, names)
        for path in paths(of: list, names) {
          root.at(path[...]) { $0.lengths += [length, length + 1, max(length - 1, 0)] }
        }
      } else {
        walk(argument, nil, names)
        for path in parts {
          root.at(path[...]) { node in
            node.note(constant: value)
            if case .int = value { node.note(.number) }
            if case .bool = value { node.note(.bool) }
          }
        }
      }
    }
  }

  private mutating func contain(_ arguments: [Syntax], _ names: Names) {
    guard arguments.count == 2 else { return }
    walk(arguments[0], nil, names)
    if case .list(let elements) = arguments[1].kind {
      let parts = paths(of: arguments[0], names)
      for case .literal(let value) in elements.map(\.value.kind) {
        if arguments[0].pathText == "response.status", case .int(let status) = value {
          statuses.append(Int(status))
        }
        for path in parts { root.at(path[...]) { $0.note(constant: value) } }
      }
      return
    }
    for path in paths(of: arguments[1], names) {
      if path == [.member("headers")], let name = arguments[0].constant?.stringValue {
        note(path + [.member(name)], .presence)
        continue
      }
      note(path, .list)
      let element = path + [.element]
      if case .literal(let value) = arguments[0].kind {
        root.at(element[...]) { $0.note(constant: value) }
      } else if paths(of: arguments[0], names).isEmpty {
        said(arguments[0], element, names)
      }
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
  /// Whether the expression itself is a part of something, and not one of several things.
  fileprivate var isPart: Bool {
    switch kind {
    case .conditional, .list: false
    case .call(let function, _, _): ["elements", "header"].contains(function.name)
    default: true
    }
  }

  /// A value that is compared in another form, such as the text of a number.
  fileprivate var unconverted: Syntax {
    guard case .call(let function, let target, let arguments) = kind else { return self }
    switch function.name {
    case "int", "uint", "double", "string": return arguments.first?.unconverted ?? self
    case "lowerAscii", "upperAscii", "trim": return target?.unconverted ?? self
    default: return self
    }
  }

  /// A value that is written down: a literal, or an empty list or map.
  fileprivate var constant: Value? {
    switch kind {
    case .literal(let value): value
    case .list(let elements) where elements.isEmpty: .list([])
    case .map(let entries) where entries.isEmpty: .map(MapValue([]))
    default: nil
    }
  }
}
