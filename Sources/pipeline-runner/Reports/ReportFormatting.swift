import Foundation
import PipelineCore

/// Quantities and states in words that all reports share.
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
    return String(
      format: value < 10 ? "%.2f %@" : value < 100 ? "%.1f %@" : "%.0f %@", value,
      units[unit] as NSString)
  }

  /// A time span: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`.
  static func duration(_ duration: Duration) -> String {
    let milliseconds = max(duration.milliseconds, 0)
    let seconds = milliseconds / 1000
    switch seconds {
    case ..<10: return String(format: "%.1f s", Double(milliseconds) / 1000)
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
    case ..<86400: return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    default: return "\(seconds / 86400) d \(seconds % 86400 / 3600) h"
    }
  }

  /// A moment in UTC with all its milliseconds, so that stamps stand under one another.
  static func timestamp(_ instant: Instant) -> String {
    let parts = instant.description.dropLast().split(separator: ".")
    let fraction = parts.count > 1 ? parts[1] : ""
    return "\(parts[0]).\(fraction)\(String(repeating: "0", count: max(3 - fraction.count, 0)))Z"
  }

  /// `1 item`, `2 items`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// The word for an item's state.
  static func status(_ status: Item.Status) -> String {
    switch status {
    case .pending: "pending"
    case .active: "active"
    case .paused: "paused"
    case .failed: "failed"
    case .done: "done"
    case .skipped: "skipped"
    case .cancelled: "cancelled"
    }
  }

  /// Counts in the order of their interest, without zeros: `12 done, 3 paused`.
  static func counts(_ counts: [Item.Status: Int]) -> String {
    let order: [Item.Status] = [.done, .failed, .paused, .skipped, .cancelled, .active, .pending]
    let parts = order.compactMap { status -> String? in
      guard let count = counts[status], count > 0 else { return nil }
      return "\(count) \(self.status(status))"
    }
    return parts.isEmpty ? "no items" : parts.joined(separator: ", ")
  }

  /// The path of an item as the user would write it from here.
  static func label(_ item: Item) -> String {
    let label = item.subject.label
    let here = FileManager.default.currentDirectoryPath + "/"
    return label.hasPrefix(here) ? String(label.dropFirst(here.count)) : label
  }
}

/// Why something waits, and what would end the waiting.
struct BlockerText {
  let pipeline: Pipeline

  private func name(_ step: Int) -> String { "'\(pipeline.steps[step].id)'" }

  /// What is waited for, in a few words.
  func short(_ blocker: Blocker) -> String {
    switch blocker {
    case .attempt(let step):
      switch pipeline.steps[step].kind {
      case .request: "answer to \(name(step))"
      case .materialize: "file of \(name(step))"
      case .upload, .download: "transfer of \(name(step))"
      }
    case .probe(let step): "probe of \(name(step))"
    case .compensation(nil): "undoing at the server"
    case .compensation: "back-off of undoing at the server"
    case .delay(let step, _): "back-off of \(name(step))"
    case .earliest(let step, _): "earliest begin of \(name(step))"
    case .concurrency: "a place among the concurrent items"
    case .disk: "disk budget"
    case .transfers: "a place among the transfers"
    case .connections: "a connection"
    case .shortage(.network, _, _, _): "a network"
    case .shortage(.openFiles, _, _, _): "a free file descriptor"
    case .shortage(.diskSpace, _, _, _): "space on the disk"
    case .dependency(_, let other): "step \(name(other))"
    case .renewal(let step, let other):
      "step \(name(other)), for the request of the transfer of \(name(step))"
    case .batch(let step, _, _): "a batch for \(name(step))"
    case .allowance: "execution allowance"
    case .loop(let loop): "the items of 'for_each: \(pipeline.loops[loop].variable)'"
    case .enumeration(let loop): "the list of 'for_each: \(pipeline.loops[loop].variable)'"
    case .stopped: "somebody to continue the run"
    }
  }

  private static func moment(_ moment: Instant, _ now: Instant) -> String {
    "\(moment) (in \(ReportFormatting.duration(moment - now)))"
  }

  /// What is waited for with all particulars, and what unblocks it.
  ///
  /// - Parameter standing: Items that stand for the same batch, this one included.
  func long(
    _ blocker: Blocker, at now: Instant, standing: Int = 1
  ) -> (why: String, unblocks: String) {
    switch blocker {
    case .compensation(let moment?):
      (
        short(blocker) + ", until " + Self.moment(moment, now),
        "time; `pipeline cancel` tries again later what is left"
      )
    case .attempt, .probe, .compensation(nil):
      (short(blocker) + " in flight", "the server's answer, or the timeout")
    case .delay(_, let moment):
      (short(blocker) + ", until " + Self.moment(moment, now), "time; `pipeline cancel` gives up")
    case .earliest(_, let moment):
      (short(blocker) + ", " + Self.moment(moment, now), "time")
    case .concurrency(let limit):
      ("all \(limit) places among the concurrent items are taken", "an item that ends or waits")
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
    case .shortage(let resource, _, let since, let until):
      (
        ReportFormatting.shortageText(of: resource, since: since, until: until, at: now),
        ReportFormatting.remedy(for: resource)
      )
    case .dependency(_, let other):
      ("step \(name(other)) is being made anew", "its answer")
    case .renewal(let step, let other):
      (
        "the transfer of \(name(step)) asked for its request anew, and step \(name(other)) is being "
          + "made anew for that", "its answer, or the end of the execution allowance"
      )
    case .batch(let step, let items, let moment?):
      (
        "batch: \(standing) of \(items) items stand for step \(name(step)), \(moment) at the "
          + "latest (in \(ReportFormatting.duration(moment - now)))",
        "\(ReportFormatting.count(items - standing, "further item")), the time, or that none can come any more"
      )
    case .batch(let step, let items, nil):
      (
        "batch: \(standing) of the \(items) items stand for step \(name(step)) that it is sent again for",
        "the others, or that they cannot come"
      )
    case .allowance(_, let needed):
      (
        "the execution allowance is shorter than the \(ReportFormatting.duration(needed)) the request needs",
        "the foreground, or a resume by the transfer service"
      )
    case .loop: (short(blocker) + " have to come to an end", "the items, each with its own reason")
    case .enumeration: (short(blocker) + " is being made", "its end")
    case .stopped: ("no process works on it", "`pipeline resume`")
    }
  }
}

extension ReportFormatting {
  fileprivate static func shortageText(
    of resource: Resource, since: Instant, until: Instant, at now: Instant
  ) -> String {
    "\(shortageText(of: resource)) since \(since); tried again at \(until) (in \(duration(until - now)))"
  }

  /// What it means that there is none.
  static func shortageText(of resource: Resource) -> String {
    switch resource {
    case .network: "no network"
    case .openFiles: "too many open files"
    case .diskSpace: "the disk is full"
    }
  }

  /// What ends the wait for it.
  static func remedy(for resource: Resource) -> String {
    switch resource {
    case .network: "a network; a connection that succeeds lets all go on"
    case .openFiles: "files or connections that are closed; `ulimit -n` raises the limit"
    case .diskSpace: "space on the disk"
    }
  }
}
