/// Compares the requests that a run sent with those that are expected.
struct RequestCheck {
  private let check: ExpectationCheck
  private let exchanges: [SimulatedRequest]
  /// How many requests of its kind the item had sent when each was sent.
  private let numbers: [Int]

  init(_ check: ExpectationCheck) {
    self.check = check
    exchanges = check.run.trace.exchanges
    var counts: [String: Int] = [:]
    numbers = exchanges.map { exchange in
      let asker =
        "\(check.run.pipeline.name(of: exchange.id)) \(exchange.purpose.rawValue) "
        + (exchange.id.item.map { "\($0.ofAnyGeneration)" } ?? "")
      counts[asker, default: 0] += 1
      return counts[asker, default: 0]
    }
  }

  func complete(_ expected: [RequestExpectation], at range: TextRange) -> [TestFailure] {
    for (index, expectation) in expected.enumerated() where index < exchanges.count {
      if let mismatch = mismatch(expectation, index) {
        return [
          TestFailure(
            range: expectation.range, what: "request \(index + 1)", expected: mismatch.expected,
            found: mismatch.found)
        ]
      }
    }
    guard expected.count != exchanges.count else { return [] }
    let next =
      exchanges.count > expected.count ? ", the next is \(describe(exchanges[expected.count]))" : ""
    return [
      TestFailure(
        range: range, what: "all requests", expected: "\(expected.count) requests",
        found: "\(exchanges.count)" + next)
    ]
  }

  /// Requests in this order; others may come between them.
  func inOrder(_ expected: [RequestExpectation]) -> [TestFailure] {
    var position = 0
    for expectation in expected {
      guard
        let found = (position..<exchanges.count).first(where: { mismatch(expectation, $0) == nil })
      else { return [missing(expectation, from: position)] }
      position = found + 1
    }
    return []
  }

  private func missing(_ expected: RequestExpectation, from position: Int) -> TestFailure {
    let rest = position..<exchanges.count
    // The request most likely meant is the next one of the same step.
    let near = rest.first { index in
      expected.step == exchanges[index].id.step
        && (expected.purpose == nil
          || expected.purpose?.rawValue == exchanges[index].purpose.rawValue)
    }
    let what = "a request " + describe(expected)
    if let near, let mismatch = mismatch(expected, near) {
      return TestFailure(
        range: expected.range, what: what, expected: mismatch.expected,
        found: "\(mismatch.found) in \(describe(exchanges[near]))")
    }
    let sent = rest.prefix(3).map { describe(exchanges[$0]) }.joined(separator: ", ")
    return TestFailure(
      range: expected.range, what: what, expected: "it to be sent",
      found: rest.isEmpty
        ? "no more requests"
        : "these instead: \(sent)" + (rest.count > 3 ? " and \(rest.count - 3) more" : ""))
  }

  private func describe(_ exchange: SimulatedRequest) -> String {
    "\(exchange.request.method) \(exchange.request.url)"
  }

  private func describe(_ expected: RequestExpectation) -> String {
    var words: [String] = []
    if let step = expected.step { words.append("of '\(check.run.pipeline.steps[step].id)'") }
    if let purpose = expected.purpose, purpose != .attempt { words.append("(\(purpose.rawValue))") }
    if let item = expected.item { words.append("for '\(item)'") }
    if let method = expected.method { words.append(method) }
    return words.isEmpty ? "like this" : words.joined(separator: " ")
  }

  // MARK: One request

  private typealias Mismatch = (expected: String, found: String)

  private func mismatch(_ expected: RequestExpectation, _ index: Int) -> Mismatch? {
    let exchange = exchanges[index]
    let steps = check.run.pipeline.steps
    if let step = expected.step, step != exchange.id.step {
      let found = exchange.id.step.map { "step '\(steps[$0].id)'" }
      return ("step '\(steps[step].id)'", found ?? "a request of 'on_abandon'")
    }
    if let purpose = expected.purpose, purpose.rawValue != exchange.purpose.rawValue {
      return (purpose.rawValue, exchange.purpose.rawValue)
    }
    if let item = expected.item {
      let found = (exchange.id.item?.whole).flatMap { check.names[$0] } ?? "no item"
      if item != found { return ("item '\(item)'", "'\(found)'") }
    }
    if let method = expected.method, method != exchange.request.method {
      return ("method \(method)", exchange.request.method)
    }
    guard var scope = check.scope else { return nil }
    scope.locals = exchange.locals(number: numbers[index], start: check.start)
    do throws(EvaluationFailure) {
      return try mismatch(expected, exchange, scope)
    } catch { return ("an expression with a value", error.message) }
  }

  private func mismatch(
    _ expected: RequestExpectation, _ exchange: SimulatedRequest, _ scope: Scope
  ) throws(EvaluationFailure) -> Mismatch? {
    let evaluator = check.evaluator
    if let url = expected.url {
      let url = try evaluator.text(url, scope)
      if url != exchange.request.url { return ("URL '\(url)'", "'\(exchange.request.url)'") }
    }
    for field in expected.headers {
      let value = try evaluator.text(field.value, scope)
      let found = exchange.header(field.name)
      if found != value {
        return (
          "header '\(field.name)' to be '\(value)'", found.map { "'\($0)'" } ?? "no such header"
        )
      }
    }
    if let json = expected.json {
      let value = try evaluator.value(json, scope)
      let found = scope.locals["request.json"]
      guard let found, JSONMatch.contains(value, found)
      else { return ("JSON \(value.jsonText())", found?.jsonText() ?? "a body that is not JSON") }
    }
    if let text = expected.text {
      let text = try evaluator.text(text, scope)
      let found = scope.locals["request.text"]?.stringValue
      if text != found { return ("text '\(text)'", found.map { "'\($0)'" } ?? "unknown bytes") }
    }
    if let condition = expected.condition, try !evaluator.isTrue(condition, scope) {
      return ("'\(condition.compiled.source)' to be true", "false")
    }
    return nil
  }
}
