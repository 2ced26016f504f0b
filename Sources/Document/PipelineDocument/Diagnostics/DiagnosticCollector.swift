/// A budget that all readers, checkers and rules of a document spend.
package final class SharedBudget {
  package var spent: WorkBudget
  fileprivate var isReported = false

  package init(_ budget: WorkBudget = WorkBudget()) { spent = budget }
}

/// Collects the findings of readers and rules in one file; a class, because readers at every depth add to the same list.
package final class DiagnosticCollector {
  package let file: String
  private let name: FileName
  /// The number of findings kept per code; no one reads more, and a crafted file can have millions.
  package static let limit = 100
  private var kept: [Diagnostic] = []
  private var counts: [DiagnosticCode: Int] = [:]
  private var omitted: [DiagnosticCode: Diagnostic] = [:]

  package var diagnostics: [Diagnostic] {
    guard !omitted.isEmpty else { return kept }
    return kept
      + omitted.values.map { first in
        let count = counts[first.code, default: 0] - Self.limit
        return Diagnostic(
          first.code, severity: first.severity, "\(count) more findings of this kind from here on",
          at: first.range)
      }
  }

  /// The budget of the document, which the files that it uses share.
  package let budget: SharedBudget
  /// Where an exceeded budget is reported; `nil` for the collector itself.
  private let reporter: DiagnosticCollector?

  package init(file: String, budget: SharedBudget = SharedBudget()) {
    self.file = file
    self.budget = budget
    reporter = nil
    name = FileName(file)
  }

  /// A collector whose findings are not read, with the budget of another.
  package init(besides reporter: DiagnosticCollector) {
    file = reporter.file
    budget = reporter.budget
    self.reporter = reporter
    name = reporter.name
  }

  /// Spends something of the budget; an excess is reported once, at `range` or at the start of the file.
  ///
  /// - Returns: Whether nothing is used up: if not, the planned work must not be done.
  @discardableResult
  package func spend(
    _ amount: Int = 1, _ resource: WorkBudget.Resource = .work, at range: TextRange? = nil
  ) -> Bool {
    budget.spent.spend(amount, resource) || reportExcess(at: range)
  }

  /// Whether the number of something is within the budget; otherwise it is reported once.
  package func allows(
    _ count: Int, _ resource: WorkBudget.Resource, at range: TextRange? = nil
  ) -> Bool {
    budget.spent.allows(count, resource) || reportExcess(at: range)
  }

  /// The value of an expression, which costs as much as its evaluation; `nil` if there is no value,
  /// or none within `cost` and the budget.
  package func value(
    _ expression: CompiledExpression, _ variables: [String: Value] = [:],
    cost: Int = EvaluationLimits.default.cost
  ) -> Value? {
    let cost = min(budget.spent.left(.work), cost)
    var meter = Meter(cost: cost)
    let value = try? expression.evaluate(variables, meter: &meter)
    return spend(cost - meter.remaining) ? value : nil
  }

  private func reportExcess(at range: TextRange?) -> Bool {
    if let reporter { return reporter.reportExcess(at: range) }
    guard !budget.isReported, let excess = budget.spent.excess else { return false }
    budget.isReported = true
    let start = SourcePosition(line: 1, column: 1)
    let isCount = [.steps, .files].contains(budget.spent.exceeded)
    report(
      .tooCostly,
      isCount ? "the pipeline has \(excess)" : "checking the file would take \(excess)",
      at: range ?? TextRange(in: name, start: start, end: start),
      help: isCount ? "let 'for_each' or 'repeat' do the same steps several times" : nil)
    return false
  }

  private(set) var hasErrors = false
  package var ignores = IgnoreList()
  private var dropped: Set<TextRange> = []

  func dropping(at ranges: Set<TextRange>, _ check: () -> Void) {
    dropped = ranges
    check()
    dropped = []
  }

  package func report(_ diagnostic: Diagnostic) {
    if !ignores.isEmpty, ignores.silences(diagnostic) { return }
    if !dropped.isEmpty, dropped.contains(diagnostic.range) { return }
    keep(diagnostic)
    if diagnostic.severity == .error { hasErrors = true }
  }

  /// Whether another finding of the code would only be counted, so that its message is not needed.
  func onlyCounts(_ code: DiagnosticCode) -> Bool { counts[code, default: 0] > Self.limit }

  private func keep(_ diagnostic: Diagnostic) {
    let count = counts[diagnostic.code, default: 0] + 1
    counts[diagnostic.code] = count
    if count <= Self.limit {
      kept.append(diagnostic)
    } else if omitted[diagnostic.code] == nil {
      omitted[diagnostic.code] = diagnostic
    }
  }

  /// Reports a rule's finding.
  ///
  /// - Parameters:
  ///   - severity: `nil` for that of the code's page.
  ///   - note: What there is to see at another place, if there is one.
  ///   - nearest: The probable intention, which is proposed instead of `help`.
  ///   - replacement: The only text to put in place of the range.
  ///   - fix: The only replacement, if its range is another.
  ///   - fixes: Replacements that the user must choose from.
  package func report(
    _ code: DiagnosticCode, severity: Diagnostic.Severity? = nil, _ message: String,
    at range: TextRange, note: (message: String, range: TextRange?)? = nil,
    notes: [Diagnostic.Note] = [], help: String? = nil, nearest: String? = nil,
    replacement: String? = nil, fix: Diagnostic.Fix? = nil, fixes: [Diagnostic.Fix] = []
  ) {
    var notes = notes
    if let note, let range = note.range {
      notes.append(Diagnostic.Note(message: note.message, range: range))
    }
    let fix = (nearest ?? replacement).map { Diagnostic.Fix(range: range, replacement: $0) } ?? fix
    report(
      Diagnostic(
        code, severity: severity, message, at: range, notes: notes,
        help: nearest.map { "did you mean '\($0)'?" } ?? help, fixes: fix.map { [$0] } ?? fixes))
  }

  /// Reports why a value cannot be read; `nil`, for the reader to return.
  package func refuse<Value>(
    _ code: DiagnosticCode, _ message: String, at range: TextRange,
    note: (message: String, range: TextRange?)? = nil, help: String? = nil, nearest: String? = nil,
    replacement: String? = nil
  ) -> Value? {
    report(
      code, message, at: range, note: note, help: help, nearest: nearest, replacement: replacement)
    return nil
  }

  package func report(_ issue: YAMLIssue) {
    report(
      Diagnostic(
        // The codes of the YAML layer are a subset of ours, as a test ensures.
        DiagnosticCode(rawValue: issue.code.rawValue) ?? .yamlSyntax, issue.message,
        at: range(issue.range),
        notes: issue.notes.map { Diagnostic.Note(message: $0.message, range: range($0.range)) },
        fixes: issue.fix.map {
          [Diagnostic.Fix(range: range($0.range), replacement: $0.replacement, isSafe: true)]
        } ?? []))
  }

  package func range(_ range: SourceRange) -> TextRange {
    TextRange(in: name, start: range.start, end: range.end)
  }
}
