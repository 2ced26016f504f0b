/// Reports on the crash safety of pipelines.
public struct CrashSafetyReport: Sendable {
  let results: [CrashSafety]
  let acceptsAssumptions: Bool

  /// A report on `results`, in their order.
  public init(_ results: [CrashSafety], acceptsAssumptions: Bool = false) {
    self.results = results
    self.acceptsAssumptions = acceptsAssumptions
  }

  /// Whether each pipeline is certified.
  public var isCertified: Bool { results.allSatisfy(\.isCertified) }

  /// The overall judgement: the worst of any pipeline.
  public var verdict: CrashSafety.Certification {
    let known = Set(results.map(\.verdict))
    return CrashSafety.Certification.allCases.last(where: known.contains) ?? .certified
  }

  // MARK: Text

  /// Lines of text: a certificate or the counterexamples, and the facts about each step.
  public func text() -> String { results.map(text).joined(separator: "\n") }

  private func text(_ result: CrashSafety) -> String {
    "\(result.file): \(verdict(result))".visibleLine + "\n" + Self.rows(result)
  }

  private static func rows(_ result: CrashSafety) -> String {
    var text = "  \(effort(result.effort))\n"
    for step in result.steps {
      let seen = seen(step).map { " (\($0))" } ?? ""
      text += "  \(TraceText.padded(step.id.rawValue, 16)) \(word(step)) \(step.reason.phrase)"
      text += seen + "\n"
      let notes =
        step.assumptions.map { "assumption: \($0)" } + step.leaks.map { "leak: \($0)" }
        + (step.mayPause ? ["may pause until you run `pipeline retry`"] : [])
      for note in notes { text += "  \(TraceText.padded("", 16)) \(note)".visibleLine + "\n" }
    }
    for example in result.counterexamples {
      let head = "\(place(example, result)): error[\(example.kind.rawValue)]: \(example.message)"
      text += head.visibleLine + "\n"
      for disturbance in example.disturbances {
        text += "  when \(disturbance):".visibleLine + "\n"
      }
      for line in example.timeline { text += "    \(line)\n" }
    }
    return text
  }

  /// The verdict on a pipeline, and its assumptions: counts, so that it is not mistaken for more.
  func verdict(_ result: CrashSafety) -> String {
    func steps(_ grade: StepSafety.Grade) -> [StepSafety] {
      result.steps.filter { $0.grade == grade }
    }
    var parts: [String] = []
    switch result.verdict {
    case .unsafe:
      parts.append("not safe: " + Self.count(result.counterexamples.count, "counterexample"))
    case .incomplete: parts.append("not certified")
    case .assumed:
      parts.append(
        acceptsAssumptions
          ? "certified under assumptions" : "not certified: it relies on unverified assumptions")
    case .certified:
      parts.append("certified: no fault loses an item or carries out a creating step twice")
    }
    parts.append(Self.count(steps(.shown).count, "step") + " proven safe")
    func add(_ grade: StepSafety.Grade, _ text: String) {
      let found = steps(grade)
      guard !found.isEmpty else { return }
      let names = found.map { "'\($0.id)'" }.joined(separator: ", ")
      parts.append("\(found.count) \(text) (\(names))")
    }
    add(.unsafe, "not safe")
    add(.assumed, "under assumptions")
    add(.unreached, "never reached")
    if result.effort.pairs < result.effort.allPairs {
      parts.append("\(result.effort.pairs) of \(result.effort.allPairs) pairs tried")
    }
    if result.effort.untried > 0 {
      parts.append(Self.count(result.effort.untried, "fault") + " untried")
    }
    return parts.joined(separator: "; ")
  }

  private static func word(_ step: StepSafety) -> String {
    switch step.grade {
    case .unreached: "NOT REACHED:"
    case .unsafe:
      step.hasNoProtection || step.isLocal ? "NOT SAFE:" : "NOT SAFE, as shown below, with"
    case .assumed: "not proven, assumed:"
    case .shown: step.isLocal ? "safe:" : "safe by"
    }
  }

  static func effort(_ effort: CrashSafety.Effort) -> String {
    let pairs =
      effort.pairs == effort.allPairs
      ? "all \(effort.pairs) pairs" : "\(effort.pairs) of \(effort.allPairs) pairs"
    return count(effort.runs, "run") + ": the process crashed at each of "
      + count(effort.crashPoints, "point") + ", " + count(effort.requests, "request")
      + " left with an unknown outcome in up to \(CrashVerifier.faults.count) ways each, and \(pairs) of these"
      + (effort.untried > 0
        ? "; stopped at the limit of work (too-costly), with \(effort.untried) faults untried"
        : "")
  }

