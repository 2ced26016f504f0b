/// NDJSON on standard output: one object per line, distinguished by `event`.
struct JSONDisplay: ProgressDisplay {
  func begin(_ run: RunFolder) {
    Terminal.print(EncodedJSON.of(BeginningForm { $0.run = run.id.rawValue }))
  }

  func itemsLeft(_ items: [Item], _ lines: [FailureTally.Line]) {
    for item in items { Terminal.print(EncodedJSON.of(EndedItemForm(item))) }
  }

  func progressed(_ facts: ProgressFacts, news: [String]) {
    Terminal.print(EncodedJSON.of(ProgressForm(facts)))
  }

  func end() {}
}
