public import PipelineCore

/// What one simulation came to, for people and for programs.
public struct SimulationReport: Sendable {
  /// What was simulated, as the head of every report names it.
  public struct Heading: Hashable, Sendable {
    /// Name of the pipeline.
    public var pipeline: String
    /// Name of the scenario.
    public var scenario: String
    /// Name of the device's profile.
    public var device: String
    /// Settings that differ from the files, as `key=value`.
    public var settings: [String]
    /// The command that gives the same report again.
    public var command: String

    /// Names what was simulated.
    public init(
      pipeline: String, scenario: String, device: String, settings: [String] = [],
      command: String = ""
    ) {
      self.pipeline = pipeline
      self.scenario = scenario
      self.device = device
      self.settings = settings
      self.command = command
    }

    /// `pipeline photos, scenario standard, device ios17`, and the settings.
    var line: String {
      (["pipeline \(pipeline)", "scenario \(scenario)", "device \(device)"] + settings)
        .joined(separator: ", ").visibleLine
    }
  }

  /// What was simulated.
  public let heading: Heading
  /// The definition.
  public let pipeline: Pipeline
  /// The seed.
  public let seed: UInt64
  /// The numbers.
  public let summary: SimulationSummary
  /// What happened, in lanes.
  public let timeline: Timeline
  /// The scenario's properties.
  public let properties: [PropertyResult]

  /// What stands in the way of items that are not finished.
  public let obstacles: [Obstacle]
  /// Changes with which the simulator does better, where they were looked for.
  public var advice: [Advice] = []

  /// A report of a simulation that kept its trace.
  public init(_ heading: Heading, _ pipeline: Pipeline, _ result: SimulationResult) {
    self.heading = heading
    self.pipeline = pipeline
    seed = result.seed
    summary = result.summary
    timeline = Timeline(result.trace, of: pipeline, from: result.start)
    properties = result.properties
    obstacles = result.obstacles
  }

  /// Whether every property holds, nothing waits for a person, and something could still happen or all is done.
  public var isPassed: Bool { properties.allSatisfy(\.holds) && summary.isPassed }

  /// The report as text: a timeline of at most about 40 lines, the numbers, what was waited for.
  public func text() -> String {
    var text = "\(heading.line), seed \(seed)\n\n"
    text += TimelineText(pipeline, timeline, items: summary.items).render()
    text += "\nSUMMARY\n" + summaryTable().render()
    text += waiting()
    text += inTheWay()
    text += Advice.part(advice)
    if !properties.isEmpty { text += "\nPROPERTIES\n" + propertyTable().render() }
    return text
  }

  private func summaryTable() -> TextTable {
    var table = TextTable()
    for (name, value) in SummaryLines(summary, start: timeline.start).lines {
      table.add([name, value])
    }
    return table
  }

  private func waiting() -> String {
    let stalls = summary.rankedStalls
    guard !stalls.isEmpty else { return "" }
    var table = TextTable(alignsRight: [1])
    for (word, time) in stalls.prefix(12) {
      table.add([word, SimulationFormatting.duration(time), StallCause(word).meaning])
    }
    return "\nWAITING, EACH MOMENT ONCE\n" + table.render()
  }

  private func inTheWay() -> String {
    guard !obstacles.isEmpty else { return "" }
    var table = TextTable(alignsRight: [0])
    for obstacle in obstacles.prefix(6) {
      table.add([
        obstacle.items == 0 ? "the run" : SimulationFormatting.count(obstacle.items, "item"),
        obstacle.rule ?? "",
        obstacle.message + (obstacle.isPermanent ? " (for good)" : ""),
      ])
    }
    return "\nIN THE WAY AT THE END\n" + table.render()
  }

  private func propertyTable() -> TextTable {
    var table = TextTable()
    for property in properties {
      let when = property.violatedAt.map {
        " at " + SimulationFormatting.moment($0.milliseconds, from: timeline.start)
      }
      var found = property.holds ? "holds" : "violated" + (when ?? "")
      if property.holds, property.isVacuous { found = "holds, but nothing was there to violate it" }
      table.add([property.name, found + (property.explanation.map { ": \($0)" } ?? "")])
    }
    return table
  }
}

extension SimulationSummary {
  /// Whether the run had something left to do that nothing could bring about any more, or whose end
  /// cannot be seen.
  public var isDeadlocked: Bool {
    switch outcome {
    case .stuck, .endless, .tooManySteps: true
    case .rested, .outOfTime, .storeFailed: false
    }
  }

  /// Whether nothing stands still: neither for good nor for a person.
  public var isPassed: Bool { !isDeadlocked && !isPaused }

  /// What was waited for, the longest first.
  var rankedStalls: [(word: String, time: Duration)] {
    stalls.filter { $0.value > .zero }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { ($0.key, $0.value) }
  }

  /// Items that no one works on any more and that are not done, by their words, or still to do.
  var itemWords: String {
    var words: [String] = []
    for status in [Item.Status.done, .failed, .paused, .skipped, .cancelled] {
      if let count = counts[status], count > 0 {
        words.append("\(SimulationFormatting.count(count)) \(TraceText.word(status))")
      }
    }
    let open = (counts[.pending] ?? 0) + (counts[.active] ?? 0)
    if open > 0 { words.append("\(SimulationFormatting.count(open)) unfinished") }
    return "\(SimulationFormatting.count(items)): " + words.joined(separator: ", ")
  }
}

/// The numbers of a summary with their names.
struct SummaryLines {
  let lines: [(name: String, value: String)]

  init(_ summary: SimulationSummary, start: Instant) {
    func time(_ part: Double) -> String {
      summary.completed(part: part).map { "after " + SimulationFormatting.duration($0) } ?? "never"
    }
    var lines = [
      ("items", summary.itemWords),
      ("complete", "half \(time(0.5)), 90 % \(time(0.9)), 99 % \(time(0.99))"),
      (
        "device time",
        "\(SimulationFormatting.duration(summary.deviceTime)) (\(summary.end))"
      ),
      ("wakes", SimulationFormatting.count(summary.wakes, "resume") + " by the transfer service"),
      (
        "added wait",
        "\(SimulationFormatting.duration(summary.addedWait)) by the resume delay "
          + "(\(SimulationFormatting.count(summary.addedWait.milliseconds / 1000)) s)"
      ),
      (
        "bytes",
        "\(SimulationFormatting.bytes(summary.bytesSent)) sent, "
          + "\(SimulationFormatting.bytes(summary.bytesWasted)) of them wasted"
      ),
      ("peak disk", SimulationFormatting.bytes(summary.peakDiskBytes)),
    ]
    if !summary.reissues.isEmpty {
      let steps = summary.reissues.sorted {
        ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
      }
      .map { "\($0.key) \(SimulationFormatting.count($0.value))×" }.joined(separator: ", ")
      let causes = summary.reissueCauses.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { "\($0.key) \(SimulationFormatting.count($0.value))×" }.joined(separator: ", ")
      lines.append(("done anew", "\(steps) (\(causes))"))
    }
    self.lines = lines
  }
}
