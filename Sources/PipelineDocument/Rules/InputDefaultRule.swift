import PipelineCore

/// A default fits its type, and what may be left out has a value without one.
enum InputDefaultRule: Rule {
  static let pages = [
    Check(
      .invalidDefault, .error, .values, summary: "a default does not fit the input's type",
      explanation: """
        The default is read as if it had been given on the command line. A secret has none, because the file is no place for it; \
        `required: false` needs a type with an empty value: `string`, `url`, `secret` or `files`.
        """,
      wrong: """
        pipeline: example
        inputs:
          pages: { type: int, default: many }
          password: { type: secret, default: hunter2 }
        steps:
          - id: ping
            request:
              url: https://example.com/${{ inputs.pages }}
              basic: { user: demo, password: "${{ inputs.password }}" }
        """,
      right: """
        pipeline: example
        inputs:
          pages: { type: int, default: 3 }
          password: { type: secret }
        steps:
          - id: ping
            request:
              url: https://example.com/${{ inputs.pages }}
              basic: { user: demo, password: "${{ inputs.password }}" }
        """)
  ]

  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for input in pipeline.inputs {
      guard let kind = input.kind else { continue }
      checkDefault(input, kind, collector)
      guard let required = input.isRequired, !required.value, input.defaultText == nil,
        InputValues.absentValue(of: kind) == nil
      else { continue }
      collector.error(
        .invalidDefault, "an input of type '\(kind.rawValue)' has no empty value",
        at: required.range, help: "give a 'default' instead")
    }
  }

  private static func checkDefault(
    _ input: DraftInput, _ kind: InputDeclaration.Kind, _ collector: DiagnosticCollector
  ) {
    guard let text = input.defaultText, !text.value.holds("${{") else { return }
    if kind == .secret {
      collector.error(
        .invalidDefault, "a secret cannot have a default, because the file is no place for secrets",
        at: text.range)
      return
    }
    do throws(InputValues.Problem) {
      _ = try InputValues.parse(text.value, as: kind)
    } catch {
      collector.error(
        error.code, "the default does not fit the type '\(kind.rawValue)': \(error.message)",
        at: text.range)
    }
  }
}
