import CEL

extension Syntax {
  /// `a.b.c`, where this is such a path; a dot before it does not matter.
  var pathText: String? { path?.names.map(\.name).joined(separator: ".") }

  /// The expressions that this one is made of, in the order of the text.
  var parts: [Syntax] {
    switch kind {
    case .literal, .name, .invalid: []
    case .select(let operand, _, _), .has(let operand, _): [operand]
    case .index(let operand, let key, _): [operand, key]
    case .call(_, let target, let arguments): (target.map { [$0] } ?? []) + arguments
    case .list(let elements): elements.map(\.value)
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .and(let operands), .or(let operands): operands
    case .conditional(let test, let first, let second): [test, first, second]
    case .comprehension(let comprehension):
      [comprehension.source]
        + [comprehension.condition, comprehension.transform].compactMap { $0 }
    case .bind(_, let value, let body): [value, body]
    case .optionalMap(let target, _, let body, _): [target, body]
    }
  }

  /// Calls `visit` with this expression and all its parts.
  func walk(_ visit: (Syntax) -> Void) {
    visit(self)
    for part in parts { part.walk(visit) }
  }

  /// Whether this expression or a part of it is as asked for.
  func contains(where matches: (Syntax) -> Bool) -> Bool {
    matches(self) || parts.contains { $0.contains(where: matches) }
  }

  /// The operands of `&&`, taken apart as far as they go.
  var conjuncts: [Syntax] {
    if case .and(let operands) = kind { operands.flatMap(\.conjuncts) } else { [self] }
  }

  /// The texts that `+` joins, from left to right.
  var summands: [Syntax] {
    if case .call(let function, target: nil, let arguments) = kind, function.name == "_+_",
      arguments.count == 2
    {
      arguments[0].summands + arguments[1].summands
    } else {
      [self]
    }
  }

  /// The text where this is a literal of one.
  var literalText: String? {
    if case .literal(.string(let text)) = kind { text } else { nil }
  }

  /// Names that macros give to members: they hide what bears the name outside.
  var boundNames: [Field] {
    switch kind {
    case .comprehension(let comprehension): comprehension.names
    case .bind(let name, _, _), .optionalMap(_, let name, _, _): [name]
    default: []
    }
  }
}

extension Analysis.Entry {
  /// The text of a part.
  func text(_ part: Syntax) -> String { text(part.range) }

  /// The text of a stretch.
  func text(_ range: Range<Int>) -> String {
    let scalars = Array(draft.source.unicodeScalars)
    let range = range.clamped(to: 0..<scalars.count)
    return String(String.UnicodeScalarView(scalars[range]))
  }

  /// The texts of the conditions that all hold where this one does.
  var conjunctTexts: Set<String> {
    let scalars = Array(draft.source.unicodeScalars)
    return Set(
      syntax.conjuncts.map { part in
        String(String.UnicodeScalarView(scalars[part.range.clamped(to: 0..<scalars.count)]))
      })
  }

  /// The variables that it reads.
  var variables: Set<String> { Set(compiled?.references.map(\.variable) ?? []) }
}
