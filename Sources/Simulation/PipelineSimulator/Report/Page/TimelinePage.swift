extension SimulationReport {
  /// The report as a self-contained HTML page: an interactive timeline, the same as text, and the numbers.
  public func html() -> String {
    let page = TimelinePage(report: self)
    return Page.document(
      title: "\(heading.pipeline): \(heading.scenario), \(heading.device), seed \(seed)",
      body: page.body, data: page.data, script: Page.file(PackageResources.timeline_js))
  }
}

/// The page for one seed; its size is bounded, however many items there are.
struct TimelinePage {
  let report: SimulationReport
  private var timeline: Timeline { report.timeline }
  private var summary: SimulationSummary { report.summary }

  static let points = 900
  /// Maximum number of spans of a band, and of marks of a lane.
  static let spans = 3000
  /// Maximum number of items with their own lane.
  static let lanes = 240
  static let phases = 12_000

  // MARK: Body

  var body: String {
    var text = Page.header(report.heading, "seed \(report.seed)") + "\n"
    text += "<div class=\"tiles\">" + tiles + "</div>\n" + properties
    text += Page.advice(report.advice) + chart + "<div class=\"columns\">\n"
    text += Page.stalls(
      summary.rankedStalls.map { ($0.word, $0.time.seconds) },
      title: "Time spent waiting, overlaps counted once")
    text += "<section><h2>Summary</h2>"
    text += Page.table(["", ""], summary.lines.map { [$0.name, $0.value].map(Page.escaped) })
    text += "</section>\n</div>\n"
    let plain = TimelineText(pipeline: report.pipeline, timeline: timeline, items: summary.items)
      .render()
    text += "<details><summary>The timeline as text</summary><pre>\(Page.escaped(plain))</pre>"
    return text + "</details>\n" + Page.command(report.heading)
  }

  private var tiles: String {
    let done = summary.counts[.done] ?? 0
    func time(_ part: Double) -> String {
      summary.completed(part: part).map(Words.duration) ?? "never"
    }
    return [
      Page.tile(
        "items done", "\(Words.count(done)) of \(Words.count(summary.items))",
        TraceText.word(summary.outcome)), Page.tile("half done after", time(0.5)),
      Page.tile("90 % after", time(0.9)), Page.tile("99 % after", time(0.99)),
      Page.tile("wakes", Words.count(summary.wakes), "by the service"),
      Page.tile("added wait", Words.duration(summary.addedWait), "resume delay, RL1"),
      Page.tile(
        "sent", Words.bytes(summary.bytesSent), "\(Words.bytes(summary.bytesWasted)) wasted"),
      Page.tile("reissued", Words.count(summary.reissueCount), "steps"),
      Page.tile("peak disk", Words.bytes(summary.peakDiskBytes)),
    ].joined()
  }

  private var properties: String {
    guard !report.properties.isEmpty else { return "" }
    let chips = report.properties.map { property in
      let when = property.violatedAt.map {
        " at " + Words.moment($0.milliseconds, from: timeline.start)
      }
      let word = property.holds ? "✓ holds" : "✗ violated" + (when ?? "")
      let note = property.explanation ?? (property.isVacuous ? "nothing could violate it" : "")
      return "<span class=\"chip\"><b>\(Page.escaped(property.name))</b> "
        + "<span class=\"\(property.holds ? "good" : "bad")\">\(word)</span> "
        + "<small>\(Page.escaped(note))</small></span>"
    }
    return "<section aria-label=\"properties\" class=\"chips\">" + chips.joined(separator: "\n")
      + "</section>\n"
  }

  private var chart: String {
    let legend = kinds.map { kind in
      "<span style=\"--c:\(StallCause(kind).color)\">\(Page.escaped(Self.name(kind)))</span>"
    }.joined()
    let isSample = timeline.items.count > Self.lanes
    let title =
      isSample
      ? "\(Self.lanes) of \(Words.count(timeline.items.count)) items, evenly spaced"
      : Words.count(timeline.items.count, "item")
    // With many items, those that waited longest are the most interesting.
    let waiting = timeline.items.count > 30 ? " selected" : ""
    return Page.file(PackageResources.timeline_html).replacing("{{bands}}", with: Self.bands)
      .replacing("{{legend}}", with: legend).replacing("{{title}}", with: title).replacing(
        "{{waiting}}", with: waiting)
  }

  private static func name(_ kind: String) -> String {
    switch kind {
    case "moving": "moving"
    case "sent": "sent, no response yet"
    case "TX5": "TX5: ended, app not notified yet"
    case let word where Tally.Stall(rawValue: word) != nil: "waits: \(word)"
    default: kind + " " + StallCause(kind).name
    }
  }

  private static let bands = [
    ("front", "foreground"), ("running", "background, running"), ("asleep", "suspended"),
    ("gone", "not in memory"), ("quit", "swiped away"), ("wifi", "Wi-Fi"),
    ("cellular", "mobile data"), ("none", "no network"), ("power", "charging"),
    ("battery", "battery"), ("low", "low battery or power mode"),
  ].map { "<span style=\"--c:var(--\($0))\">\($1)</span>" }.joined()

  // MARK: Data

  /// Words for the phases that occur, in the order of their first use.
  private var kinds: [String] {
    let words = chosen.flatMap { $0.lane.phases.map(\.content.word) }
    var seen: Set<String> = []
    return (words + timeline.held.keys.map(\.rule).sorted()).filter { seen.insert($0).inserted }
  }

