/// Runs the cases of a test in virtual time and reports where they differ from the expectations.
public struct TestRunner: Sendable {
  private let document: TestDocument

  /// A runner for the cases of `document`.
  public init(_ document: TestDocument) { self.document = document }

  /// The results of the cases whose name contains `filter`, in the order of the file.
  public func results(filter: String = "") -> [TestResult] {
    document.cases.filter { filter.isEmpty || $0.name.contains(filter) }.map(result)
  }

  /// Runs one case.
  public func result(of test: TestCase) -> TestResult {
    var run = simulation(of: test)
    run.simulate()
    let check = ExpectationCheck(run, test)
    var failures = ((run.server as? ScriptedServer)?.gaps ?? []).map { gap in
      TestFailure(
        range: gap.range ?? test.range, what: "the script",
        expected: "a response to each request", found: gap.message)
    }
    failures += test.expectations.flatMap(check.failures) + check.unexpectedEnd(test)
    return TestResult(
      test: document.name, name: test.name, range: test.range, failures: failures,
      elapsed: run.now - run.start, requests: run.trace.exchanges.count,
      timeline: TraceText(run).render(run.trace, limit: Self.timelineLimit))
  }

  private static let timelineLimit = 60

  /// The run of a case, for inspection.
  public func simulation(of test: TestCase) -> SimulatedRun {
    var settings = SimulatedRun.Settings()
    settings.start = test.start
    settings.seed = test.seed
    settings.limit = test.limit
    settings.interventions = test.restarts.map { ($0, .restart) }
    var disk = VirtualDisk(capacity: test.freeSpace)
    for files in test.files.values {
      for file in files { disk.add(file.file, content: file.content) }
    }
    for file in test.saved { disk.addSaved(file.file, content: file.content) }
    let lists = test.files.filter { name, _ in
      document.pipeline.inputs.contains { $0.name == name && $0.kind == .files }
    }
    return SimulatedRun(
      document.pipeline,
      inputs: .init(
        values: test.values, secrets: test.secrets, files: lists.mapValues { $0.map(\.file) }),
      server: ScriptedServer(test, of: document.pipeline), disk: disk, settings: settings)
  }
}

/// The result of a case.
public struct TestResult: Hashable, Sendable {
  /// Names of the test and the case.
  public let test, name: String
  /// The position of the name.
  public let range: TextRange
  /// Where the run differs from the expectations; empty if the case passed.
  public let failures: [TestFailure]
  /// Virtual duration of the run.
  public let elapsed: Duration
  /// Requests that were sent.
  public let requests: Int
  /// What happened, one line per event; at most the last 60.
  public let timeline: String

  /// Whether everything is as expected.
  public var isPassed: Bool { failures.isEmpty }
}

/// A difference between a run and an expectation.
public struct TestFailure: Hashable, Sendable {
  /// The position of the expectation in the file.
  public let range: TextRange
  /// The subject of the check, such as `attempts of 'upload'`, the expected value, and the actual one.
  public let what, expected, found: String
}
