extension Checker {
  /// The type of a path that starts with a declared name; `nil` if the path is a selection from that name.
  mutating func checkPath(_ syntax: Syntax) -> ValueType? {
    guard let (names, isAbsolute) = syntax.path else { return nil }
    if !isAbsolute, let local = locals.last(where: { $0.name == names[0].name }) {
      return names.count == 1 ? local.type : nil
    }
    var name = isAbsolute ? "." : ""
    for (index, part) in names.enumerated() {
      if index > 0 { name += "." }
      name += part.name
    }
    for count in stride(from: names.count, through: 1, by: -1) {
      if count < names.count { name.removeLast(names[count].name.count + 1) }
      guard let (found, declaration) = declaration(name) else { continue }
      guard count == names.count else { return nil }
      return resolve(syntax, to: found, declaration)
    }
    reportUndeclared(names, at: syntax.range)
    return .dyn
  }

  /// The declaration of a name, recorded for reuse with the same text.
  private mutating func declaration(
    _ name: String
  ) -> (name: String, declaration: Environment.Declaration)? {
    let found = environment.declaration(name)
    switch found?.declaration {
    // A name with a dot before it is not declared by that name.
    case _ where name.hasPrefix("."), .constant?, .definition?: isReusable = false
    case .variable(let type)?: lookUps.append((name, type))
    case nil: lookUps.append((name, nil))
    }
    return found
  }

  private mutating func resolve(
    _ syntax: Syntax, to name: String, _ declaration: Environment.Declaration
  ) -> ValueType {
    switch declaration {
    case .constant(let value, let type):
      resolutions[syntax.id] = .constant(value)
      return type
    case .variable(let type):
      resolutions[syntax.id] = .variable(name)
      references.append(Reference(variable: name, path: name, range: syntax.range))
      return type
    case .definition(let expression):
      resolutions[syntax.id] = .definition(expression)
      definitions[name] = expression
      if expression.depth >= Parser.maximumDepth {
        report(
          .tooComplex, "names are nested deeper than \(Parser.maximumDepth) levels",
          at: syntax.range)
      }
      // Each path once: definitions that read each other twice would double them at every step.
      var known: Set<String> = []
      for reference in expression.references where known.insert(reference.path).inserted {
        references.append(
          Reference(variable: reference.variable, path: reference.path, range: syntax.range))
      }
      return expression.type
    }
  }

  private mutating func reportUndeclared(_ names: [Syntax.Field], at range: Range<Int>) {
    // Skip the search for similar names if the issue will not be reported.
    guard issues.count < Issue.maximumCount else { return }
    let path = names.map(\.name)
    // Among this many names, a similar one is a coincidence, and each mistake would cost a search.
    let isSearched = environment.declarations.count <= 512
    let declared = isSearched ? environment.declarations.keys.sorted() : []
    // The longest part of the path that resembles a declared name of as many parts.
    for count in stride(from: path.count, through: 1, by: -1) {
      let candidates = declared.filter { $0.split(separator: ".").count == count }
      let name = path.prefix(count).joined(separator: ".")
      guard let near = nearestName(to: name, among: candidates) else { continue }
      report(
        .undeclaredReference, "undeclared reference '\(name)'",
        at: range.lowerBound..<names[count - 1].range.upperBound, suggestion: near)
      return
    }
    // Name the path up to the first part that is not a prefix of a declared name.
    var known = 0
    while known < path.count - 1 {
      let prefix = path.prefix(known + 1).joined(separator: ".") + "."
      guard environment.declarations.keys.contains(where: { $0.hasPrefix(prefix) }) else { break }
      known += 1
    }
    let name = path.prefix(known + 1).joined(separator: ".")
    report(
      .undeclaredReference, "undeclared reference '\(name)'",
      at: range.lowerBound..<names[known].range.upperBound)
  }

  mutating func checkSelect(
    _ syntax: Syntax, _ operand: Syntax, _ field: Syntax.Field, isOptional: Bool
  ) -> ValueType {
    if !isOptional, let type = checkPath(syntax) { return type }
    let type = substitution.resolve(check(operand))
    extendReference(operand, field, to: syntax.range)
    guard isOptional else { return selectType(field, from: type) }
    if case .optional(let wrapped) = type { return .optional(selectType(field, from: wrapped)) }
    return .optional(selectType(field, from: type))
  }

