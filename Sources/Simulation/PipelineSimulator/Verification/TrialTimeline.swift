/// A trial in a few lines: the events of one step and one item, and the server's actions.
struct TrialTimeline {
  static let limit = 15

  let lines: [String]

  /// - Parameter causes: Fences of the requests with faults; their outcome is always shown.
  init(_ trial: Trial, step: Int?, item: ItemKey?, causes: Set<EffectID> = []) {
    let run = trial.run
    let text = TraceText(run)
    var shown: [(line: String, weight: Int)] = []
    var effects = 0
    var isOver = false
    for event in run.trace.events {
      if case .ended = event.fact { isOver = true }
      if isOver, event.fact == .processEnded { continue }
      guard var weight = Self.weight(event.fact, step, item, causes) else { continue }
      var trace = Trace()
      trace.note(event.fact, at: event.at)
      let rendered = text.render(trace).split(separator: "\n").map { $0.dropFirst(2) }
      guard var line = rendered.first.map(String.init) else { continue }
      if isOver, event.fact == .processBegan(resumed: true) {
        isOver = false
        line = line.replacing("process restarted", with: "the user runs `pipeline retry`")
      }
      if case .sent(let exchange) = event.fact, exchange.purpose == .attempt,
        exchange.id.step == step, exchange.id.item == item
      {
        let count = trial.journal.commits.count { commit in
          commit.id == exchange.id && commit.at == exchange.at
        }
        if count > 0 {
          effects += 1
          line += "   [takes effect: \(TraceText.ordinal(effects)) time]"
          weight = 0
        }
      }
      shown.append((line, weight))
    }
    lines = ShortTimeline.lines(shown, limit: Self.limit, gap: "            … ")
  }

  /// The rank of a line, lower being more important; `nil` if it belongs to another item.
  private static func weight(
    _ fact: TraceEvent.Fact, _ step: Int?, _ item: ItemKey?, _ causes: Set<EffectID>
  ) -> Int? {
    func weight(_ id: EffectID) -> Int? {
      if causes.contains(id) { return 0 }
      if let item, let other = id.item, other.whole != item.whole { return nil }
      return step == nil || (id.step == step && id.item == item) ? 1 : 2
    }
    switch fact {
    case .processEnded, .ended: return 0
    case .processBegan: return 1
    case .sent(let exchange): return weight(exchange.id)
    case .answered(let id, _), .interrupted(let id), .concluded(let id, _),
      .asked(let id, _), .renewed(let id, _), .reissued(let id, _):
      return weight(id)
    case .transferQueued(let id, _), .wrote(let id, _), .writeFailed(let id, _):
      return weight(id).map { max($0, 2) }
    case .itemLeft(let key, _, _): return item == nil || key == item?.whole ? 1 : nil
    case .blocked(let key, _): return key == nil || item == nil || key == item ? 3 : nil
    default: return 3
    }
  }
}

/// Keeps the most informative lines of a timeline, and counts the ones left out.
enum ShortTimeline {
  /// The lines of lowest weight, at most `limit` including those that count omitted ones; among equals, the last.
  static func lines(_ all: [(line: String, weight: Int)], limit: Int, gap: String) -> [String] {
    var kept: Set<Int> = []
    let order = all.indices.sorted { (all[$0].weight, $1) < (all[$1].weight, $0) }
    for index in order.prefix(8 * limit) {
      kept.insert(index)
      if rendered(all, kept, gap).count > limit { kept.remove(index) }
    }
    return rendered(all, kept, gap)
  }

  private static func rendered(
    _ all: [(line: String, weight: Int)], _ kept: Set<Int>, _ gap: String
  ) -> [String] {
    var lines: [String] = []
    var left = 0
    func flush() {
      if left > 0 { lines.append("\(gap)\(left) other event\(left == 1 ? "" : "s")") }
      left = 0
    }
    for index in all.indices {
      guard kept.contains(index) else {
        left += 1
        continue
      }
      flush()
      lines.append(all[index].line)
    }
    flush()
    return lines
  }
}
