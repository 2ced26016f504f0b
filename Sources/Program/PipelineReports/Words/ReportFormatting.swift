/// Words for quantities and states, shared by all reports.
package enum ReportFormatting {
  /// The state of a shard that ended each worker which had it.
  package static let failedToRun = "failed to run"

  /// Bytes with a binary unit, three digits: `1.21 MiB`.
  package static func bytes(_ count: Int64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]
    var value = Double(count)
    var unit = 0
    while value >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    if unit == 0 { return "\(count) B" }
    return "\(decimal(value, digits: value < 10 ? 2 : value < 100 ? 1 : 0)) \(units[unit])"
  }

  /// A number that is not negative, with a fixed number of digits after the point.
  private static func decimal(_ value: Double, digits: Int) -> String {
    let scale = [1, 10, 100][digits]
    let (whole, rest) = Int64((value * Double(scale)).rounded())
      .quotientAndRemainder(dividingBy: Int64(scale))
    guard digits > 0 else { return "\(whole)" }
    return "\(whole).\(String(repeating: "0", count: digits - "\(rest)".count))\(rest)"
  }

  /// A time span: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`.
  package static func duration(_ duration: Duration) -> String {
    let milliseconds = max(duration.milliseconds, 0)
    let seconds = milliseconds / 1000
    switch seconds {
    case ..<10: return "\(decimal(Double(milliseconds) / 1000, digits: 1)) s"
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
    case ..<86400: return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    default: return "\(seconds / 86400) d \(seconds % 86400 / 3600) h"
    }
  }

  /// An instant in UTC, always with milliseconds, so that timestamps align.
  package static func timestamp(_ instant: Instant) -> String {
    let parts = instant.description.dropLast().split(separator: ".")
    let fraction = parts.count > 1 ? parts[1] : ""
    return "\(parts[0]).\(fraction)\(String(repeating: "0", count: max(3 - fraction.count, 0)))Z"
  }

  /// `1 item`, `2 items`.
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Numbers of items for reports in JSON: a member for each state, and for the active items of a run that no process works on.
  package static func items(_ counts: [Item.Status: Int], isAtRest: Bool) -> [String: Int] {
    var items = Dictionary(
      uniqueKeysWithValues: Item.Status.allCases.map { ($0.word, counts[$0] ?? 0) })
    items["interrupted"] = isAtRest ? items["active"] : 0
    if isAtRest { items["active"] = 0 }
    return items
  }

  /// Such numbers as text, without zeros.
  package static func counts(_ items: [String: Int]) -> String {
    items.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      .joined(separator: ", ")
  }

  /// The word for an item's state in a run; while no process works on that, nothing is active.
  package static func status(_ status: Item.Status, isAtRest: Bool) -> String {
    status == .active && isAtRest ? "interrupted" : status.word
  }

  /// Counts, most interesting first, without zeros: `12 done, 3 paused`.
  package static func counts(_ counts: [Item.Status: Int], isAtRest: Bool = false) -> String {
    let order: [Item.Status] = [.done, .failed, .paused, .skipped, .cancelled, .active, .pending]
    let parts = order.compactMap { status -> String? in
      guard let count = counts[status], count > 0 else { return nil }
      return "\(count) \(self.status(status, isAtRest: isAtRest))"
    }
    return parts.isEmpty ? "no items" : parts.joined(separator: ", ")
  }

  /// The message, with the first name by which the server identifies the request.
  package static func reason(_ failure: Failure) -> String {
    guard let id = failure.response?.requestIDs.first else { return failure.message }
    return "\(failure.message) [\(id.name): \(id.value)]"
  }

  package static func label(_ item: Item) -> String { shortened(item.subject.label) }

  /// A label, relative to the current folder where possible.
  package static func shortened(_ label: String) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return label.hasPrefix(here) ? String(label.dropFirst(here.count)) : label
  }
}

extension [ItemCounts] {
  /// Their sums by state, without zeros.
  package var sums: [Item.Status: Int] {
    let sums = Item.Status.allCases.map { status in (status, reduce(0) { $0 + $1[status] }) }
    return Dictionary(uniqueKeysWithValues: sums).filter { $0.value > 0 }
  }
}

extension ResponseForm {
  /// `nil` if there was no message.
  package init?(_ failure: Failure) {
    guard let answer = failure.response else { return nil }
    self.init()
    status = failure.status
    body = answer.body.isEmpty ? nil : answer.body
    body_bytes = answer.bodyBytes
    request_ids = Dictionary(
      answer.requestIDs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Item.Subject {
  /// The file's path below the folder of its input, or the value.
  package var place: String {
    switch self {
    case .file(let file): file.relative
    case .value(let value): Self.key(of: value) ?? label
    }
  }

  /// The text that names a map: its key, as groups have it, or its name or ID.
  private static func key(of value: Value) -> String? {
    guard let map = value.mapValue else { return nil }
    for name in ["key", "relative", "path", "name", "id"] {
      if let text = map[name]?.stringValue, !text.isEmpty { return text }
    }
    return nil
  }
}
