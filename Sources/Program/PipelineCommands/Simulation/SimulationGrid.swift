import Dispatch
import Synchronization

/// A pipeline in a scenario, with the settings that distinguish it from others.
struct SimulationCase: Sendable {
  let settings: [SimulationComparison.Setting]
  let heading: SimulationReport.Heading
  let simulation: Simulation
  let file: String
  let request: SimulationRequest
}

/// Builds the cases that a command line asks for: each file with each combination of values.
struct SimulationGrid {
  private let request: SimulationRequest
  /// More cases than this are treated as a mistake.
  private static let limit = 10_000

  init(_ request: SimulationRequest) { self.request = request }

  private struct Axis {
    let key: String
    let values: [String]
  }

  func cases() throws(CommandFailure) -> [SimulationCase] {
    let axes = try request.vary.map(axis)
    var points: [[SimulationComparison.Setting]] = [[]]
    for axis in axes {
      points = points.flatMap { point in axis.values.map { point + [.init(axis.key, $0)] } }
      guard points.count <= Self.limit else {
        throw CommandFailure.invalid("--vary results in more than \(Self.limit) cases")
      }
    }
    var texts: [String: String] = [:]
    for file in request.files {
      texts[file] = String(decoding: try FileContents.argument(file), as: UTF8.self)
    }
    let source = try ScenarioSource(request.scenario)
    var cases: [SimulationCase] = []
    for file in request.files {
      for point in points { cases.append(try entry(file, texts[file] ?? "", source, point)) }
    }
    return cases
  }

  private func axis(_ text: String) throws(CommandFailure) -> Axis {
    guard let pair = DocumentOverride(text) else {
      throw CommandFailure(.usage, "'\(text)': expected key=a,b")
    }
    let values = Self.values(pair.value)
    guard !values.isEmpty, !values.contains("") else {
      throw CommandFailure.invalid("--vary \(text): a value is missing")
    }
    return Axis(key: pair.key, values: values)
  }

  /// Splits values at commas; a comma inside brackets or quotes belongs to its value.
  static func values(_ text: String) -> [String] {
    var values = [""]
    var depth = 0
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if "[{(".contains(character) {
        depth += 1
      } else if "]})".contains(character) {
        depth -= 1
      } else if character == ",", depth <= 0 {
        values.append("")
        continue
      }
      values[values.count - 1].append(character)
    }
    return values
  }

  // MARK: One case

  private func entry(
    _ file: String, _ text: String, _ source: ScenarioSource,
    _ point: [SimulationComparison.Setting]
  ) throws(CommandFailure) -> SimulationCase {
    let all =
      request.overrides.compactMap { DocumentOverride($0) }
      + point.map { DocumentOverride(key: $0.key, value: $0.value) }
    let forScenario = all.filter { $0.key.hasPrefix(ScenarioSource.prefix) }
    let forPipeline = all.filter { !$0.key.hasPrefix(ScenarioSource.prefix) }
    let (changed, new) = try Self.apply(forPipeline, to: text, in: file)
    let result = PipelineDocument.load(
      text: changed, file: file, files: .beside(file, root: request.root), copiesRanges: true)
    guard let pipeline = result.simulated else {
      var sources = result.usedSources
      sources[file] = changed
      throw Self.unusable(result.diagnostics, sources, new, file)
    }
    let scenario = adjusted(try source.scenario(with: forScenario), try device())
    var settings = point
    if request.files.count > 1 { settings.insert(.init("file", file), at: 0) }
    let heading = SimulationReport.Heading(
      pipeline: pipeline.name, scenario: scenario.name, device: scenario.profile.name,
      settings: request.overrides, command: request.text)
    do throws(SimulationProblem) {
      return SimulationCase(
        settings: settings, heading: heading, simulation: try Simulation(pipeline, scenario),
        file: file, request: request)
    } catch {
      let help = error.help.map { "; \($0)" } ?? ""
      throw CommandFailure.invalid("\(file): \(error)\(help)")
    }
  }

  /// The text with all values in place, and the overrides whose keys were not in the file.
  static func apply(_ overrides: [DocumentOverride], to text: String, in file: String)
    throws(CommandFailure) -> (text: String, new: [(DocumentOverride, suggestion: String?)])
  {
    var text = text
    var new: [(DocumentOverride, suggestion: String?)] = []
    for override in overrides {
      do throws(DocumentOverride.Problem) {
        let change = try override.applied(to: text)
        text = change.text
        if change.isNew { new.append((override, change.suggestion)) }
      } catch {
        let help = error.help.map { "; \($0)" } ?? ""
        throw CommandFailure.invalid("\(file): \(error.message)\(help)")
      }
    }
    return (text, new)
  }

  /// Reports errors in a changed document, each at its position.
  static func unusable(
    _ diagnostics: [Diagnostic], _ sources: [String: String],
    _ new: [(DocumentOverride, suggestion: String?)], _ file: String
  ) -> CommandFailure {
    let errors = diagnostics.filter { $0.severity == .error }
    Terminal.write(DiagnosticText(sources: sources).render(errors), to: 2)
    guard let (override, suggestion) = new.first else { return CommandFailure(.invalid) }
    let meant = suggestion.map { "; did you mean '\($0)'?" } ?? ""
    return CommandFailure.invalid("'\(override.key)' is not in '\(file)', so it was added\(meant)")
  }

  // MARK: The device

  private func device() throws(CommandFailure) -> DeviceProfile? {
    guard let name = request.device else { return nil }
    if let profile = DeviceProfile.named(name) { return profile }
    let names = DeviceProfile.all.map(\.name)
    let meant = NearestWord.nearest(to: name, among: names).map { "did you mean '\($0)'? " } ?? ""
    throw CommandFailure.invalid(
      "no device is called '\(name)'; \(meant)expected one of \(names.joined(separator: ", "))")
  }

  private func adjusted(_ scenario: Scenario, _ profile: DeviceProfile?) -> Scenario {
    var scenario = scenario
    if let profile { scenario.profile = profile }
    if let days = request.days { scenario.length = .milliseconds(Int64(days * 86_400_000)) }
    if let items = request.items { scenario.items.count = items }
    return scenario
  }
}

