/// A URL that stands in the file is absolute; of a template, as far as its beginning tells.
enum URLRule: Rule {
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for url in pipeline.requests.compactMap(\.url) {
      let problem: String?
      if let constant = url.constant {
        problem = URLLiteral.problem(constant)
      } else {
        problem = URLLiteral.problem(beginning: url.leadingText)
      }
      if let problem { collector.error(.invalidURL, problem, at: url.range) }
    }
  }
}
