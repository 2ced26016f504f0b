/// Words for quantities and states, shared by all reports.
enum ReportFormatting {
  /// The state of a shard that ended each worker which had it.
  static let failedToRun = "failed to run"

  /// Bytes with a binary unit, three digits: `1.21 MiB`.
  static func bytes(_ count: Int64) -> String {
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
  static func duration(_ duration: Duration) -> String {
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
  static func timestamp(_ instant: Instant) -> String {
    let parts = instant.description.dropLast().split(separator: ".")
    let fraction = parts.count > 1 ? parts[1] : ""
    return "\(parts[0]).\(fraction)\(String(repeating: "0", count: max(3 - fraction.count, 0)))Z"
  }

  /// `1 item`, `2 items`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Numbers of items for reports in JSON: a member for each state, and for the active items of a run that no process works on.
  static func items(_ counts: [Item.Status: Int], isAtRest: Bool) -> [String: Int] {
    var items = Dictionary(
      uniqueKeysWithValues: Item.Status.allCases.map { ($0.word, counts[$0] ?? 0) })
    items["interrupted"] = isAtRest ? items["active"] : 0
    if isAtRest { items["active"] = 0 }
    return items
  }

  /// Such numbers as text, without zeros.
  static func counts(_ items: [String: Int]) -> String {
    items.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      .joined(separator: ", ")
  }

  /// The word for an item's state in a run; while no process works on that, nothing is active.
  static func status(_ status: Item.Status, isAtRest: Bool) -> String {
    status == .active && isAtRest ? "interrupted" : status.word
  }

  static func paint(_ word: String, isComplete: Bool = true) -> Terminal.Paint {
    switch word {
    case "failed", "unreadable", failedToRun: .red
    case "finished", "done": isComplete ? .green : .red
    case "running", "active": .green
    case "skipped", "pending": .dim
    default: .yellow
    }
  }

  /// Counts, most interesting first, without zeros: `12 done, 3 paused`.
  static func counts(_ counts: [Item.Status: Int], isAtRest: Bool = false) -> String {
    let order: [Item.Status] = [.done, .failed, .paused, .skipped, .cancelled, .active, .pending]
    let parts = order.compactMap { status -> String? in
      guard let count = counts[status], count > 0 else { return nil }
      return "\(count) \(self.status(status, isAtRest: isAtRest))"
    }
    return parts.isEmpty ? "no items" : parts.joined(separator: ", ")
  }

  static func label(_ item: Item) -> String { shortened(item.subject.label) }

  /// A label, relative to the current folder where possible.
  static func shortened(_ label: String) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return label.hasPrefix(here) ? String(label.dropFirst(here.count)) : label
  }
}

extension [ItemCounts] {
  /// Their sums by state, without zeros.
  var sums: [Item.Status: Int] {
    let sums = Item.Status.allCases.map { status in (status, reduce(0) { $0 + $1[status] }) }
    return Dictionary(uniqueKeysWithValues: sums).filter { $0.value > 0 }
  }
}

extension ReportFormatting {
  static func listing(_ run: RunFolder, _ statuses: Set<String>) -> String {
    run.command("items", more: statuses.sorted().flatMap { ["--status", $0] })
  }
}
