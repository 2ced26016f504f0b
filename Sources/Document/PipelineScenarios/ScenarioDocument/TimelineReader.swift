struct TimelineReader {
  let scenario: ScenarioReader
  let start: Instant
  let length: Duration
  private var reader: DocumentReader { scenario.reader }
  private var collector: DiagnosticCollector { scenario.collector }

  private static let day = Duration.seconds(86400)

  package func entries(_ node: YAMLNode) -> [TimelineEntry] {
    guard let elements = reader.list(node, of: "entries") else { return [] }
    let found = elements.compactMap { element -> LocatedEntry? in
      guard let fields = reader.fields(element, .timelineEntry) else { return nil }
      return entry(fields).map { LocatedEntry(entry: $0, fields: fields) }
    }
    TimelineCheck(collector, from: start).check(found)
    return found.map(\.entry)
  }

  private func entry(_ fields: FieldReader) -> TimelineEntry? {
    guard let time = time(fields), let happening = happening(fields) else { return nil }
    return TimelineEntry(
      time, happening, jitter: fields["jitter"].flatMap(reader.duration) ?? .zero,
      chance: fields.number("chance") ?? 1)
  }

  // MARK: When

  private func time(_ fields: FieldReader) -> TimelineEntry.Time? {
    if let node = fields["after"] {
      guard let after = reader.duration(node) else { return nil }
      guard after < length else { return outside("'after' is beyond", node) }
      return .after(after)
    }
    guard let at = (fields["at"] ?? fields["from"]).flatMap(clock) else { return nil }
    if let node = fields["day"] {
      guard let day = fields.integer("day") else { return nil }
      guard Self.day * (day - 1) < length else { return outside("day \(day) is beyond", node) }
      return .day(day, at)
    }
    guard let node = fields["days"] else { return .daily(at, []) }
    guard let elements = reader.list(node, of: "days such as 'mon'") else { return nil }
    if elements.isEmpty {
      collector.report(
        .emptyCollection, "'days' is empty, expected at least one day", at: reader.range(node))
    }
    let days = elements.compactMap {
      reader.choice($0, of: TimelineEntry.Weekday.self, what: "day of the week")?.value
    }
    return days.isEmpty ? nil : .daily(at, days)
  }

  private func outside(_ what: String, _ node: YAMLNode) -> TimelineEntry.Time? {
    let days = length.milliseconds / Self.day.milliseconds
    collector.report(
      .outOfRange, "\(what) the \(days) \(days == 1 ? "day" : "days") of the scenario",
      at: reader.range(node))
    return nil
  }

  private func clock(_ node: YAMLNode) -> Duration? {
    guard let text = reader.scalarText(node, expected: "a time of day such as '08:10'")
    else { return nil }
    let parts = text.value.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.allSatisfy { $0.isASCII && $0.isNumber } && part.count <= 2 ? Int(part) : nil
    }
    guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24,
      numbers.dropFirst().allSatisfy({ $0 < 60 })
    else {
      collector.report(
        .invalidConstant, "invalid time of day '\(text.value)', expected one such as '08:10'",
        at: text.range)
      return nil
    }
    return .seconds(numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0))
  }

  // MARK: What

  func randomEntry(_ node: YAMLNode) -> RandomEntry? {
    guard let fields = reader.fields(node, .randomEntry), let happening = happening(fields),
      let node = fields["every"], let every = reader.duration(node)
    else { return nil }
    guard every >= .seconds(1) else {
      collector.report(.outOfRange, "'every' is less than a second", at: reader.range(node))
      return nil
    }
    return RandomEntry(every: every, happening)
  }

  private static let happenings = ["open", "do", "clock_forward", "clock_back"]

  private func happening(_ fields: FieldReader) -> ScenarioHappening? {
    let conditionKeys = (Construct.conditionKeys.map(\.name) + ["free"]).filter(fields.has)
    let kinds = Self.happenings.filter(fields.has) + conditionKeys.prefix(1)
    guard kinds.count == 1, let kind = kinds.first else {
      if kinds.isEmpty {
        collector.report(
          .missingKey,
          "\(fields.construct.phrase) does nothing, expected \(Self.happenings.map { "'\($0)'" }.joined(separator: ", ")) or conditions such as 'network'",
          at: fields.headRange)
      } else {
        collector.report(
          .conflictingKeys,
          "\(fields.construct.phrase) has \(quotedList(kinds)), expected one of these",
          at: kinds.last.flatMap(fields.keyRange) ?? fields.headRange,
          help: "write one entry for each")
      }
      return nil
    }
    if !conditionKeys.isEmpty { return conditions(fields) }
    for key in ["for", "from", "to"] {
      guard let range = fields.keyRange(key) else { continue }
      collector.report(
        .uselessKey, "'\(key)' requires a condition such as 'network'", at: range,
        help: key == "from" ? "write 'at'" : nil)
    }
    if kind == "do" {
      return fields["do"].flatMap {
        reader.choice($0, of: ScenarioAction.self, what: "event")
      }.map { .action($0.value) }
    }
    guard let node = fields[kind], let length = reader.duration(node) else { return nil }
    guard length > .zero else {
      let message =
        kind == "open"
        ? "'open' must be longer than zero" : "a clock change must be longer than zero"
      collector.report(.outOfRange, message, at: reader.range(node))
      return nil
    }
    switch kind {
    case "clock_forward": return .clockChange(by: length)
    case "clock_back": return .clockChange(by: .zero - length)
    default: return .open(length)
    }
  }

  private func conditions(_ fields: FieldReader) -> ScenarioHappening? {
    let conditions = scenario.conditions(fields)
    guard fields.has("from") || fields.has("to") else {
      guard let node = fields["for"] else {
        collector.report(
          .missingKey, "conditions need 'for', their duration",
          at: fields.headRange, help: "for example: for: 30m")
        return nil
      }
      return scenario.spread(node, .durationSpread).map { .conditions(conditions, for: $0) }
    }
    guard let to = fields["to"] else {
      // A missing 'from' has been reported by the reader of the time.
      guard fields.has("for") else {
        collector.report(
          .missingKey, "conditions with 'from' need 'to', their end", at: fields.headRange,
          help: "for example: to: \"07:00\"")
        return nil
      }
      return fields["for"].flatMap { scenario.spread($0, .durationSpread) }
        .map { .conditions(conditions, for: $0) }
    }
    guard let from = fields["from"] else {
      collector.report(
        .missingKey, "'to' requires 'from'", at: fields.keyRange("to") ?? fields.headRange,
        help: "write 'from' instead of 'at'")
      return nil
    }
    if let range = fields.keyRange("for") {
      collector.report(.conflictingKeys, "an entry cannot have both 'to' and 'for'", at: range)
    }
    guard let start = clock(from), let end = clock(to) else { return nil }
    guard start != end else {
      collector.report(.outOfRange, "'to' must differ from 'from'", at: reader.range(to))
      return nil
    }
    let length = end > start ? end - start : end - start + Self.day
    return .conditions(conditions, for: .constant(Double(length.milliseconds)))
  }
}

struct LocatedEntry {
  package let entry: TimelineEntry
  package let fields: FieldReader
}