  /// Items with a lane: all, or some at even distances.
  private var chosen: [(key: ItemKey, lane: Timeline.ItemLane)] {
    let all = timeline.items.sorted { $0.key < $1.key }
    guard all.count > Self.lanes else { return all.map { ($0.key, $0.value) } }
    return (0..<Self.lanes).map { index in
      let entry = all[index * all.count / Self.lanes]
      return (entry.key, entry.value)
    }
  }

  var data: String {
    let kinds = kinds
    var held: [String: [Timeline.Series]] = [:]
    for (hold, series) in timeline.held { held[hold.rule, default: []].append(series) }
    let stacked = held.sorted { $0.key < $1.key }.map { rule, series in
      (rule, points(series.count == 1 ? series[0] : Timeline.Series(sumOf: series)))
    }
    let words = Set(kinds + held.keys)
    let colors = words.union(["moving"]).sorted().map { ($0, Value.string(StallCause($0).color)) }
    let totals: [(String, Value)] = [
      ("wakes", .number(timeline.wakes.count)), ("reissues", .number(timeline.reissues.count)),
    ]
    let members: [(String, Value)] = [
      ("start", .int(timeline.start.milliseconds)), ("length", .int(timeline.length)),
      ("items", .number(summary.items)), ("life", spans(timeline.life) { [$0.rawValue] }),
      ("allowances", spans(timeline.allowances) { _ in [] }),
      ("conditions", spans(timeline.conditions, Self.words)), ("queue", points(timeline.queue)),
      ("moving", points(timeline.moving)), ("held", .object(stacked)),
      ("done", points(timeline.done)), ("disk", points(timeline.disk)),
      ("ids", points(timeline.identifiers)), ("wakes", wakes), ("reissues", reissues),
      ("totals", .object(totals)), ("kinds", .texts(kinds)), ("colors", .object(colors)),
      ("meanings", .object(words.sorted().map { ($0, .string(StallCause($0).meaning)) })),
      ("lanes", lanes(kinds)),
    ]
    return Value.object(members).jsonText()
  }

  private func points(_ series: Timeline.Series) -> Value {
    .list(
      series.thinned(to: Self.points, until: timeline.length).map {
        .list([.int($0.at), .int($0.value)])
      })
  }

  /// Spans with words; if there are too many, short ones are merged into the one before.
  private func spans<Content>(_ spans: [Timeline.Span<Content>], _ words: (Content) -> [String])
    -> Value
  {
    let least = spans.count > Self.spans ? timeline.length / Int64(Self.spans) : 0
    return .list(
      spans.filter { $0.to - $0.from >= least }.map { span in
        .list([.int(span.from), .int(span.to)] + words(span.content).map { .string($0) })
      })
  }

  private static func words(_ conditions: DeviceConditions) -> [String] {
    let power =
      conditions.hasPower
      ? "power" : conditions.isLowPowerMode || conditions.battery < 0.2 ? "low" : "battery"
    let speed = conditions.network == .none ? "" : ", \(Words.bytes(conditions.bandwidth))/s"
    return [conditions.network.rawValue, power, TraceText.text(conditions) + speed]
  }

  private func lanes(_ kinds: [String]) -> Value {
    let index = Dictionary(
      kinds.enumerated().map { ($1, Int64($0)) }, uniquingKeysWith: { first, _ in first })
    let chosen = chosen
    let limit = max(Self.phases / max(chosen.count, 1), 4)
    return .list(
      chosen.map { _, lane in
        // The longest spans are the visible ones.
        let least =
          lane.phases.map { $0.to - $0.from }.sorted(by: >).dropFirst(limit - 1).first ?? 0
        let phases = lane.phases.filter { $0.to - $0.from >= least }.prefix(limit).map {
          Value.list([.int($0.from), .int($0.to), .int(index[$0.content.word] ?? 0)])
        }
        let end = lane.end.map { Value.list([.int($0.at), .string($0.status.word)]) }
        return .object(
          [("n", .string(lane.label)), ("p", .list(phases))] + (end.map { [("e", $0)] } ?? []))
      })
  }

  private var wakes: Value {
    let step = max(timeline.wakes.count / Self.spans, 1)
    return .list(
      stride(from: 0, to: timeline.wakes.count, by: step).map { index in
        let group = timeline.wakes[index..<min(index + step, timeline.wakes.count)]
        let delay = group.map(\.delay).max() ?? .zero
        return .list([
          .int(timeline.wakes[index].at), .int(delay.milliseconds / 1000), .int(Int64(group.count)),
        ])
      })
  }

  private var reissues: Value {
    let step = max(timeline.reissues.count / Self.spans, 1)
    return .list(
      stride(from: 0, to: timeline.reissues.count, by: step).map { index in
        let reissue = timeline.reissues[index]
        let item = reissue.item.flatMap { timeline.items[$0]?.label } ?? "run"
        let name = report.pipeline.steps[reissue.step].id.rawValue
        return .list([.int(reissue.at), .string("'\(name)' of \(item), because: \(reissue.cause)")])
      })
  }
}

extension Timeline.Phase {
  /// The rule's id, or the word of ``Tally/Stall``.
  var word: String {
    switch self {
    case .held(let hold): hold.rule
    case .moving: "moving"
    case .sent: "sent"
    case .untold: "TX5"
    case .waits(let stall): stall.rawValue
    }
  }
}

extension Timeline.Series {
  init(sumOf series: [Timeline.Series]) {
    let times = Set(series.flatMap { $0.points.map(\.at) }).sorted()
    for time in times { set(series.reduce(0) { $0 + $1.value(before: time + 1) }, at: time) }
  }
}