extension SimulationCase {
  /// The command that shows only this case with one seed, possibly in another scenario.
  func replay(scenario: String? = nil, seed: UInt64) -> String {
    var request = request
    request.vary = []
    request.overrides += settings.filter { $0.key != "file" }.map { "\($0.key)=\($0.value)" }
    if let scenario {
      request.scenario = scenario
      // The file contains the item count, the duration and the device.
      (request.items, request.days, request.device) = (nil, nil, nil)
      request.overrides.removeAll { $0.hasPrefix(ScenarioSource.prefix) }
    }
    request.files = [file]
    (request.seed, request.seeds) = (seed, nil)
    return request.text
  }
}

/// The histories that a command line asks for.
struct SimulationRequest {
  var files: [String]
  var scenario, device: String?
  /// The folder that contains the files the pipelines refer to.
  let root: String?
  var days: Double?
  var items: Int?
  var seed: UInt64
  var seeds: Int?
  var overrides, vary: [String]

  /// The command line that reproduces its report, quoted for a shell.
  var text: String {
    var words = ["pipeline", "simulate"] + files
    if let scenario { words += ["--scenario", scenario] }
    if let device { words += ["--device", device] }
    if let days { words += ["--days", days == days.rounded() ? "\(Int(days))" : "\(days)"] }
    if let items { words += ["--items", "\(items)"] }
    for override in overrides { words += ["--set", override] }
    for axis in vary { words += ["--vary", axis] }
    words += ["--seed", "\(seed)"]
    if let seeds { words += ["--seeds", "\(seeds)"] }
    return words.map(ShellWord.quoted).joined(separator: " ")
  }
}

/// Runs cases with their seeds on all cores.
struct SimulationBatch {
  let seeds: [UInt64]

  private struct Progress {
    var outcomes: [[SeedOutcome?]]
    var count = 0
    var shown = 0
  }

  /// The outcomes of each case in the order of the seeds, whichever core finishes first.
  func run(_ cases: [SimulationCase]) -> [[SeedOutcome]] {
    let total = cases.count * seeds.count
    let isWatched = Terminal.isErrorInteractive && total > 20
    let progress = Mutex(
      Progress(
        outcomes: Array(repeating: Array(repeating: nil, count: seeds.count), count: cases.count)))
    DispatchQueue.concurrentPerform(iterations: total) { index in
      let (entry, place) = index.quotientAndRemainder(dividingBy: seeds.count)
      let result = cases[entry].simulation.run(seed: seeds[place], isTraced: false)
      let outcome = SeedOutcome(
        seed: result.seed, summary: result.summary, properties: result.properties)
      progress.withLock { progress in
        progress.outcomes[entry][place] = outcome
        progress.count += 1
        let percent = progress.count * 100 / total
        if isWatched, percent > progress.shown {
          progress.shown = percent
          Terminal.send("\rsimulating \(progress.count) of \(total) seeds", to: 2)
        }
      }
    }
    if isWatched { Terminal.send("\r\u{1B}[K", to: 2) }
    return progress.withLock { $0.outcomes.map { $0.compactMap { $0 } } }
  }
}
