/// NDJSON on standard output: one object per line, distinguished by `event`.
struct JSONDisplay: ProgressDisplay {
  func begin(_ run: RunFolder) {
    Terminal.print(EncodedJSON.of(BeginningForm { $0.run = run.id.rawValue }))
  }

  func itemsLeft(_ items: [Item], _ lines: [FailureTally.Line]) {
    for item in items {
      Terminal.print(
        EncodedJSON.of(
          EndedItemForm {
            $0.item = item.key.description
            $0.name = ReportFormatting.label(item)
            $0.status = item.status.word
            $0.reason = item.reason?.message
            $0.response = item.reason.flatMap(ResponseForm.init)
          }))
    }
  }

  func progressed(_ facts: ProgressFacts, news: [String]) {
    Terminal.print(
      EncodedJSON.of(
        ProgressForm {
          $0.status = facts.status.rawValue
          $0.reason = facts.reason?.message
          $0.items = facts.items
          $0.percent = facts.percent
          $0.bytes_moved = facts.bytesMoved
          $0.bytes_total = facts.totalBytes
          $0.bytes_per_second = facts.rate.map { Int64($0) }
          $0.seconds_left = facts.secondsLeft.map { Int64($0) }
          $0.transfers = facts.transfers.map(\.form)
          $0.disk_bytes = facts.diskBytes
          $0.parts = facts.parts.form
          $0.waiting = facts.waitingByWords
          $0.notices = facts.notices
          $0.at = facts.at.description
        }))
  }

  func end() {}
}

extension RunProgress.Transfer {
  /// The same for programs, with a name relative to the current folder where possible.
  fileprivate var form: TransferForm {
    TransferForm {
      $0.item = item?.description
      $0.name = ReportFormatting.shortened(name)
      $0.step = step.rawValue
      $0.direction = isDownload ? "down" : "up"
      $0.bytes = bytes
      $0.size = size
    }
  }
}

extension RunProgress.Parts {
  fileprivate var form: PartsForm? {
    guard count > 0 else { return nil }
    return PartsForm { ($0.done, $0.count) = (done, count) }
  }
}
