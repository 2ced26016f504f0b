/// Words for quantities and states, shared by all reports.
enum ReportFormatting {
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

  /// The word for an item's state in a run; while no process works on that, nothing is active.
  static func status(_ status: Item.Status, isAtRest: Bool) -> String {
    status == .active && isAtRest ? "interrupted" : status.word
  }

  /// The colour of a word for the state of a run or an item.
  static func paint(_ word: String, isComplete: Bool = true) -> Terminal.Paint {
    switch word {
    case "failed", "unreadable", RunReport.failedToRun: .red
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

/// Why something waits, and what would end the wait.
struct BlockerText {
  let pipeline: Pipeline

  private static func short(_ kind: StepKind) -> String {
    kind.isTransfer ? "transfer of" : kind.hasResponse ? "response to" : "file of"
  }

  private func name(_ step: Int) -> String { "'\(pipeline.steps[step].id)'" }

  /// What it waits for, in a few words.
  func short(_ blocker: Blocker) -> String {
    switch blocker {
    case .attempt(let step): Self.short(pipeline.steps[step].kind) + " " + name(step)
    case .probe(let step): "probe of \(name(step))"
    case .compensation(nil): "undoing at the server"
    case .compensation: "back-off before undoing at the server"
    case .delay(let step, _):
      (pipeline.steps[step].kind == .poll ? "the next question of" : "back-off of")
        + " \(name(step))"
    case .earliest(let step, _): "earliest start of \(name(step))"
    case .concurrency: "a concurrent item to end"
    case .disk: "disk budget"
    case .transfers: "a free transfer slot"
    case .connections: "a connection"
    case .host(let name, _, _): "a pause that \(name) asked for"
    case .rate(let rate, _, _): "the " + pipeline.budgets.rates[rate].title
    case .shortage(.network, _, _, _): "a network"
    case .shortage(.openFiles, _, _, _): "a free file descriptor"
    case .shortage(.diskSpace, _, _, _): "free disk space"
    case .dependency(_, let other): "step \(name(other))"
    case .renewal(let step, let other):
      "step \(name(other)), for the request of the transfer of \(name(step))"
    case .batch(let step, _, _): "a batch for \(name(step))"
    case .batchUnderWay(let step): "the batch of \(name(step)) before it"
    case .allowance: "execution allowance"
    case .parts(let step): "the parts of \(name(step))"
    case .loop(let loop): "the items of '\(pipeline.loops[loop].label)'"
    case .enumeration(let loop): "the list of '\(pipeline.loops[loop].label)'"
    case .stopped: "the run to be continued"
    }
  }

  private static func until(_ moment: Instant, _ now: Instant) -> String {
    ", until " + self.moment(moment, now)
  }

  private static func moment(_ moment: Instant, _ now: Instant) -> String {
    "\(moment) (in \(ReportFormatting.duration(moment - now)))"
  }

  private func long(
    pauseOf host: String, _ step: Int, until moment: Instant, at now: Instant
  ) -> (why: String, unblocks: String) {
    (
      "\(host) asked for a pause; the request of step \(name(step)) follows at "
        + Self.moment(moment, now), "time"
    )
  }

  private func long(
    rate: Rate, _ step: Int, next moment: Instant, at now: Instant
  ) -> (why: String, unblocks: String) {
    (
      "waits for \(rate.title) with step \(name(step)): \(rate.words), next at "
        + Self.moment(moment, now), "time, and those that wait before it"
    )
  }

  private func long(
    batch step: Int, _ items: Int, until moment: Instant?, at now: Instant, standing: Int
  ) -> (why: String, unblocks: String) {
    guard let moment else {
      return (
        "batch: \(standing) of the \(items) items whose step \(name(step)) is sent again are ready",
        "the other items, or that they cannot come"
      )
    }
    return (
      "batch: \(standing) of \(items) items wait for step \(name(step)), until \(moment) at the "
        + "latest (in \(ReportFormatting.duration(moment - now)))",
      "\(ReportFormatting.count(items - standing, "more item")), the time, or that no more items can come"
    )
  }

  /// What it waits for in detail, and what unblocks it; `standing` items wait for the same batch, with this one.
  func long(
    _ blocker: Blocker, of run: RunFolder, at now: Instant, standing: Int = 1
  ) -> (why: String, unblocks: String) {
    switch blocker {
    case .compensation(let moment?):
      (
        short(blocker) + Self.until(moment, now),
        "time; `\(run.command("cancel"))` retries later what is left"
      )
    case .attempt, .probe, .compensation(nil):
      (short(blocker) + " in flight", "the server's response, or the timeout")
    case .delay(_, let moment):
      (short(blocker) + Self.until(moment, now), "time; `\(run.command("cancel"))` ends the wait")
    case .earliest(_, let moment): (short(blocker) + ", " + Self.moment(moment, now), "time")
    case .concurrency(let limit):
      ("all \(limit) concurrent items are busy", "an item that ends or waits")
    case .disk(let step, let needed, let available):
      (
        "step \(name(step)) needs \(ReportFormatting.bytes(needed)) of the disk budget, "
          + "\(ReportFormatting.bytes(max(available, 0))) are free",
        "an item that ends and releases its files"
      )
    case .transfers(_, let limit):
      ("all \(limit) transfers of the budget are queued", "a transfer that ends")
    case .connections(_, let limit):
      ("all \(limit) connections of this process are in use", "a request or a transfer that ends")
    case .host(let name, let step, let moment):
      long(pauseOf: name, step, until: moment, at: now)
    case .rate(let rate, let step, let moment):
      long(rate: pipeline.budgets.rates[rate], step, next: moment, at: now)
    case .shortage(let resource, _, let since, let until):
      (
        ReportFormatting.shortageText(of: resource, since: since, until: until, at: now),
        ReportFormatting.remedy(for: resource)
      )
    case .dependency(_, let other): ("step \(name(other)) is being reissued", "its response")
    case .renewal(let step, let other):
      (
        "the transfer of \(name(step)) asked for a new request, and step \(name(other)) is being "
          + "reissued for it", "its response, or the end of the execution allowance"
      )
    case .batch(let step, let items, let moment):
      long(batch: step, items, until: moment, at: now, standing: standing)
    case .batchUnderWay(let step):
      (
        "another batch of step \(name(step)) is under way, and they go one after the other",
        "its results"
      )
    case .allowance(_, let needed):
      (
        "the request needs \(ReportFormatting.duration(needed)), longer than the execution allowance",
        "the foreground, or a wake-up by the transfer service"
      )
    case .parts: (short(blocker) + " must end first", "the parts, each with its own reason")
    case .loop: (short(blocker) + " must end first", "the items, each with its own reason")
    case .enumeration: (short(blocker) + " is being read", "its end")
    case .stopped: ("no process is working on it", "`\(run.command("resume"))`")
    }
  }
}

extension ReportFormatting {
  fileprivate static func shortageText(
    of resource: Resource, since: Instant, until: Instant, at now: Instant
  ) -> String {
    "\(shortageText(of: resource)) since \(since); tried again at \(until) (in \(duration(until - now)))"
  }

  static func shortageText(of resource: Resource) -> String {
    switch resource {
    case .network: "no network"
    case .openFiles: "too many open files"
    case .diskSpace: "the disk is full"
    }
  }

  static func listing(_ run: RunFolder, _ statuses: Set<String>) -> String {
    run.command("items", more: statuses.sorted().flatMap { ["--status", $0] })
  }

  static func remedy(for resource: Resource) -> String {
    switch resource {
    case .network: "a network; everything continues when a connection succeeds"
    case .openFiles: "closing files or connections; `ulimit -n` raises the limit"
    case .diskSpace: "free disk space"
    }
  }
}
