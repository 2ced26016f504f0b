/// A URL in the file must be absolute; for a template, only its constant start is checked.
enum URLRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for url in pipeline.requests.compactMap(\.url) {
      let problem: String?
      if let constant = url.constant {
        problem = URLLiteral.problem(constant)
      } else {
        problem = URLLiteral.problem(beginning: url.leadingText)
      }
      if let problem {
        collector.report(
          .invalidURL, problem, at: url.range,
          help: url.leadingText.hasPrefix("/")
            ? "write what comes before it under 'defaults', as 'url'" : nil)
      }
    }
  }
}
