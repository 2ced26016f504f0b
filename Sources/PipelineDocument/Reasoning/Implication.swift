import CEL

/// Whether one condition follows from another, as far as trying values tells.
struct Implication {
  /// What each path that the conditions read is tried with.
  private var candidates: [String: [Value]] = [:]
  /// Whether a path is read in a way that no values are known for.
  private var isOpen = false

  /// More combinations than these are not tried.
  private static let limit = 512

  /// Values with which `premise` is true and `conclusion` false; `nil` where none are found.
  ///
  /// Paths that are compared with constants are tried with these and their neighbours, which is every case of such a
  /// comparison. Where a condition looks at a value otherwise nothing is claimed.
  static func counterexample(
    _ premise: Analysis.Entry, _ conclusion: Analysis.Entry, _ analysis: Analysis
  ) -> [String: Value]? {
    guard let first = premise.compiled, let second = conclusion.compiled else { return nil }
    var search = Implication()
    for entry in [premise, conclusion] {
      search.note(condition: entry.syntax)
      for part in entry.parts { search.note(comparison: part, of: entry, analysis) }
      for part in entry.parts { search.note(question: part) }
    }
    let paths = Set((first.references + second.references).map(\.path)).sorted()
    let choices = paths.map { path in (path: path, values: search.candidates[path] ?? []) }
    let count = choices.reduce(1) { min($0 * $1.values.count, limit + 1) }
    guard !search.isOpen, (1...limit).contains(count) else { return nil }
    for number in 0..<count {
      var rest = number
      var tree = Tree()
      for (path, values) in choices {
        tree.set(path.split(separator: ".")[...], to: values[rest % values.count])
        rest /= values.count
      }
      let variables = tree.variables(of: first.references + second.references)
      if case .bool(true)? = try? first.evaluate(variables),
        case .bool(false)? = try? second.evaluate(variables)
      {
        return variables
      }
    }
    return nil
  }

  /// Notes paths that are conditions themselves.
  private mutating func note(condition: Syntax) {
    switch condition.kind {
    case .and(let operands), .or(let operands):
      for operand in operands { note(condition: operand) }
    case .conditional(let test, let first, let second):
      for part in [test, first, second] { note(condition: part) }
    case .call(let function, target: nil, let arguments) where function.name == "!_":
      for argument in arguments { note(condition: argument) }
    case .name, .select:
      if let path = condition.pathText { candidates[path] = [.bool(true), .bool(false)] }
    default: break
    }
  }

  /// Notes texts that decide a question such as `a.b.startsWith("c")`, and some that do not.
  private mutating func note(question: Syntax) {
    guard case .call(let function, let target?, let arguments) = question.kind,
      ["startsWith", "endsWith", "contains", "matches"].contains(function.name),
      arguments.count == 1, let text = arguments[0].literalText, let path = target.pathText
    else { return }
    // Of a pattern its letters and digits are tried, which for plain ones are a text that it matches.
    let plain = function.name == "matches" ? text.filter { $0.isLetter || $0.isNumber } : text
    candidates[path, default: []] += ["", plain, plain + "_", "_" + plain].map(Value.string)
  }

  /// Notes what a path is compared with.
  private mutating func note(
    comparison: Syntax, of entry: Analysis.Entry, _ analysis: Analysis
  ) {
    guard case .call(let function, target: nil, let arguments) = comparison.kind,
      arguments.count == 2
    else { return }
    var (subject, constants) = (arguments[0], [arguments[1]])
    if function.name == "@in" {
      guard case .list(let elements) = arguments[1].kind else { return }
      constants = elements.map(\.value)
    } else if StatusBounds.comparisons[function.name] == nil {
      return
    } else if case .literal = subject.kind {
      (subject, constants) = (arguments[1], [arguments[0]])
    }
    guard let path = subject.pathText else { return }
    let isCount = path == "item.index" || entry.isFileField(path, "size", analysis)
    for constant in constants {
      switch constant.kind {
      case .literal(.bool): candidates[path] = [.bool(true), .bool(false)]
      case .literal(.string(let text)):
        candidates[path, default: []] += [.string(text), .string(text + "_")]
      case .literal(.int(let number)):
        let near =
          [number, number.addingReportingOverflow(-1).partialValue]
          + [number.addingReportingOverflow(1).partialValue]
        candidates[path, default: []] += near.filter { !isCount || $0 >= 0 }.map(Value.int)
      // Other values may stand in any relation to the rest.
      default: isOpen = true
      }
    }
  }
}

/// Values by the names of paths.
private struct Tree {
  private var branches: [Substring: Tree] = [:]
  private var value: Value?

  package mutating func set(_ names: ArraySlice<Substring>, to value: Value) {
    guard let first = names.first else {
      self.value = value
      return
    }
    branches[first, default: Tree()].set(names.dropFirst(), to: value)
  }

  /// The variables that references read.
  package func variables(of references: [Reference]) -> [String: Value] {
    var variables: [String: Value] = [:]
    for reference in references where variables[reference.variable] == nil {
      let names = reference.variable.split(separator: ".")
      variables[reference.variable] =
        names.reduce(self as Tree?) { tree, name in tree?.branches[name] }?.whole
    }
    return variables
  }

  private var whole: Value {
    value
      ?? .map(MapValue(Dictionary(uniqueKeysWithValues: branches.map { (String($0), $1.whole) })))
  }
}
