struct TimelineText {
  let pipeline: Pipeline
  let timeline: Timeline
  let items: Int
  static let limit = 36

  private struct Stretch {
    let from: Int64
    var to: Int64
    let app: String
  }

  func render() -> String {
    var table = TextTable(alignsRight: [1])
    table.add(["from", "for", "app", "what happened"])
    let stretches = stretches()
    for (index, stretch) in stretches.enumerated() {
      let isLast = index == stretches.count - 1
      let digest = TimelineDigest(
        timeline, from: stretch.from, to: isLast ? timeline.length + 1 : stretch.to)
      table.add([
        Words.moment(stretch.from, from: timeline.start),
        Words.duration(.milliseconds(stretch.to - stretch.from)), stretch.app, text(digest),
      ])
    }
    return table.render()
  }

  /// The finest division with few enough lines.
  private func stretches() -> [Stretch] {
    let fine = wakesApart()
    if fine.count <= Self.limit { return fine }
    let coarse = wakesTogether()
    if coarse.count <= Self.limit { return coarse }
    return days()
  }

  /// Each time that the app runs, with the suspension that follows a resume.
  private func wakesApart() -> [Stretch] {
    var stretches: [Stretch] = []
    for span in timeline.life {
      let isRunning = span.content == .front || span.content == .running
      if isRunning || stretches.isEmpty || stretches.last?.app.hasPrefix("foreground") == true {
        if span.content == .running, let last = stretches.last, last.app == "foreground" {
          stretches[stretches.count - 1].to = span.to
          continue
        }
        stretches.append(Stretch(from: span.from, to: span.to, app: word(span.content)))
      } else {
        stretches[stretches.count - 1].to = span.to
      }
    }
    return stretches
  }

  /// Each time that the app is in the foreground, and everything between two of them.
  private func wakesTogether() -> [Stretch] {
    var stretches: [Stretch] = []
    for stretch in wakesApart() {
      if stretch.app != "foreground", let last = stretches.last, last.app != "foreground" {
        stretches[stretches.count - 1].to = stretch.to
      } else {
        let isFront = stretch.app == "foreground"
        stretches.append(
          Stretch(from: stretch.from, to: stretch.to, app: isFront ? "foreground" : "background"))
      }
    }
    return stretches
  }

  /// Each day, or as many days as necessary to keep the lines few.
  private func days() -> [Stretch] {
    let day: Int64 = 86_400_000
    let offset = timeline.start.milliseconds % day
    let count = (timeline.length + offset) / day + 1
    let width = (count + Int64(Self.limit) - 1) / Int64(Self.limit) * day
    var stretches: [Stretch] = []
    var from: Int64 = 0
    var to = width - offset
    while from < timeline.length {
      let end = min(to, timeline.length)
      let opened = timeline.life.count { $0.content == .front && $0.from >= from && $0.from < end }
      stretches.append(Stretch(from: from, to: end, app: "opened \(opened)×"))
      (from, to) = (to, to + width)
    }
    return stretches
  }

  private func word(_ life: Timeline.Life) -> String {
    switch life {
    case .front: "foreground"
    case .running: "resumed"
    case .asleep: "suspended"
    case .gone: "not in memory"
    case .quit: "swiped away"
    }
  }

  private func text(_ digest: TimelineDigest) -> String {
    var parts: [String] = []
    if digest.done > 0 {
      let all = timeline.done.value(before: digest.to)
      parts.append("+\(Words.count(digest.done)) done (\(Words.count(all)) of \(items))")
    }
    if digest.lost > 0 { parts.append("\(Words.count(digest.lost)) failed or paused") }
    if digest.requests > 0 { parts.append(Words.count(Int(digest.requests), "request")) }
    for (step, cause, count) in digest.reissues.prefix(2) {
      parts.append("\(count)× '\(pipeline.steps[step].id)' reissued (\(cause))")
    }
    if digest.wakes > 1 { parts.append("\(digest.wakes) wakes") }
    if let delay = digest.delay, delay > .zero {
      parts.append("resume delay \(Words.duration(delay))")
    }
    if !digest.holds.isEmpty {
      parts.append("held by " + Self.rules(digest.holds).joined(separator: ", "))
    }
    if !parts.isEmpty { return parts.joined(separator: ", ") }
    let transfers = Int(digest.queuePeak)
    return transfers > 0 ? Words.count(transfers, "transfer") + " under way" : "nothing"
  }

  private static func rules(_ holds: [TransferHold]) -> [String] {
    var rules: [String] = []
    for hold in holds where !rules.contains(hold.rule) { rules.append(hold.rule) }
    return Array(rules.prefix(3))
  }
}
