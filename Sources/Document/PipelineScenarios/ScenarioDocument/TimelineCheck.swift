/// Finds timeline entries that set a condition to different values at the same time, without precedence.
struct TimelineCheck {
  private let collector: DiagnosticCollector
  private let clock: Duration

  init(_ collector: DiagnosticCollector, from start: Instant) {
    self.collector = collector
    let day = Self.day.milliseconds
    clock = .milliseconds((start.milliseconds % day + day) % day)
  }

  private static let day = Duration.seconds(86400)

  package func check(_ entries: [LocatedEntry]) {
    let certain = entries.filter { $0.entry.chance == 1 }
    for (index, second) in certain.enumerated() {
      guard case .conditions(let new, _) = second.entry.happening else { continue }
      for first in certain[..<index] {
        guard case .conditions(let old, _) = first.entry.happening,
          weight(first.entry) == weight(second.entry)
        else { continue }
        let values = Dictionary(uniqueKeysWithValues: old.fields.map { ($0.key, $0.value) })
        let differing = new.fields.first { field in
          values[field.key].map { $0 != field.value } ?? false
        }
        let others = stretches(second.entry)
        guard let differing,
          stretches(first.entry).contains(where: { one in
            others.contains { one.from < $0.to && $0.from < one.to }
          })
        else { continue }
        report(differing.key, values[differing.key] ?? "", differing.value, first, second)
        break
      }
    }
  }

  private func report(
    _ key: String, _ old: String, _ new: String, _ first: LocatedEntry, _ second: LocatedEntry
  ) {
    collector.report(
      .conflictingKeys, "'\(key)' is '\(new)' here, but '\(old)' at the same time in another entry",
      at: second.fields.keyRange(key) ?? second.fields.headRange,
      notes: [
        Diagnostic.Note(
          message: "the other entry is here",
          range: first.fields.keyRange(key) ?? first.fields.headRange)
      ],
      help:
        "an entry with 'day' overrides one with 'days', and that overrides one for every day"
    )
  }

  private func weight(_ entry: TimelineEntry) -> Int {
    switch entry.time {
    case .daily(_, let days): days.isEmpty ? 0 : 1
    case .day, .after: 2
    }
  }

  /// When the entry's conditions certainly hold, counted from the first midnight; one week represents all.
  private func stretches(_ entry: TimelineEntry) -> [(from: Duration, to: Duration)] {
    guard case .conditions(_, let spread) = entry.happening,
      case .constant(let milliseconds) = spread
    else { return [] }
    let long = Duration.milliseconds(Int64(milliseconds))
    func stretch(_ from: Duration) -> (from: Duration, to: Duration) { (from, from + long) }
    switch entry.time {
    case .after(let after): return [stretch(clock + after)]
    case .day(let day, let at): return [stretch(Self.day * (day - 1) + at)]
    case .daily(let at, let days):
      // Eight days, so that the last night of a week overlaps the first morning of the next.
      return (0..<8).filter { number in
        days.isEmpty || days.contains(TimelineEntry.Weekday.allCases[number % 7])
      }.map { stretch(Self.day * $0 + at) }
    }
  }
}
