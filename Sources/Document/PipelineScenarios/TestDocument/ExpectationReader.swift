struct ExpectationReader {
  let test: TestReader
  /// The number of items of the run, if it is known.
  let itemCount: Int?
  private var reader: DocumentReader { test.reader }
  private var collector: DiagnosticCollector { test.collector }

  func expectations(_ node: YAMLNode) -> [TestExpectation] {
    guard let fields = reader.fields(node, .expectation) else { return [] }
    if fields.construct.keys.allSatisfy({ !fields.has($0.name) }) {
      collector.report(
        .emptyCollection, "'expect' is empty, expected at least one key", at: reader.range(node),
        help: "for example: status: done")
    }
    var found: [TestExpectation] = []
    for key in fields.construct.keys {
      if let node = fields[key.name] { found += expectations(key.name, node, fields) }
    }
    checkTogether(found)
    return found
  }

  private func expectations(
    _ key: String, _ node: YAMLNode, _ fields: FieldReader
  ) -> [TestExpectation] {
    switch key {
    case "status":
      return reader.choice(node, of: TestRunStatus.self, what: "run status")
        .map { [TestExpectation(kind: .status($0.value), range: $0.range)] } ?? []
    case "reason":
      return reader.text(node).map { [TestExpectation(kind: .reason($0.value), range: $0.range)] }
        ?? []
    case "items": return items(node)
    case "each": return test.list(node).compactMap(item)
    case "requests", "all_requests":
      let requests = test.list(node).compactMap(request)
      let range = fields.keyRange(key) ?? reader.range(node)
      return [.init(kind: .requests(requests, isComplete: key == "all_requests"), range: range)]
    case "attempts": return counts(node) { .attempts(step: $0, $1) }
    case "probes": return counts(node, areProbes: true) { .probes(step: $0, $1) }
    case "reissues": return counts(node) { .reissues(step: $0, $1) }
    case "outputs":
      return outputs(node).map { .init(kind: .output(step: $0, output: $1, $2), range: $3) }
    case "time": return time(node)
    case "disk":
      guard let bounds = reader.fields(node, .sizeBounds), let most = bounds["at_most"],
        let size = reader.size(most)
      else { return [] }
      return [.init(kind: .diskAtMost(size), range: reader.range(most))]
    case "saved":
      let paths = reader.list(node, of: "paths")?.compactMap { reader.text($0)?.value }
      return paths.map { [.init(kind: .saved($0.sorted()), range: reader.range(node))] } ?? []
    default: return []
    }
  }

  private func checkTogether(_ found: [TestExpectation]) {
    var sum = 0
    var failing: TestExpectation?
    var isDone = false
    for expectation in found {
      switch expectation.kind {
      case .items(let status, let count):
        sum += count
        if let itemCount, sum > itemCount {
          collector.report(
            .outOfRange, "the case only has \(itemCount) \(itemCount == 1 ? "item" : "items")",
            at: expectation.range)
          return
        }
        if count > 0, status != .done, status != .skipped { failing = failing ?? expectation }
      case .status(.done): isDone = true
      default: continue
      }
    }
    if isDone, let failing {
      collector.report(
        .conflictingKeys, "a run that ends with 'done' has no such items", at: failing.range,
        help: "write 'status: incomplete', or remove 'status'")
    }
  }

  // MARK: Counts

  private func items(_ node: YAMLNode) -> [TestExpectation] {
    (reader.map(node, of: "numbers of items by item status") ?? []).compactMap { name, value in
      guard let word = ItemWord(rawValue: name.value) else {
        reader.report(
          .invalidChoice,
          "invalid item status '\(name.value)', expected \(quotedList(TestWords.items, joinedBy: "or"))",
          unknown: name, among: TestWords.items)
        return nil
      }
      return count(value).map { .init(kind: .items(word.status, $0.value), range: $0.range) }
    }
  }

  private func counts(
    _ node: YAMLNode, areProbes: Bool = false, _ make: (Int, Int) -> TestExpectation.Kind
  ) -> [TestExpectation] {
    (reader.map(node, of: "numbers by step ID") ?? []).compactMap { id, value in
      guard let step = test.step(id), !areProbes || test.checkProbe(step, id),
        let count = count(value)
      else { return nil }
      return TestExpectation(kind: make(step, count.value), range: count.range)
    }
  }

  private func count(_ node: YAMLNode) -> Located<Int>? {
    guard case .int(let number) = node.scalarValue, (0...Int64(Int32.max)).contains(number) else {
      reader.wrongType(node, expected: "a number of at least 0")
      return nil
    }
    return Located(Int(number), at: reader.range(node))
  }

  private func time(_ node: YAMLNode) -> [TestExpectation] {
    guard let fields = reader.fields(node, .timeBounds) else { return [] }
    func bound(_ key: String) -> Located<Duration>? {
      fields[key].flatMap { node in
        reader.duration(node).map { Located($0, at: reader.range(node)) }
      }
    }
    let (least, most) = (bound("at_least"), bound("at_most"))
    if let least, let most, least.value > most.value {
      collector.report(.outOfRange, "'at_most' is less than 'at_least'", at: most.range)
    }
    return [
      least.map { .init(kind: .timeAtLeast($0.value), range: $0.range) },
      most.map { .init(kind: .timeAtMost($0.value), range: $0.range) },
    ].compactMap { $0 }
  }

  // MARK: Items and outputs

  private typealias Output = (step: Int, output: Int, value: JSONTemplate, range: TextRange)

  private func outputs(_ node: YAMLNode) -> [Output] {
    let environment = test.expressions.environment(hasRequest: false)
    var found: [Output] = []
    for (id, outputs) in reader.map(node, of: "outputs by step ID") ?? [] {
      guard let step = test.step(id) else { continue }
      let names = test.pipeline.steps[step].outputs.map(\.name)
      for (name, value) in reader.map(outputs, of: "outputs by name") ?? [] {
        guard let index = names.firstIndex(of: name.value) else {
          reader.report(
            .unknownOutput, "the step '\(id.value)' has no output '\(name.value)'", unknown: name,
            among: names,
            help: names.isEmpty ? "it has no outputs" : "its outputs are \(quotedList(names))")
          continue
        }
        if let template = test.expressions.json(reader.json(value), environment) {
          found.append((step, index, template, reader.range(value)))
        }
      }
    }
    return found
  }

  private func item(_ node: YAMLNode) -> TestExpectation? {
    guard let fields = reader.fields(node, .itemExpectation),
      let name = fields["name"].flatMap({ reader.scalarText($0, expected: "an item name") })
    else { return nil }
    let expectation = ItemExpectation(
      name: name.value,
      status: fields["status"].flatMap {
        reader.choice($0, of: ItemWord.self, what: "item status")
      }?.value.status, reason: fields["reason"].flatMap { reader.text($0)?.value },
      outputs: (fields["outputs"].map(outputs) ?? []).map { ($0.step, $0.output, $0.value) })
    return TestExpectation(kind: .item(expectation), range: fields.headRange)
  }

  private func request(_ node: YAMLNode) -> RequestExpectation? {
    guard let fields = reader.fields(node, .requestExpectation) else { return nil }
    let environment = test.expressions.environment(hasRequest: true)
    func template(_ key: String) -> Template? {
      fields[key].flatMap { test.expressions.template(reader.template($0), environment) }
    }
    let id = fields["step"].flatMap { reader.text($0, expected: "a step ID") }
    let purpose = fields["purpose"].flatMap {
      reader.choice($0, of: TestPurpose.self, what: "purpose")
    }?.value
    let step = id.flatMap(test.step)
    if purpose == .probe, let step, let id { _ = test.checkProbe(step, id) }
    return RequestExpectation(
      step: step, purpose: purpose,
      item: fields["item"].flatMap { reader.scalarText($0, expected: "an item name") }?.value,
      method: fields["method"].flatMap { reader.text($0, expected: "a method") }?.value,
      url: template("url"), headers: test.headers(fields, environment),
      json: fields["json"].flatMap { test.expressions.json(reader.json($0), environment) },
      text: template("text"),
      condition: fields["if"].flatMap { reader.expression($0, expected: "a condition") }
        .flatMap { test.expressions.compile($0, .bool, environment) }, range: fields.headRange)
  }
}
