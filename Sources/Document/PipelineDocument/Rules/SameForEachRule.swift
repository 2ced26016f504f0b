/// A request that is about no part of its inner loop belongs after the loop.
enum SameForEachRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    let entries = analysis.directory.entries
    for entry in entries {
      let step = entry.draft
      checkUpload(entry, analysis, collector)
      guard step.partOf != nil, let number = entry.loop, let loop = analysis.loops[number],
        case .request(let request)? = step.action, let url = request.url,
        !analysis.entries(of: step).contains(where: { expression in
          expression.compiled == nil
            || expression.variables.contains { analysis.isOfElement($0, of: step, in: loop) }
        }),
        !entries.contains(where: { !collector.spend(2) || isFollowed(step, by: $0, analysis) })
      else { continue }
      collector.report(
        .sameForEach, "this request is the same for each part, and is sent for each", at: url.range,
        help: "move the step after the inner loop, where it waits for all parts")
    }
  }

  private static func checkUpload(
    _ entry: StepDirectory.Entry, _ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector
  ) {
    let step = entry.draft
    guard let part = step.partOf, let number = entry.loop, let loop = analysis.loops[number],
      case .upload(let upload)? = step.action, upload.range == nil,
      let file = analysis.entry(upload.file, in: step.index), file.compiled != nil,
      !file.variables.contains(where: { analysis.isOfElement($0, of: step, in: loop) }),
      case .forEach(let parts)? = analysis.directory.entries[part].draft.action,
      case .call(let function, target: nil, _)? = analysis.entry(parts.items, in: part)?.syntax.kind,
      ["parts", "ranges"].contains(function.name)
    else { return }
    let name = parts.variable.value
    collector.report(
      .sameForEach, "the whole file is sent for each part", at: file.draft.range,
      help: "add 'range: { offset: \"${{ \(name).offset }}\", length: \"${{ \(name).length }}\" }'")
  }

  private static func isFollowed(
    _ step: DraftStep, by other: StepDirectory.Entry, _ analysis: ExpressionAnalysis
  ) -> Bool {
    guard other.draft.partOf == step.partOf, other.index != step.index else { return false }
    return other.draft.dependsOn.contains { $0.value == step.id?.value }
      || analysis.entries(of: other.draft).contains { $0.makers.contains(step.index) }
  }
}
