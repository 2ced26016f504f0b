/// Only the last entry of `on` may hold always; what stands after one that does is never reached.
enum MatcherOrderRule: Rule {
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for step in pipeline.steps {
      for matcher in step.matchers.dropLast() where !matcher.hasCondition {
        collector.error(
          .unreachableMatcher,
          "an entry without 'if' always holds, so that the entries after it are never reached",
          at: matcher.range, help: "add an 'if', or move the entry to the end")
      }
    }
  }
}