  /// The server's observations of a step; `nil` if there is nothing to report.
  static func seen(_ step: StepSafety) -> String? {
    guard step.attempts > 0 else { return nil }
    return "sent up to \(times(step.attempts)), took effect up to \(times(step.effects))"
  }

  private static func times(_ number: Int) -> String {
    number == 1 ? "once" : number == 2 ? "twice" : "\(number) times"
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }

  private static func place(_ example: SafetyCounterexample, _ result: CrashSafety) -> String {
    example.location.map { "\($0)" } ?? result.file
  }

  // MARK: JSON

  /// An object as `Schemas/verification.schema.json` describes it.
  public func json() -> String {
    let report: Value = [
      "certified": .bool(isCertified), "verdict": .string(verdict.rawValue),
      "pipelines": .list(results.map(Self.value)),
    ]
    return report.jsonText() + "\n"
  }

  private static func value(_ result: CrashSafety) -> Value {
    let effort = result.effort
    return [
      "pipeline": .string(result.pipeline), "file": .string(result.file),
      "certified": .bool(result.isCertified), "verdict": .string(result.verdict.rawValue),
      "effort": [
        "runs": .number(effort.runs), "crash_points": .number(effort.crashPoints),
        "requests": .number(effort.requests), "pairs": .number(effort.pairs),
        "all_pairs": .number(effort.allPairs), "usual_pairs": .number(effort.usualPairs),
        "untried": .number(effort.untried),
      ],
      "steps": .list(result.steps.map(value)),
      "counterexamples": .list(result.counterexamples.map(value)),
    ]
  }

  private static func value(_ step: StepSafety) -> Value {
    var pairs: [(String, Value)] = [
      ("id", .string(step.id.rawValue)), ("safe", .bool(step.isSafe)),
      ("by", .string(step.reason.word)), ("grade", .string(step.grade.rawValue)),
    ]
    if case .key(let header, _) = step.reason { pairs.append(("header", .string(header))) }
    pairs += [
      ("assumptions", .texts(step.assumptions)), ("attempts", .number(step.attempts)),
      ("effects", .number(step.effects)), ("leaks", .texts(step.leaks)),
      ("may_pause", .bool(step.mayPause)),
    ]
    return .object(pairs + place(step.location))
  }

  private static func value(_ example: SafetyCounterexample) -> Value {
    var pairs: [(String, Value)] = [("kind", .string(example.kind.rawValue))]
    if let step = example.step { pairs.append(("step", .string(step.rawValue))) }
    if let location = example.location { pairs += place(location) }
    pairs += [
      ("message", .string(example.message)), ("disturbances", .texts(example.disturbances)),
      ("timeline", .texts(example.timeline)),
    ]
    return .object(pairs)
  }

  private static func place(_ location: SourceLocation) -> [(String, Value)] {
    [
      ("file", .string(location.file)), ("line", .number(location.line)),
      ("column", .number(location.column)),
    ]
  }

  // MARK: SARIF

  /// A log in SARIF 2.1.0: a result for each counterexample, and a note for each leak.
  public func sarif(version: String) -> String {
    let rules = SafetyCounterexample.Kind.allCases.map { Value.string($0.rawValue) } + ["leak"]
    let log = DiagnosticSARIF.log(
      version: version, rules: rules.map { ["id": $0] }, results: results.flatMap(Self.findings))
    return log.jsonText() + "\n"
  }

  private static func findings(_ result: CrashSafety) -> [Value] {
    let start = SourceLocation(file: result.file, line: 1, column: 1)
    let examples = result.counterexamples.map { example in
      finding(
        example.kind.rawValue, "error",
        ([example.message + ", when:"] + example.disturbances + example.timeline).joined(
          separator: "\n"), at: example.location ?? start)
    }
    let leaks = result.steps.flatMap { step in
      step.leaks.map { finding("leak", "note", "\(step.id): \($0)", at: step.location) }
    }
    return examples + leaks
  }

  private static func finding(
    _ rule: String, _ level: String, _ text: String, at location: SourceLocation
  ) -> Value {
    let region: Value = [
      "startLine": .number(location.line), "startColumn": .number(location.column),
    ]
    return [
      "ruleId": .string(rule), "level": .string(level), "message": ["text": .string(text)],
      "locations": [["physicalLocation": DiagnosticSARIF.place(location.file, region)]],
    ]
  }
}
