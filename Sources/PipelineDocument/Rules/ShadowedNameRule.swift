import CEL

/// A name that hides another makes an expression read something else than its author looks at.
enum ShadowedNameRule: ExpressionRule {
  static let pages = [
    Check(
      .shadowedName, .warning, .names, summary: "a name hides another, or is easily taken for it",
      explanation: """
        The name that a macro such as `map` or `filter` gives to members hides what bears it outside of the macro. And a loop's \
        element with the name of an input is another value than the input. Choose another name.
        """,
      wrong: """
        pipeline: example
        inputs: { photos: { type: files } }
        steps:
          - for_each: photo
            in: ${{ inputs.photos }}
            steps:
              - id: send
                if: ${{ inputs.photos.exists(photo, photo.size > 0) }}
                upload: { url: "https://example.com/${{ item.index }}", file: "${{ photo }}" }
        """,
      right: """
        pipeline: example
        inputs: { photos: { type: files } }
        steps:
          - for_each: photo
            in: ${{ inputs.photos }}
            steps:
              - id: send
                if: ${{ inputs.photos.exists(other, other.size > 0) }}
                upload: { url: "https://example.com/${{ item.index }}", file: "${{ photo }}" }
        """)
  ]

  package static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
    let loops = analysis.loops
    for loop in loops.values {
      guard let variable = loop.variable,
        let input = analysis.draft.inputs.first(where: { $0.name.value == variable.value })
      else { continue }
      collector.warning(
        .shadowedName, "the element has the name of an input, and is another value than it",
        at: variable.range,
        notes: [Diagnostic.Note(message: "the input stands here", range: input.name.range)])
    }
    for entry in analysis.entries.values {
      let variable = entry.place.loop.flatMap { loops[$0]?.variable }
      for part in entry.parts {
        for name in part.boundNames {
          let isVariable = name.name == variable?.value
          guard isVariable || DocumentReader.rootNames.contains(name.name) else { continue }
          collector.warning(
            .shadowedName,
            isVariable
              ? "'\(name.name)' hides the element of the loop here"
              : "'\(name.name)' hides what expressions read by that name here",
            at: analysis.reader.range(name.range, of: entry.draft),
            notes: isVariable
              ? variable.map {
                [Diagnostic.Note(message: "the element is named here", range: $0.range)]
              } ?? [] : [], help: "choose another name")
        }
      }
    }
  }
}
