import PipelineCore
import PipelineEngine
import PipelineSimulator

/// The figures of a seed.
extension SwarmRun {
  mutating func count(_ journal: ServerJournal) {
    func see(_ sighting: CoverageMark, _ count: Int) {
      if count > 0 { coverageMarks[sighting, default: 0] += count }
    }
    see(.duplicated, journal.deliveries.count(where: \.isDuplicate))
    for delivery in journal.deliveries {
      switch delivery.outcome {
      case .probed(isDone: true): see(.probedDone, 1)
      case .probed(isDone: false): see(.probedOpen, 1)
      case .repeated: see(.keyRepeated, delivery.isDuplicate ? 0 : 1)
      case .refused: see(.resultRefused, 1)
      case .throttled: see(.throttled, 1)
      case .abandoned: see(.abandoned, 1)
      case .committed, .serverError, .lost: break
      }
    }
    var uncounted = UncountedTime()
    for event in run.trace.events {
      if uncounted.begins(with: event.fact) { see(.deviceRestarted, 1) }
      if case .clockChanged = event.fact { see(.deviceClockJumped, 1) }
    }
    switch run.state?.status {
    case .cancelled: see(.cancelled, 1)
    case .finished
    where plan.wishes.contains(where: { $0.1 == .pause && $0.after < run.now - run.start }):
      see(.pausedByPerson, 1)
    default: break
    }
    see(.reissued, run.tally.reissues.values.reduce(0, +))
  }

  func faults(_ journal: ServerJournal) -> [String: Int] {
    var faults: [String: Int] = [:]
    for delivery in journal.deliveries {
      switch delivery.outcome {
      case .serverError: faults["503", default: 0] += 1
      case .throttled: faults["429", default: 0] += 1
      case .lost: faults["request lost", default: 0] += 1
      case .refused: faults["expired result refused", default: 0] += 1
      case .committed, .repeated, .probed, .abandoned: break
      }
      if delivery.isReplyLost, !delivery.isDuplicate { faults["response lost", default: 0] += 1 }
      if delivery.isDuplicate { faults["request duplicated", default: 0] += 1 }
    }
    faults["process crashed"] = run.tally.launches - 1
    for sighting in [
      CoverageMark.storeRefused, .lateAnswer, .suspended, .transferVanished, .transferBroke,
      .serviceBrokeDown, .diskFull, .clockJumped, .deviceClockJumped, .deviceRestarted,
    ] {
      if let count = coverageMarks[sighting] { faults[sighting.rawValue] = count }
    }
    return faults
  }

  func hash(_ journal: ServerJournal) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func feed(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for batch in run.table.history(after: 0, limit: .max) {
      withUnsafeBytes(of: batch.at.milliseconds.littleEndian) { $0.forEach(feed) }
      batch.events.forEach(feed)
    }
    for commit in journal.commits {
      "\(commit.id) \(commit.at.milliseconds)".utf8.forEach(feed)
    }
    return hash
  }
}
