/// A default must match its type, and an optional input needs a type with an empty value.
enum InputDefaultRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for input in pipeline.inputs {
      guard let kind = input.kind else { continue }
      checkDefault(input, kind, collector)
      if let key = input.firstFileKey, kind != .files {
        collector.report(
          .conflictingKeys,
          "'\(key.value)' needs the type 'files', and this input has the type '\(kind.rawValue)'",
          at: key.range)
      }
      guard let required = input.isRequired, !required.value, input.defaultText == nil,
        InputValues.absentValue(of: kind) == nil
      else { continue }
      collector.report(
        .invalidDefault,
        "an input of type '\(kind.rawValue)' cannot be optional, because the type has no empty value",
        at: required.range, help: "set a 'default' instead")
    }
  }

  private static func checkDefault(
    _ input: DraftInput, _ kind: InputDeclaration.Kind, _ collector: DiagnosticCollector
  ) {
    guard let text = input.defaultText, !text.value.holds("${{") else { return }
    if kind == .secret {
      collector.report(
        .invalidDefault, "a secret cannot have a default, because secrets do not belong in files",
        at: text.range)
      return
    }
    do throws(InputValues.Problem) { _ = try InputValues.parse(text.value, as: kind) } catch {
      collector.report(
        error.code, "the default does not match the type '\(kind.rawValue)': \(error.message)",
        at: text.range)
    }
  }
}
