/// The results of one simulation, for the user and for programs.
public struct SimulationReport: Sendable {
  /// The simulated case, as shown at the top of every report.
  public struct Heading: Hashable, Sendable {
    /// Names of the pipeline, the scenario, and the device's profile.
    public var pipeline, scenario, device: String
    /// Settings that differ from the files, as `key=value`.
    public var settings: [String]
    /// The command that reproduces the report.
    public var command: String

    /// Describes the simulated case.
    public init(
      pipeline: String, scenario: String, device: String, settings: [String] = [],
      command: String = ""
    ) {
      (self.pipeline, self.scenario, self.device) = (pipeline, scenario, device)
      (self.settings, self.command) = (settings, command)
    }

    /// `pipeline photos, scenario standard, device ios17`, and the settings.
    var line: String {
      (["pipeline \(pipeline)", "scenario \(scenario)", "device \(device)"] + settings)
        .joined(separator: ", ").visibleLine
    }
  }

  /// The simulated case.
  public let heading: Heading
  /// The definition.
  public let pipeline: Pipeline
  public let seed: UInt64
  /// The numbers.
  public let summary: SimulationSummary
  package let timeline: Timeline
  /// The scenario's properties.
  public let properties: [PropertyResult]
  /// What keeps unfinished items from continuing.
  public let obstacles: [Obstacle]
  /// Changes that do better when simulated, if they were looked for.
  public var advice: [Advice] = []

  /// A report of a simulation that kept its trace.
  public init(_ heading: Heading, _ pipeline: Pipeline, _ result: SimulationResult) {
    (self.heading, self.pipeline) = (heading, pipeline)
    seed = result.seed
    summary = result.summary
    timeline = Timeline(result.trace, of: pipeline, from: result.start)
    properties = result.properties
    obstacles = result.obstacles
  }

  /// Whether every property holds, nothing waits for the user, and the run is finished or not stuck.
  public var isPassed: Bool { properties.allSatisfy(\.holds) && summary.isPassed }

  /// The report as text: a timeline of about 40 lines at most, the numbers, and causes of waiting.
  public func text() -> String {
    var text = "\(heading.line), seed \(seed)\n\n"
    text += TimelineText(pipeline: pipeline, timeline: timeline, items: summary.items).render()
    text += "\nSUMMARY\n" + TextTable(summary.lines.map { [$0.name, $0.value] }).render()
    text += waiting() + inTheWay() + Advice.part(advice)
    if !properties.isEmpty { text += "\nPROPERTIES\n" + propertyTable().render() }
    return text
  }

  private func waiting() -> String {
    let stalls = summary.rankedStalls
    guard !stalls.isEmpty else { return "" }
    let rows = stalls.prefix(12).map { word, time in
      [word, Words.duration(time), StallCause(word).meaning]
    }
    return "\nWAITING, EACH MOMENT ONCE\n" + TextTable(alignsRight: [1], rows).render()
  }

  private func inTheWay() -> String {
    guard !obstacles.isEmpty else { return "" }
    let rows = obstacles.prefix(6).map { obstacle in
      [
        obstacle.items == 0 ? "the run" : Words.count(obstacle.items, "item"),
        obstacle.rule ?? "", obstacle.message + (obstacle.isPermanent ? " (permanent)" : ""),
      ]
    }
    return "\nOBSTACLES AT THE END\n" + TextTable(alignsRight: [0], rows).render()
  }

  private func propertyTable() -> TextTable {
    TextTable(
      properties.map { property in
        let when = property.violatedAt.map {
          " at " + Words.moment($0.milliseconds, from: timeline.start)
        }
        var found = property.holds ? "holds" : "violated" + (when ?? "")
        if property.holds, property.isVacuous {
          found = "holds, but nothing could have violated it"
        }
        return [property.name, found + (property.explanation.map { ": \($0)" } ?? "")]
      })
  }
}

extension SimulationSummary {
  /// Whether the run had work left but nothing could make it continue, or no end of it is in sight.
  public var isDeadlocked: Bool {
    switch outcome {
    case .stuck, .endless, .tooManySteps: true
    case .rested, .outOfTime, .storeFailed: false
    }
  }

  /// Whether nothing is blocked, either permanently or until the user acts.
  public var isPassed: Bool { !isDeadlocked && !isPaused }

  var rankedStalls: [(word: String, time: Duration)] {
    stalls.filter { $0.value > .zero }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { ($0.key, $0.value) }
  }

  /// Items that ended without being done, by status, or that are still to do.
  var itemWords: String {
    var words: [String] = []
    for status in [Item.Status.done, .failed, .paused, .skipped, .cancelled] {
      if let count = counts[status], count > 0 {
        words.append("\(Words.count(count)) \(status.word)")
      }
    }
    let open = (counts[.pending] ?? 0) + (counts[.active] ?? 0)
    if open > 0 { words.append("\(Words.count(open)) unfinished") }
    return "\(Words.count(items)): " + words.joined(separator: ", ")
  }

  var lines: [(name: String, value: String)] {
    func time(_ part: Double) -> String {
      completed(part: part).map { "after " + Words.duration($0) } ?? "never"
    }
    func counts(_ numbers: [String: Int]) -> String {
      numbers.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { "\($0.key) \(Words.count($0.value))×" }.joined(separator: ", ")
    }
    let seconds = Words.count(addedWait.milliseconds / 1000)
    let wasted = Words.bytes(bytesWasted)
    var lines = [
      ("items", itemWords),
      ("complete", "half \(time(0.5)), 90 % \(time(0.9)), 99 % \(time(0.99))"),
      ("device time", "\(Words.duration(deviceTime)) (\(end))"),
      ("wakes", Words.count(wakes, "resume") + " by the transfer service"),
      ("added wait", "\(Words.duration(addedWait)) by the resume delay (\(seconds) s)"),
      ("bytes", "\(Words.bytes(bytesSent)) sent, \(wasted) of them wasted"),
      ("peak disk", Words.bytes(peakDiskBytes)),
    ]
    if !reissues.isEmpty {
      lines.append(("reissued", "\(counts(reissuesByStep)) (\(counts(reissueCauses)))"))
    }
    return lines
  }
}
