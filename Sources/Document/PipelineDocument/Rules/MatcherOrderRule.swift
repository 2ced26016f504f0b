/// Only the last entry of `on` may always hold; the entries after one that does are never reached.
enum MatcherOrderRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for step in pipeline.steps {
      for matchers in [step.matchers, step.results?.matchers ?? []] {
        for matcher in matchers.dropLast() where !matcher.hasCondition {
          collector.report(
            .unreachableMatcher,
            "an entry without 'if' always holds, so the entries after it are never reached",
            at: matcher.range, help: "add an 'if', or move the entry to the end")
        }
      }
    }
  }
}
