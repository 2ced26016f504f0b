extension ListedRunForm {
  init(_ known: KnownRun, at now: Instant) {
    self.init()
    run = known.folder.id.rawValue
    let origin = known.folder.origin
    name = origin?.name
    shard = origin?.shard
    series = origin?.series
    pipeline = known.summary?.pipeline
    status = known.statusWord
    unfinished = known.isUnfinished
    items = known.summary.map { _ in
      ReportFormatting.items(known.counts, isAtRest: !known.isWorkedOn)
    }
    began = known.summary?.began.description
    ended = known.summary?.ended?.description
    worked_seconds = known.worked(at: now).map { Double($0.milliseconds) / 1000 }
    bytes_on_disk = known.folder.bytesOnDisk
    worked_on = known.isWorkedOn
    reason = known.reason
  }
}
