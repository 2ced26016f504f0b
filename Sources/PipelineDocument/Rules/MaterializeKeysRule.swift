/// A materialization asks no server, so that what is said about answers has no effect on it.
enum MaterializeKeysRule: Rule {
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for step in pipeline.steps {
      guard case .materialize? = step.action else { continue }
      for (key, range) in step.answerKeys {
        collector.error(
          .uselessKey, "'\(key)' has no effect in a materialize step, which asks no server",
          at: range)
      }
    }
  }
}
