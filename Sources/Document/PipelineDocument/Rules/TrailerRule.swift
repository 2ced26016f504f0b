/// A digest of the body is only known once the body has been sent, when no expression can be evaluated.
enum TrailerRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    for step in analysis.draft.steps {
      guard case .upload(let upload)? = step.action else { continue }
      for trailer in upload.trailers {
        for expression in trailer.value?.expressions ?? [] {
          guard let compiled = analysis.entry(expression, in: step.index)?.compiled,
            compiled.variable == nil,
            let name = compiled.references.map(\.variable).first(where: { $0.hasPrefix("body.") })
          else { continue }
          collector.report(
            .invalidTrailer,
            "'\(name)' is not known until the body has been sent, so it cannot be used in an expression",
            at: trailer.value?.range ?? trailer.name.range,
            help: "write it by itself, such as '${{ \(name) }}', with the text around it")
        }
      }
    }
  }
}
