import CEL
import PipelineCore
import PipelineDocument
import PipelineSimulator
import Synchronization
import TestSupport
import Testing

/// What `validate` accepts never fails in a run by the definition's own fault.
struct SoundnessTests {
  private static let batches = 0..<10
  private static let size = TestFiles.isThorough ? 1000 : 10

  @Test(arguments: batches)
  func `no document that is accepted fails by its definition`(_ batch: Int) {
    var accepted = 0
    var failed = 0
    var ended = 0
    var rejections: [DiagnosticCode: Int] = [:]
    for seed in UInt64(batch * Self.size)..<UInt64((batch + 1) * Self.size) {
      var generator = PipelineGenerator(seed: seed)
      let text = generator.document()
      let result = PipelineDocument.load(text: text, file: "drawn.yaml")
      guard let pipeline = result.pipeline else {
        for code in Set(result.diagnostics.filter { $0.severity == .error }.map(\.code)) {
          rejections[code, default: 0] += 1
        }
        continue
      }
      accepted += 1
      let (proof, failures) = Self.run(pipeline, seed)
      if proof.run.outcome == .rested { ended += 1 }
      failed += failures.count
      let warnings = result.diagnostics.filter { $0.code == .skippedOutput }.map(\.message)
      let definition = failures.filter { failure in
        !Self.isAnnounced(failure, by: warnings)
          && Self.isOfDefinition(failure, pipeline, generator.expressions.openNames)
      }
      for failure in Set(definition).prefix(3) {
        Issue.record("seed \(seed): \(failure.location): \(failure.message)\n\(text)")
      }
      #expect(proof.notes.violations == [], "seed \(seed)")
    }
    print(
      """
      \(Self.size) documents: \(accepted) accepted, \(Self.size - accepted) rejected \
      (\(rejections.sorted { $0.value > $1.value }.map { "\($0.key.rawValue) \($0.value)" })); \
      \(ended) runs ended, \(failed) expressions failed on their data
      """)
    #expect(accepted * 3 >= Self.size)
  }

  /// Whether a warning reported that the step that makes the value may be skipped.
  private static func isAnnounced(_ failure: EvaluationFailure, by warnings: [String]) -> Bool {
    guard failure.message.hasSuffix("has no value") else { return false }
    let step = failure.message.split(separator: ".").prefix(2).joined(separator: ".")
    return warnings.contains { $0.hasPrefix(step + ".") }
  }

  /// How expressions failed in a run, and the run.
  private static func run(
    _ pipeline: Pipeline, _ seed: UInt64
  ) -> (run: ProofRun, failures: [EvaluationFailure]) {
    let files = (0..<3).map { index in
      FileValue(
        path: "/in/\(index)", name: ["a b.jpg", "é", "c.bin"][index],
        size: [0, 17, 1 << 33][index], modified: Int64(index) << 50,
        contentType: index == 0 ? "image/jpeg" : nil)
    }
    let inputs: [String: Value] = [
      "server": "http://server", "text": "some, text", "count": 3, "limit": 4096, "ison": true,
      "pause": .duration(.seconds(30)), "one": files[1].value,
    ]
    let failures = Mutex<[EvaluationFailure]>([])
    let evaluator = Evaluator(pipeline)
    let server = RandomServer(seed: seed) { response, command in
      guard let step = pipeline.step(of: command.id) else { return }
      let found = Self.failures(of: step, on: ResponseView(response), command.scope, evaluator)
      failures.withLock { $0 += found }
    }
    let proof = ProofRun(
      pipeline, values: inputs, secrets: ["key": "s3cret"], files: files, server: server,
      seed: seed, crashInterval: seed.isMultiple(of: 5) ? 11 : nil, steps: 800)
    let rendering = proof.notes.failures.compactMap { Self.evaluationFailure($0, in: pipeline) }
    return (proof, failures.withLock { $0 } + rendering)
  }

  /// The failure of an expression that `failure` reports as `file:line:column: message`.
  private static func evaluationFailure(
    _ failure: Failure, in pipeline: Pipeline
  ) -> EvaluationFailure? {
    guard let match = failure.message.wholeMatch(of: /([^:]+):(\d+):(\d+): ((?s:.+))/),
      let line = Int(match.2), let column = Int(match.3)
    else { return nil }
    return EvaluationFailure(
      message: String(match.4),
      location: PipelineCore.SourceLocation(
        file: String(match.1), line: line, column: column))
  }

  /// Each expression on a response by itself, whether or not the verdict needs it.
  private static func failures(
    of step: Step, on view: ResponseView, _ scope: Scope, _ evaluator: Evaluator
  ) -> [EvaluationFailure] {
    var failures: [EvaluationFailure] = []
    func attempt(_ body: () throws(EvaluationFailure) -> Void) {
      do throws(EvaluationFailure) { try body() } catch { failures.append(error) }
    }
    for matcher in step.matchers {
      if let condition = matcher.condition {
        attempt { () throws(EvaluationFailure) in
          _ = try evaluator.isTrue(condition, scope, response: view)
        }
      }
      if let message = matcher.message {
        attempt { () throws(EvaluationFailure) in
          _ = try evaluator.text(message, scope, response: view)
        }
      }
      if let after = matcher.after {
        attempt { () throws(EvaluationFailure) in
          _ = try evaluator.value(after, scope, response: view)
        }
      }
    }
    for output in step.outputs {
      attempt { () throws(EvaluationFailure) in
        _ = try evaluator.value(output.value, scope, response: view)
      }
      switch output.lifetime?.end {
      case .after(let end), .at(let end), .url(let end):
        attempt { () throws(EvaluationFailure) in
          _ = try evaluator.value(end, scope, response: view)
        }
      case nil: break
      }
    }
    return failures
  }

  /// Whether the checker should have known: a name without a value, or a value of another type than it promised.
  private static func isOfDefinition(
    _ failure: EvaluationFailure, _ pipeline: Pipeline, _ open: Set<String>
  ) -> Bool {
    if failure.message.hasSuffix("has no value") { return true }
    let types = [
      "does not accept", "no such overload", "expected a", "expected true", "no such key",
    ]
    guard types.contains(where: failure.message.contains) else { return false }
    let source = Self.source(at: failure.location, in: pipeline)
    // A header that is not there is the server's affair.
    if source.contains("response.headers[") { return false }
    return !open.contains(where: source.contains)
  }

  private static func source(at location: PipelineCore.SourceLocation, in pipeline: Pipeline)
    -> String
  {
    var found = ""
    func visit(_ value: Any) {
      if let expression = value as? Expression {
        if expression.location == location { found = expression.compiled.source }
        return
      }
      for child in Mirror(reflecting: value).children { visit(child.value) }
    }
    visit(pipeline.steps)
    visit(pipeline.loops)
    return found
  }
}
