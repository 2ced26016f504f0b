extension Syntax {
  /// Calls `visit` with the direct parts of this expression, in text order; builds no list, because every rule visits every expression.
  func forEachPart(_ visit: (Syntax) -> Void) {
    switch kind {
    case .literal, .name, .invalid: break
    case .select(let operand, _, _), .has(let operand, _): visit(operand)
    case .call(_, let target, let arguments):
      if let target { visit(target) }
      for argument in arguments { visit(argument) }
    case .list(let elements): for element in elements { visit(element.value) }
    case .map(let entries):
      for entry in entries {
        visit(entry.key)
        visit(entry.value)
      }
    case .and(let operands), .or(let operands): for operand in operands { visit(operand) }
    case .conditional(let test, let first, let second):
      visit(test)
      visit(first)
      visit(second)
    case .comprehension(let comprehension):
      visit(comprehension.source)
      if let condition = comprehension.condition { visit(condition) }
      if let transform = comprehension.transform { visit(transform) }
    case .index(let first, let second, _), .bind(_, let first, let second),
      .optionalMap(let first, _, let second, _):
      visit(first)
      visit(second)
    }
  }

  package var parts: [Syntax] {
    var parts: [Syntax] = []
    forEachPart { parts.append($0) }
    return parts
  }

  /// This expression and all its parts, each before its own parts.
  ///
  /// Returns a list, because a recursion with a closure would copy its captures for each part.
  var allParts: [Syntax] {
    var found: [Syntax] = []
    appendAll(to: &found)
    return found
  }

  private func appendAll(to found: inout [Syntax]) {
    found.append(self)
    forEachPart { $0.appendAll(to: &found) }
  }

  package func contains(where matches: (Syntax) -> Bool) -> Bool {
    allParts.contains(where: matches)
  }

  var conjuncts: [Syntax] {
    if case .and(let operands) = kind { operands.flatMap(\.conjuncts) } else { [self] }
  }

  var summands: [Syntax] { sum.map { $0[0].summands + $0[1].summands } ?? [self] }
  var firstSummand: Syntax { sum?[0].firstSummand ?? self }

  /// The two operands of `+`; `nil` for anything else.
  private var sum: [Syntax]? {
    guard case .call(let function, target: nil, let arguments) = kind, function.name == "_+_",
      arguments.count == 2
    else { return nil }
    return arguments
  }

  var literalText: String? { if case .literal(.string(let text)) = kind { text } else { nil } }

  /// Variables declared by macros, which hide outer names.
  var boundNames: [Field] {
    switch kind {
    case .comprehension(let comprehension): comprehension.names
    case .bind(let name, _, _), .optionalMap(_, let name, _, _): [name]
    default: []
    }
  }
}