  mutating func checkHas(_ syntax: Syntax, _ operand: Syntax, _ field: Syntax.Field) -> ValueType {
    let selection = Syntax(
      id: syntax.id, range: operand.range.lowerBound..<field.range.upperBound, depth: 1,
      kind: .select(operand, field, isOptional: false))
    if checkDeclared(selection) { return .bool }
    let type = substitution.resolve(check(operand))
    extendReference(operand, field, to: selection.range)
    _ = selectType(field, from: type)
    return .bool
  }

  /// Whether the whole path is a declared variable, whose presence `has` then tests.
  private mutating func checkDeclared(_ selection: Syntax) -> Bool {
    guard let (names, isAbsolute) = selection.path,
      isAbsolute || !locals.contains(where: { $0.name == names[0].name }),
      declaration((isAbsolute ? "." : "") + names.map(\.name).joined(separator: ".")) != nil
    else { return false }
    return checkPath(selection) != nil
  }

  private mutating func extendReference(
    _ operand: Syntax, _ field: Syntax.Field, to range: Range<Int>
  ) {
    guard let last = references.indices.last, references[last].range == operand.range,
      operand.path != nil
    else { return }
    references[last].path += "." + field.name
    references[last].range = range
  }

  private mutating func selectType(_ field: Syntax.Field, from type: ValueType) -> ValueType {
    switch type {
    case .dyn, .parameter: return .dyn
    case .map(_, let value): return value
    case .nullable(let type): return selectType(field, from: type)
    case .optional(let type): return .optional(selectType(field, from: substitution.resolve(type)))
    case .object(let object):
      if let type = object.type(ofField: field.name) { return type }
      report(
        .noSuchField, "\(object.name) has no field '\(field.name)'", at: field.range,
        suggestion: nearestName(to: field.name, among: object.fields.map(\.name)))
      return .dyn
    default:
      report(
        .typeMismatch, "\(type) has no fields; expected a map to select '\(field.name)' from",
        at: field.range)
      return .dyn
    }
  }

  mutating func checkIndex(_ operand: Syntax, _ key: Syntax, isOptional: Bool) -> ValueType {
    var type = substitution.resolve(check(operand))
    let keyType = check(key)
    var wraps = isOptional
    if case .optional(let wrapped) = type {
      type = substitution.resolve(wrapped)
      wraps = true
    }
    if case .nullable(let wrapped) = type { type = substitution.resolve(wrapped) }
    let element: ValueType
    switch type {
    case .list(let member):
      expect(.int, keyType, "index of a list", at: key.range)
      element = member
    case .map(let expected, let value):
      if !substitution.isAssignable(keyType, to: expected) {
        expect(
          substitution.resolve(expected, isFinal: true), keyType, "key of the map", at: key.range)
      }
      element = value
    case .object(let object): element = checkKey(key, keyType, of: object)
    case .dyn, .parameter: element = .dyn
    default:
      report(.typeMismatch, "expected a list or a map to index, found \(type)", at: operand.range)
      return .dyn
    }
    return wraps ? .optional(element) : element
  }

  private mutating func checkKey(
    _ key: Syntax, _ type: ValueType, of object: ObjectType
  ) -> ValueType {
    guard case .literal(.string(let name)) = key.kind else {
      expect(.string, type, "key of \(object.name)", at: key.range)
      return .dyn
    }
    return selectType(.init(name: name, range: key.range), from: .object(object))
  }
}

/// The candidate that a misspelled `name` most likely means: few edits away for its length.
func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  var best: (name: String, distance: Int)?
  for candidate in candidates where candidate != name {
    let limit = min(best.map { $0.distance } ?? .max, max(1, candidate.count / 3) + 1)
    let (written, meant) = (Array(name.utf8), Array(candidate.utf8))
    guard abs(written.count - meant.count) < limit else { continue }
    let distance = editDistance(written, meant)
    guard distance < limit else { continue }
    if let best, (best.distance, best.name) <= (distance, candidate) { continue }
    best = (candidate, distance)
  }
  return best?.name
}
