/// Responds according to a test's script: with the first entry that matches and is not used up,
/// or else the last that matches.
public struct ScriptedServer: SimulatedServer {
  /// Something that the script does not cover.
  public struct Gap: Hashable, Sendable {
    /// The missing part, for the user.
    public let message: String
    /// The entry to blame, if any.
    public let range: TextRange?
  }

  private let test: TestCase
  private let evaluator: Evaluator
  private var given: [SimulatedRequest.Asker: [Int]] = [:]
  private var requestCounts: [SimulatedRequest.Asker: Int] = [:]
  /// The requests that the script did not cover, without duplicates.
  public private(set) var gaps: [Gap] = []

  /// The server of a case.
  public init(_ test: TestCase, of pipeline: Pipeline) {
    self.test = test
    evaluator = Evaluator(pipeline)
  }

  /// See ``SimulatedServer/respond(to:for:)``.
  public mutating func respond(to exchange: SimulatedRequest, for command: Command)
    -> SimulatedResponse
  {
    let asker = exchange.asker
    let number = requestCounts[asker, default: 0] + 1
    requestCounts[asker] = number
    var scope = command.scope
    guard let script = script(of: asker) else { return unscripted(asker) }
    do throws(EvaluationFailure) {
      if let step = evaluator.pipeline.step(of: exchange.id) {
        scope = try evaluator.scope(scope, ofRequestOf: step)
      }
      scope.locals.merge(exchange.locals(number: number, start: test.start)) { $1 }
      var last: Int?
      for (index, entry) in script.enumerated() {
        if let condition = entry.condition, try !evaluator.isTrue(condition, scope) { continue }
        last = index
        if (given[asker]?[index] ?? 0) < entry.times { break }
      }
      guard let last
      else { return gap("no response to \(name(asker)) matches request \(number)", nil) }
      given[asker, default: Array(repeating: 0, count: script.count)][last] += 1
      return try response(script[last], scope)
    } catch {
      return gap("cannot make a response to \(name(asker)): \(error.message)", script.first?.range)
    }
  }

  private func script(of asker: SimulatedRequest.Asker) -> [ScriptedReply]? {
    guard let step = asker.step else { return test.abandonments.isEmpty ? nil : test.abandonments }
    return asker.purpose == .probe ? test.probes[step] : test.answers[step]
  }

  /// If nothing depends on a response, a success status is enough.
  private mutating func unscripted(_ asker: SimulatedRequest.Asker) -> SimulatedResponse {
    guard let index = asker.step else { return SimulatedResponse(status: 204) }
    let step = evaluator.pipeline.steps[index]
    if asker.purpose == .attempt {
      let reads =
        step.batch != nil
        || step.outputs.contains { output in
          output.value.expressions.contains { expression in
            expression.compiled.references.contains { $0.variable.hasPrefix("response.") }
          }
        }
      if !reads { return SimulatedResponse() }
    }
    return gap("the case has no response to \(name(asker))", nil)
  }

  private func name(_ asker: SimulatedRequest.Asker) -> String {
    guard let step = asker.step else { return "'on_abandon'" }
    let id = evaluator.pipeline.steps[step].id
    return asker.purpose == .probe ? "the probe of '\(id)'" : "step '\(id)'"
  }

  private mutating func gap(_ message: String, _ range: TextRange?) -> SimulatedResponse {
    let gap = Gap(message: message, range: range)
    if !gaps.contains(gap) { gaps.append(gap) }
    return SimulatedResponse(status: 501)
  }

  private func response(
    _ entry: ScriptedReply, _ scope: Scope
  ) throws(EvaluationFailure) -> SimulatedResponse {
    if let failure = entry.failure {
      return SimulatedResponse(failure: failure, latency: entry.reply.delay)
    }
    return try SimulatedResponse(entry.reply, evaluator, scope)
  }
}

extension SimulatedResponse {
  init(
    _ template: ResponseTemplate, _ evaluator: Evaluator, _ scope: Scope
  ) throws(EvaluationFailure) {
    self.init(status: template.status, latency: template.delay)
    for field in template.headers {
      headers.append(.init(name: field.name, value: try evaluator.text(field.value, scope)))
    }
    let type: String
    switch template.body {
    case .json(let json)?:
      body = Array(try evaluator.value(json, scope).jsonText().utf8)
      type = "application/json"
    case .text(let text)?:
      body = Array(try evaluator.text(text, scope).utf8)
      type = "text/plain; charset=utf-8"
    case nil: return
    }
    // A text without characters is a body, unlike a body that the test does not mention.
    if body.isEmpty { headers.append(.init(name: "Content-Length", value: "0")) }
    if !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      headers.append(.init(name: "Content-Type", value: type))
    }
  }
}

extension SimulatedRequest {
  struct Asker: Hashable {
    /// `nil` for a compensation.
    let step: Int?
    let purpose: Purpose
    let item: ItemKey?
  }

  var asker: Asker { Asker(step: id.step, purpose: purpose, item: id.item?.ofAnyGeneration) }

  /// The values of ``/PipelineDocument/Variables/ofRequest`` for the item's `number`th request to its step.
  func locals(number: Int, start: Instant) -> [String: Value] {
    var headers: [String: Value] = [:]
    for header in request.headers { headers[header.name.lowercased()] = .string(header.value) }
    var locals: [String: Value] = [
      "request.method": .string(request.method), "request.url": .string(request.url),
      "request.headers": .map(MapValue(headers)), "request.size": .int(bodySize),
      "request.number": .int(Int64(number)), "request.elapsed": .duration(at - start),
      "now": .timestamp(at.timestamp),
    ]
    if let body {
      locals["request.text"] = .string(String(decoding: body, as: UTF8.self))
      if let json = try? Value(json: body) { locals["request.json"] = json }
    }
    return locals
  }
}
