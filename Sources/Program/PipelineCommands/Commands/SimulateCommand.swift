struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "simulate", "Simulate a pipeline during weeks of phone use, in a second.",
    status: ExitStatus.help([
      (.done, "every property of the scenario holds"),
      (
        .incomplete,
        "a property is violated, the run or an item needs you to continue it, or the run is stuck"
      ), (.invalid, "a file, a scenario, a device or a setting cannot be used"),
      (.environment, "a report cannot be written"), (.usage, ExitStatus.usage.meaning),
    ]))

  enum OutputFormat: String, ExpressibleByArgument, CaseIterable { case text, json, html }

  @Argument(
    help: .help("Pipelines; several are compared.", "file"),
    completion: .file(extensions: ["yaml", "yml"])) var files: [String]

  @Option(
    help: .help("Scenario: a file, or the name of a shipped one.", "scenario"),
    completion: .file(extensions: ["yaml", "yml"])) var scenario: String?

  @Option(
    help: .help("Device profile to use instead of the scenario's.", "profile"),
    completion: .list(DeviceProfile.all.map(\.name))) var device: String?

  @OptionGroup var reach: RootOption
  @Option(help: .help("Maximum number of days to simulate.", "number")) var days: Double?
  @Option(help: .help("Number of items.", "number")) var items: Int?
  @Option(help: .help("Random seed; with --seeds, the first.", "number")) var seed: UInt64 = 1
  @Option(help: .help("Number of seeds to simulate, on all cores.", "number")) var seeds: Int?

  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue,
    help: .help("Override a value in the file.", "key=value")) var overrides: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: .help("Values to compare; several --vary form a grid.", "key=a,b")) var vary: [String] =
      []

  @Flag(help: "Also try other settings and report the better ones; up to ten times slower.")
  var advise = false

  @Option(help: "Report format.") var format: OutputFormat = .text

  @Option(
    help: .help("Write the report to this file instead of standard output.", "file"),
    completion: .file()) var output: String?

  @Option(
    help: .help("Write every event to this file as NDJSON (a single seed only).", "file"),
    completion: .file()) var trace: String?

  @Option(
    help: .help("Write the shortest scenario that violates a property to this file.", "file"),
    completion: .file()) var counterexample: String?

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Name at least one pipeline.") }
    if let seeds, seeds < 1 { throw ValidationError("--seeds must be at least 1.") }
    if let items, items < 1 { throw ValidationError("--items must be at least 1.") }
    if let days, !(days > 0 && days <= 36500) {
      throw ValidationError("--days must be greater than 0 and at most 36500.")
    }
    for assignment in overrides + vary where DocumentOverride(assignment) == nil {
      throw ValidationError("'\(assignment)': expected key=value.")
    }
    if trace != nil, isComparison || (seeds ?? 1) > 1 {
      throw ValidationError("--trace needs a single seed and a single pipeline.")
    }
  }

  var isComparison: Bool { files.count > 1 || !vary.isEmpty }

  func run() throws {
    let request = SimulationRequest(
      files: files, scenario: scenario, device: device, root: reach.folder, days: days,
      items: items, seed: seed, seeds: seeds, overrides: overrides, vary: vary)
    let cases = try SimulationGrid(request).cases()
    if isComparison {
      try compare(cases)
    } else if let seeds, seeds > 1 {
      try spread(cases[0])
    } else {
      try show(cases[0])
    }
  }

  // MARK: Reports

  private func show(_ entry: SimulationCase) throws {
    // The numbers do not need a trace, which uses most of the memory of a long simulation.
    let result = entry.simulation.run(seed: seed, isTraced: format != .json || trace != nil)
    var report = SimulationReport(entry.heading, entry.simulation.pipeline, result)
    if advise { report.advice = AdviceSearch(entry.simulation, seed: seed).advice() }
    if let trace {
      let lines = TraceLines(entry.simulation.pipeline, from: result.start).render(result.trace)
      try FileContents.write(lines, to: trace)
    }
    try finish(
      report, violation: report.properties.first { !$0.holds }.map { (entry, $0.name, seed) })
  }

  private func spread(_ entry: SimulationCase) throws {
    let outcomes = SimulationBatch(seeds: seedList).run([entry])
    var report = SeedReport(entry.heading, SeedStatistics(outcomes[0]))
    if advise { report.advice = AdviceSearch(entry.simulation, seed: seed).advice() }
    try finish(report, violation: Self.violation(entry, report.statistics))
  }

  private func compare(_ cases: [SimulationCase]) throws {
    let outcomes = SimulationBatch(seeds: seedList).run(cases)
    let comparison = SimulationComparison(
      zip(cases, outcomes).map { entry, outcomes in
        SimulationComparison.Case(entry.settings, entry.heading, SeedStatistics(outcomes))
      })
    try finish(
      comparison,
      violation: zip(cases, comparison.cases).lazy.compactMap { Self.violation($0, $1.statistics) }
        .first)
  }

  /// The number of seeds of a comparison, unless `--seeds` sets it.
  private static let usualSeeds = 20

  private var seedList: [UInt64] {
    (0..<(seeds ?? (isComparison ? Self.usualSeeds : 1))).map { seed &+ UInt64($0) }
  }

  /// A property that does not hold, with the case and the seed.
  private typealias Violation = (entry: SimulationCase, property: String, seed: UInt64)

  private static func violation(_ entry: SimulationCase, _ statistics: SeedStatistics) -> Violation?
  {
    guard let property = statistics.properties.first(where: { $0.violations > 0 }),
      let seed = property.firstSeed
    else { return nil }
    return (entry, property.name, seed)
  }

  private func finish(_ report: some RenderedReport, violation: Violation?) throws {
    let found = report.isPassed ? nil : violation.flatMap(shortest)
    let text =
      switch format {
      case .text: report.text()
      case .json: report.json(found)
      case .html: report.html()
      }
    try FileContents.write(text, to: output ?? "-")
    guard !report.isPassed else { return }
    if let found {
      try show(found)
    } else if let violation {
      let replay = violation.entry.replay(seed: violation.seed)
      var text = "\nNO SHORTER VIOLATION OF '\(violation.property)' FOUND\n"
      text += "replay: \(replay)".visibleLine + "\n"
      write(text)
      if let counterexample {
        throw CommandFailure(
          .incomplete,
          "no scenario was written to '\(counterexample)': the shortest violation found takes too many steps; "
            + "simulate fewer items or days")
      }
    }
    throw CommandFailure(.incomplete)
  }

  /// The shortest violation of a property that was found.
  private func shortest(_ violation: Violation) -> ShownCounterexample? {
    let (entry, property, seed) = violation
    guard let found = entry.simulation.counterexample(to: property, seed: seed) else { return nil }
    let command =
      counterexample.map { entry.replay(scenario: $0, seed: found.seed) }
      ?? entry.replay(seed: seed)
    return ShownCounterexample(
      found, ofItems: entry.simulation.scenario.items.count, command: command)
  }

  private func show(_ shown: ShownCounterexample) throws {
    let found = shown.counterexample
    var text = "\nSHORTEST VIOLATION FOUND OF '\(found.property)' "
    text += "(\(found.scenario.items.count) of \(shown.items) items, "
    text += "\(found.moments.kept) of \(found.moments.all) events)\n"
    text += found.timeline.map { "  \($0)\n" }.joined()
    text += "replay: \(shown.command)".visibleLine
    if let counterexample {
      try FileContents.write(found.document, to: counterexample)
      text += "\n"
    } else {
      text += "; use --counterexample FILE to write the short one\n"
    }
    write(text)
  }

  private func write(_ text: String) {
    Terminal.write(text, to: format == .text && output == nil ? 1 : 2)
  }
}

private protocol RenderedReport {
  var isPassed: Bool { get }
  func text() -> String
  func json(_ counterexample: ShownCounterexample?) -> String
  func html() -> String
}

extension SimulationReport: RenderedReport {}
extension SeedReport: RenderedReport {}
extension SimulationComparison: RenderedReport {}
