/// A name that hides another makes an expression read something other than its author expects.
enum ShadowedNameRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    let loops = analysis.loops
    for loop in loops.values {
      guard let variable = loop.variable,
        let input = analysis.draft.inputs.first(where: { $0.name.value == variable.value })
      else { continue }
      collector.report(
        .shadowedName, "the loop variable has the name of an input but a different value",
        at: variable.range, note: ("the input is declared here", input.name.range))
    }
    for entry in analysis.entries.values {
      let variable = entry.place.loop.flatMap { loops[$0]?.variable }
      for part in entry.parts {
        for name in part.boundNames {
          let isVariable = name.name == variable?.value
          guard isVariable || DocumentReader.rootNames.contains(name.name) else { continue }
          collector.report(
            .shadowedName,
            isVariable
              ? "'\(name.name)' hides the loop variable here"
              : "'\(name.name)' hides a name with a meaning of its own in expressions",
            at: analysis.reader.range(name.range, of: entry.draft),
            note: isVariable ? ("the loop variable is named here", variable?.range) : nil,
            help: "choose another name")
        }
      }
    }
  }
}
