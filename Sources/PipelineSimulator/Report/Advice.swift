import PipelineCore

/// What an author could change, where a rule of the device is the cause of much waiting.
struct Advice {
  /// A sentence each; the weightiest first.
  let lines: [String]

  /// Causes below this part of all waiting are not worth a line.
  private static let worth = 0.1

  init(_ summary: SimulationSummary, _ pipeline: Pipeline) {
    var lines: [String] = []
    if summary.isDeadlocked {
      lines.append(
        "\(TraceText.word(summary.outcome)), with "
          + "\(ReportFormat.count(summary.items - summary.completions.count, "item")) not done")
    }
    if summary.addedWait >= .seconds(60) {
      let limits = pipeline.loops.map { "concurrency is \($0.concurrency)" }
      lines.append(
        "\(ReportFormat.duration(summary.addedWait)) of added wait by RL1 and RL4 in "
          + "\(ReportFormat.count(summary.wakes, "resume")): queue more at once "
          + "(\(limits.joined(separator: ", ")) now), so that fewer resumes are needed")
    }
    let stalls = summary.rankedStalls.filter { $0.word != "answer" }
    let all = stalls.reduce(0) { $0 + $1.time.seconds }
    for (word, time) in stalls.prefix(4) where time.seconds >= Self.worth * all {
      guard let advice = StallCause(word).advice, word != "RL4" else { continue }
      lines.append("\(ReportFormat.duration(time)) of waiting by \(word): \(advice)")
    }
    if summary.bytesSent > 0,
      Double(summary.bytesWasted) > Self.worth * Double(summary.bytesSent)
    {
      let isRefused = summary.reissueCauses.keys.contains { $0.hasPrefix("answered") }
      lines.append(
        "\(ReportFormat.bytes(summary.bytesWasted)) were sent for nothing: "
          + (isRefused
            ? "an ID had died on the way; let 'resource_timeout' be no longer than the ID lives"
            : "cut off and begun anew (TX9); send in parts"))
    }
    self.lines = lines
  }
}
