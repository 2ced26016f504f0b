struct TestReader {
  package let reader: DocumentReader
  package let expressions: TestExpressions
  var collector: DiagnosticCollector { reader.collector }
  package var pipeline: Pipeline { expressions.pipeline }

  init(_ reader: DocumentReader, _ pipeline: Pipeline) {
    self.reader = reader
    expressions = TestExpressions(reader: reader, pipeline: pipeline)
  }

  /// The keys shared by a test and its cases; the case has precedence.
  package struct Common {
    package var inputs: [String: TestInput] = [:]
    package var answers: [Int: [ScriptedReply]] = [:]
    var probes: [Int: [ScriptedReply]] = [:]
    var abandonments: [ScriptedReply] = []

    func overridden(by other: Common) -> Common {
      var result = self
      result.inputs.merge(other.inputs) { $1 }
      result.answers.merge(other.answers) { $1 }
      result.probes.merge(other.probes) { $1 }
      if !other.abandonments.isEmpty { result.abandonments = other.abandonments }
      return result
    }
  }

  package func cases(_ fields: FieldReader) -> [TestCase] {
    let common = common(fields)
    guard let node = fields["cases"], let elements = reader.list(node, of: "cases")
    else { return [] }
    if elements.isEmpty {
      collector.report(
        .emptyCollection, "'cases' is empty, expected at least one case", at: reader.range(node))
    }
    let cases = elements.compactMap { testCase($0, common) }
    reader.reportDuplicates("case name", cases.map { ($0.name, $0.range) })
    return cases
  }

  private func common(_ fields: FieldReader) -> Common {
    Common(
      inputs: fields["inputs"].map(inputs) ?? [:],
      answers: fields["answers"].map { replies($0, of: .answers) } ?? [:],
      probes: fields["probes"].map { replies($0, of: .probes) } ?? [:],
      abandonments: fields["on_abandon"].map { node in
        let environment = expressions.environment(hasRequest: true)
        return list(node).compactMap { reply($0, environment) }
      } ?? [])
  }

  private func testCase(_ node: YAMLNode, _ shared: Common) -> TestCase? {
    guard let fields = reader.fields(node, .testCase) else { return nil }
    let common = shared.overridden(by: common(fields))
    let name = fields["name"].flatMap { reader.text($0, expected: "a case name") }
    let values = values(common.inputs, of: name, at: fields.headRange)
    let expectations = ExpectationReader(test: self, itemCount: values.itemCount(of: pipeline))
    let expected = fields["expect"].map(expectations.expectations) ?? []
    guard let name else { return nil }
    return TestCase(
      name: name.value, range: name.range, values: values.values, secrets: values.secrets,
      files: values.files, saved: values.saved,
      start: fields["start"].flatMap(reader.instant) ?? Self.start,
      seed: fields.integer("seed").map(UInt64.init) ?? 1,
      limit: fields["limit"].flatMap(reader.duration) ?? .seconds(30 * 86400),
      freeSpace: fields["free_space"].flatMap(reader.size),
      restarts: fields["restarts"].flatMap { reader.list($0, of: "durations") }?.compactMap(
        reader.duration) ?? [], answers: common.answers, probes: common.probes,
      abandonments: common.abandonments, expectations: expected)
  }

  /// 2026-01-05T08:00:00Z, a Monday.
  private static let start = Instant(milliseconds: 1_767_600_000_000)

  // MARK: Responses

  private enum Asked { case answers, probes }

  /// The elements of a list that must not be empty.
  package func list(_ node: YAMLNode) -> [YAMLNode] {
    guard let elements = reader.list(node, of: "entries") else { return [] }
    if elements.isEmpty {
      collector.report(
        .emptyCollection, "the list is empty, expected at least one entry", at: reader.range(node))
    }
    return elements
  }

  private func replies(_ node: YAMLNode, of asked: Asked) -> [Int: [ScriptedReply]] {
    var replies: [Int: [ScriptedReply]] = [:]
    for (id, value) in reader.map(node, of: "responses by step ID") ?? [] {
      guard let step = step(id) else { continue }
      switch asked {
      case .answers:
        if !pipeline.steps[step].kind.hasResponse {
          collector.report(
            .uselessKey, "the step '\(id.value)' sends no request, but writes a file", at: id.range)
        }
      case .probes: if !checkProbe(step, id) { continue }
      }
      let environment = expressions.environment(answering: step)
      replies[step] = list(value).compactMap { reply($0, environment) }
    }
    return replies
  }

  /// Whether the step has a probe; reports an error if not.
  func checkProbe(_ step: Int, _ id: Located<String>) -> Bool {
    guard pipeline.steps[step].probe == nil else { return true }
    let probed = pipeline.steps.filter { $0.probe != nil }.map(\.id.rawValue)
    collector.report(
      .uselessKey, "the step '\(id.value)' has no probe", at: id.range,
      help: probed.isEmpty ? nil : "steps with probes: \(quotedList(probed))")
    return false
  }

  /// The index of a step; reports an error if there is none.
  package func step(_ id: Located<String>) -> Int? {
    if let index = pipeline.stepIndex[StepID(id.value)] { return index }
    let ids = pipeline.steps.map(\.id.rawValue)
    reader.report(
      .unknownStep, "the pipeline has no step '\(id.value)'", unknown: id, among: ids,
      help: "the steps are \(quotedList(ids))")
    return nil
  }

  private func reply(_ node: YAMLNode, _ environment: Environment) -> ScriptedReply? {
    guard let fields = reader.fields(node, .reply) else { return nil }
    let error = fields["error"].flatMap {
      reader.choice($0, of: TransportFailure.Kind.self, what: "connection failure")
    }
    let reached = fields["reached"].flatMap(reader.flag)?.value
    if error == nil, let range = fields.keyRange("reached"), !fields.has("error") {
      collector.report(.uselessKey, "'reached' requires 'error'", at: range)
    }
    if error?.value == .interrupted, let range = error?.range {
      collector.report(
        .invalidChoice, "'interrupted' is an interruption of the program, not a connection failure",
        at: range, help: "use 'restarts' to interrupt the run")
    }
    guard let answer = expressions.responseTemplate(reader.responseTemplate(fields), environment)
    else { return nil }
    return ScriptedReply(
      condition: fields["if"].flatMap { reader.expression($0, expected: "a condition") }
        .flatMap { expressions.compile($0, .bool, environment) },
      times: fields.integer("times") ?? 1, reply: answer,
      failure: error.map { failure($0.value, reached: reached) }, range: fields.headRange)
  }

  private func failure(_ kind: TransportFailure.Kind, reached: Bool?) -> TransportFailure {
    let usually =
      switch kind {
      case .connectionLost, .timeout, .responseTooLarge, .fileChanged: true
      case .nameNotResolved, .networkUnavailable, .tooManyOpenFiles, .connectionRefused, .tls,
        .badURL, .fileUnreadable, .notAllowed, .interrupted:
        false
      }
    return TransportFailure(
      kind, message: "the test specifies \(kind.rawValue)", mayHaveBeenSent: reached ?? usually)
  }

  package func headers(_ fields: FieldReader, _ environment: Environment) -> [RequestTemplate.Field]
  {
    guard let node = fields["headers"] else { return [] }
    return (reader.map(node, of: "headers by name") ?? []).compactMap { name, value in
      expressions.template(reader.template(value), environment)
        .map { RequestTemplate.Field(name: name.value, value: $0) }
    }
  }
}
