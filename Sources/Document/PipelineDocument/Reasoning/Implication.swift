/// Whether one condition follows from another, tested by trying values.
struct Implication {
  private var candidates: [String: [Value]] = [:]
  /// Whether a path is read in a way for which no candidate values are known.
  private var isOpen = false

  private static let limit = 512

  /// Values that make `premise` true and `conclusion` false; `nil` if none are found.
  ///
  /// Paths compared with constants are tried with the constants and their neighbours, which covers every case of such a
  /// comparison. Nothing is claimed for conditions that use a value in any other way.
  static func counterexample(
    _ premise: ExpressionAnalysis.Entry, _ conclusion: ExpressionAnalysis.Entry,
    _ analysis: ExpressionAnalysis
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
      // Its parts are evaluated once, unless they are loops.
      guard analysis.reader.collector.spend(8 + premise.parts.count + conclusion.parts.count)
      else { return nil }
      var rest = number
      var tree = Tree()
      for (path, values) in choices {
        tree.set(path.split(separator: ".")[...], to: values[rest % values.count])
        rest /= values.count
      }
      let variables = tree.variables(of: first.references + second.references)
      if case .bool(true)? = analysis.reader.collector.value(first, variables),
        case .bool(false)? = analysis.reader.collector.value(second, variables)
      {
        return variables
      }
    }
    return nil
  }

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

  /// Records texts for which a test such as `a.b.startsWith("c")` is true, and some for which it is false.
  private mutating func note(question: Syntax) {
    guard case .call(let function, let target?, let arguments) = question.kind,
      ["startsWith", "endsWith", "contains", "matches"].contains(function.name),
      arguments.count == 1, let text = arguments[0].literalText, let path = target.pathText
    else { return }
    // A pattern is tried with its letters and digits, which match it if it is plain.
    let plain = function.name == "matches" ? text.filter { $0.isLetter || $0.isNumber } : text
    candidates[path, default: []] += ["", plain, plain + "_", "_" + plain].map(Value.string)
  }

  private mutating func note(
    comparison: Syntax, of entry: ExpressionAnalysis.Entry, _ analysis: ExpressionAnalysis
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
      // Other values may compare to the rest in any way.
      default: isOpen = true
      }
    }
  }
}

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

enum ConstantFolding {
  package static func truth(of entry: ExpressionAnalysis.Entry, _ collector: DiagnosticCollector)
    -> Bool?
  {
    truth(of: entry.syntax, in: entry, collector)
  }

  private static func truth(
    of condition: Syntax, in entry: ExpressionAnalysis.Entry, _ collector: DiagnosticCollector
  ) -> Bool? {
    switch condition.kind {
    case .literal(.bool(let flag)): return flag
    case .and(let operands), .or(let operands):
      // One operand decides if it is true for `||`, or false for `&&`.
      let decisive = if case .or = condition.kind { true } else { false }
      let truths = operands.map { truth(of: $0, in: entry, collector) }
      if truths.contains(decisive) { return decisive }
      return truths.allSatisfy { $0 == !decisive } ? !decisive : nil
    case .call(let function, target: nil, let arguments)
    where function.name == "!_" && arguments.count == 1:
      return truth(of: arguments[0], in: entry, collector).map { !$0 }
    case .conditional(let test, let first, let second):
      if let test = truth(of: test, in: entry, collector) {
        return truth(of: test ? first : second, in: entry, collector)
      }
      let truths = [
        truth(of: first, in: entry, collector), truth(of: second, in: entry, collector),
      ]
      return truths[0] == truths[1] ? truths[0] : nil
    default:
      guard !readsVariable(condition) else { return nil }
      let compiled = Variables.base.compile(entry.text(condition)).expression
      guard let compiled, compiled.references.isEmpty,
        collector.spend(32 + compiled.source.utf8.count),
        case .bool(let flag)? = collector.value(compiled)
      else { return nil }
      return flag
    }
  }

  /// Whether a name occurs that is not a library constant such as `MiB` or `kB`.
  private static func readsVariable(_ syntax: Syntax) -> Bool {
    syntax.contains { part in
      guard case .name(let name, _) = part.kind else { return false }
      return switch name {
      case "kB", "KiB", "MiB", "GiB", "TiB", "MB", "GB", "TB": false
      default: true
      }
    }
  }
}
