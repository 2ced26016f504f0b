import PipelineCore

/// A trial told in a few lines: what bears on one step and one item, and how the server took it.
struct TrialTimeline {
  /// Lines at most.
  static let limit = 15

  let lines: [String]

  init(_ trial: Trial, step: Int?, item: ItemKey?) {
    let run = trial.run
    let text = TraceText(run)
    var shown: [(line: String, isCore: Bool)] = []
    var effects = 0
    var isOver = false
    for event in run.trace.events {
      if case .ended = event.fact { isOver = true }
      if isOver, event.fact == .processEnded { continue }
      var trace = Trace()
      trace.note(event.fact, at: event.at)
      let rendered = text.render(trace).split(separator: "\n").map { $0.dropFirst(2) }
      guard var line = rendered.first.map(String.init) else { continue }
      if isOver, event.fact == .processBegan(resumed: true) {
        isOver = false
        line = line.replacing(
          "process began again", with: "a person lets it go on: `pipeline retry`")
      }
      if case .sent(let exchange) = event.fact, exchange.purpose == .attempt,
        exchange.id.step == step, exchange.id.item == item
      {
        let count = trial.journal.commits.count { commit in
          commit.id == exchange.id && commit.at == exchange.at
        }
        if count > 0 {
          effects += 1
          line += "   [takes effect: \(Self.ordinal(effects)) time]"
        }
      }
      shown.append((line, Self.isCore(event.fact, step, item)))
    }
    lines = Self.shortened(shown)
  }

  private static func ordinal(_ number: Int) -> String {
    switch number {
    case 1: "the first"
    case 2: "the second"
    default: "the \(number)th"
    }
  }

  /// Whether the line cannot be left out.
  private static func isCore(_ fact: TraceEvent.Fact, _ step: Int?, _ item: ItemKey?) -> Bool {
    func concerns(_ id: EffectID) -> Bool { step == nil || (id.step == step && id.item == item) }
    switch fact {
    case .processBegan, .processEnded, .ended: return true
    case .sent(let exchange): return concerns(exchange.id)
    case .answered(let id, _), .interrupted(let id), .concluded(let id, _),
      .asked(let id, _), .renewed(let id, _), .reissued(let id, _):
      return concerns(id)
    case .itemLeft(let key, _, _): return item == nil || key == item
    default: return false
    }
  }

  /// Leaves out what is no matter, first of all, and then the middle.
  private static func shortened(_ all: [(line: String, isCore: Bool)]) -> [String] {
    if all.count <= limit { return all.map(\.line) }
    var lines: [String] = []
    var left = 0
    func flush() -> [String] { left > 0 ? ["            … \(left) other events"] : [] }
    for (line, isCore) in all {
      guard isCore else {
        left += 1
        continue
      }
      lines += flush() + [line]
      left = 0
    }
    lines += flush()
    guard lines.count > limit else { return lines }
    let tail = limit - 4
    return Array(lines.prefix(3)) + ["            … \(lines.count - 3 - tail) lines"]
      + lines.suffix(tail)
  }
}
