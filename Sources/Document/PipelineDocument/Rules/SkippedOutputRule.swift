/// A skipped step has no outputs, and expressions that read them fail.
enum SkippedOutputRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    let conditional = analysis.draft.steps.filter { step in
      step.condition != nil
        && ConstantConditionRule.truth(of: step.condition, step, analysis)?.truth != true
    }
    guard !conditional.isEmpty else { return }
    for reader in analysis.draft.steps {
      let entries = analysis.entries(of: reader)
      let read = makers(readIn: entries)
      // The steps of a turn run only if their `repeat` does, which reads them in turn; those of a part if their loop does.
      let outer = (reader.turnOf ?? reader.partOf).map { analysis.draft.steps[$0] }
      // Only outputs that are read need the costly comparison of conditions.
      let makers = conditional.filter { maker in
        maker.id.map { read.contains($0.value[...]) } == true
          && (maker.index < reader.index || maker.turnOf == reader.index)
          && maker.index != outer?.index
          && ![reader, outer].contains {
            $0.map { isGuarded($0, against: maker, analysis) } ?? false
          }
      }
      report(
        entries, reading: makers, "add the same 'if' to this step, or check", analysis, collector)
    }
    for loop in analysis.loops.values {
      let entries = [loop.condition, loop.items].compactMap {
        analysis.entry($0, in: loop.firstStep)
      }
      let makers = conditional.filter { $0.condition?.source != loop.condition?.source }
      report(
        entries, reading: makers, "add the same 'if' to the loop, or check", analysis, collector)
    }
  }

  private static func report(
    _ entries: [ExpressionAnalysis.Entry], reading makers: [DraftStep], _ advice: String,
    _ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector
  ) {
    let references = entries.reduce(0) { $0 + ($1.compiled?.references.count ?? 0) }
    for maker in makers {
      guard let id = maker.id, collector.spend(1 + references) else { continue }
      let prefix = "steps.\(id.value)."
      let reads = entries.flatMap { entry in
        (entry.compiled?.references ?? []).filter { $0.variable.hasPrefix(prefix) }
          .filter {
            collector.spend(entry.parts.count) && !asksFirst($0.variable, in: entry.syntax)
          }
          .map { ($0.variable, analysis.reader.range($0.range, of: entry.draft)) }
      }
      guard let (name, range) = reads.min(by: { $0.1.start < $1.1.start }),
        let condition = maker.condition
      else { continue }
      collector.report(
        .skippedOutput, "'\(name)' is missing when the step '\(id.value)' is skipped", at: range,
        note: ("'\(id.value)' is skipped when this is false", condition.range),
        help: "\(advice) 'has(\(name))' first")
    }
  }

  /// The IDs of the steps whose results expressions read.
  private static func makers(readIn entries: [ExpressionAnalysis.Entry]) -> Set<Substring> {
    var read: Set<Substring> = []
    for entry in entries {
      for reference in entry.compiled?.references ?? [] {
        let names = reference.variable.split(separator: ".", maxSplits: 2)
        if names.count > 1, names[0] == "steps" { read.insert(names[1]) }
      }
    }
    return read
  }

  /// Whether the reader's condition ensures that the maker was not skipped, or may ensure it.
  private static func isGuarded(
    _ reader: DraftStep, against maker: DraftStep, _ analysis: ExpressionAnalysis
  ) -> Bool {
    guard reader.condition != nil else { return false }
    guard let own = analysis.entry(reader.condition, in: reader.index),
      let other = analysis.entry(maker.condition, in: maker.index), own.compiled != nil
    else { return true }
    if own.variables.contains(where: { $0.hasPrefix("steps.\(maker.id?.value ?? "").") })
      || Set(other.conjunctTexts).isSubset(of: own.conjunctTexts)
    {
      return true
    }
    return !own.variables.isDisjoint(with: other.variables)
      && Implication.counterexample(own, other, analysis) == nil
  }

  private static func reads(_ name: String, in parts: [Syntax]) -> Bool {
    parts.contains { $0.contains { $0.pathText?.hasPrefix(name) == true } }
  }

  private static func asksFirst(_ name: String, in syntax: Syntax) -> Bool {
    syntax.contains { part in
      switch part.kind {
      case .has(let operand, let field):
        return operand.pathText.map { "\($0).\(field.name)".hasPrefix(name) } ?? false
      case .conditional(_, let first, let second): return reads(name, in: [first, second])
      case .or(let operands): return reads(name, in: operands)
      default: return false
      }
    }
  }
}
