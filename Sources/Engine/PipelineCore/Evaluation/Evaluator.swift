import Basics
public import CEL
import Synchronization

/// Evaluates the expressions of one pipeline on the values of a ``Scope``: pure and thread-safe.
public final class Evaluator: Sendable {
  /// The pipeline whose expressions are evaluated.
  public let pipeline: Pipeline
  let slots: [String: Slot]
  private let spent = Atomic(0)

  /// The cost of all evaluations so far.
  package var cost: Int { spent.load(ordering: .relaxed) }

  enum Slot: Sendable {
    case input(String)
    case output(step: Int, index: Int)
    case file(step: Int)
  }

  /// Prepares the names of `pipeline`.
  public init(_ pipeline: Pipeline) {
    self.pipeline = pipeline
    var slots: [String: Slot] = [:]
    for input in pipeline.inputs { slots["inputs.\(input.name)"] = .input(input.name) }
    for (index, step) in pipeline.steps.enumerated() {
      for (position, output) in step.outputs.enumerated() {
        slots["steps.\(step.id).\(output.name)"] = .output(step: index, index: position)
      }
      if step.makesFile { slots["steps.\(step.id).file"] = .file(step: index) }
    }
    self.slots = slots
  }

  /// The value of `expression`.
  public func value(
    _ expression: Expression, _ scope: Scope, response: ResponseView? = nil
  ) throws(EvaluationFailure) -> Value {
    if let request = scope.hiding, isSecret(expression, request, scope) {
      return covered(expression, scope)
    }
    let names = ScopeNames(evaluator: self, scope: scope, response: response)
    do {
      var meter = Meter(cost: EvaluationLimits.default.cost)
      defer { spent.add(EvaluationLimits.default.cost - meter.remaining, ordering: .relaxed) }
      return try expression.compiled.evaluate(names, meter: &meter)
    } catch {
      let message =
        response?.bodyFailure ?? names.missing.withLock({ $0 }).map { "'\($0)' has no value" }
        ?? error.message + (response.map { " (\($0.outline))" } ?? "")
      var failure = EvaluationFailure(redact(message, scope), at: expression.location)
      failure.isTooCostly = error.code == .costExceeded
      throw failure
    }
  }

  /// The value of the expression with `***` in the place of each secret;
  /// all of it is `***` if a function has changed that.
  ///
  /// It does not contain any character of a secret.
  private func covered(_ expression: Expression, _ scope: Scope) -> Value {
    let names = ScopeNames(evaluator: self, scope: scope, response: nil)
    let mark = Redaction.mark
    guard let value = try? expression.compiled.evaluate(names) else { return .string(mark) }
    guard case .string(let text) = value else {
      return value.jsonText().contains(mark) ? value : .string(mark)
    }
    let shown = text.replacing(PercentEncoding.encode(mark), with: mark)
    return .string(shown.contains(mark) ? shown : mark)
  }

  /// Whether the condition of a loop, if it has one, lets it have items.
  public func hasItems(_ loop: Int, _ scope: Scope) throws(EvaluationFailure) -> Bool {
    guard let condition = pipeline.loops[loop].condition else { return true }
    return try isTrue(condition, scope)
  }

  /// The value of a boolean `expression`.
  public func isTrue(
    _ expression: Expression, _ scope: Scope, response: ResponseView? = nil
  ) throws(EvaluationFailure) -> Bool {
    guard case .bool(let value) = try value(expression, scope, response: response)
    else { throw EvaluationFailure("expected true or false", at: expression.location) }
    return value
  }

  /// The value of `expression` as an instant: a timestamp, or a duration from the scope's `now`.
  public func moment(
    _ expression: Expression, _ scope: Scope
  ) throws(EvaluationFailure) -> Instant {
    switch try value(expression, scope) {
    case .timestamp(let moment): return Instant(moment)
    case .duration(let delay): return scope.now + delay
    default: throw EvaluationFailure("expected a timestamp or a duration", at: expression.location)
    }
  }

  /// The value of a template: typed if it is a single expression, otherwise a string.
  public func value(
    _ template: Template, _ scope: Scope, response: ResponseView? = nil
  ) throws(EvaluationFailure) -> Value {
    if template.parts.count == 1, case .expression(let only) = template.parts[0] {
      return try value(only, scope, response: response)
    }
    return .string(try text(template, scope, response: response))
  }

  /// The text of a template; numbers and booleans in their usual form.
  public func text(
    _ template: Template, _ scope: Scope, response: ResponseView? = nil
  ) throws(EvaluationFailure) -> String {
    var result = ""
    for part in template.parts {
      switch part {
      case .text(let text): result += text
      case .expression(let expression):
        guard let text = Self.text(of: try value(expression, scope, response: response))
        else { throw EvaluationFailure("expected a string or a number", at: expression.location) }
        result += text
      }
    }
    return result
  }

  /// Evaluates every expression in a JSON template.
  public func value(_ template: JSONTemplate, _ scope: Scope) throws(EvaluationFailure) -> Value {
    switch template {
    case .literal(let value): return value
    case .template(let template): return try value(template, scope)
    case .array(let elements):
      var values: [Value] = []
      values.reserveCapacity(elements.count)
      for element in elements { values.append(try value(element, scope)) }
      return .list(values)
    case .object(let members):
      var pairs: [(String, Value)] = []
      pairs.reserveCapacity(members.count)
      for member in members { pairs.append((member.key, try value(member.value, scope))) }
      return .map(MapValue(pairs))
    }
  }

  /// The file that `expression` names.
  public func file(_ expression: Expression, _ scope: Scope) throws(EvaluationFailure) -> FileValue
  {
    if let name = expression.compiled.variable, let file = namedFile(name, scope) { return file }
    guard let file = FileValue(try value(expression, scope))
    else { throw EvaluationFailure("expected a file", at: expression.location) }
    guard isGiven(file, scope) else {
      throw EvaluationFailure(
        "'\(redact(file.path, scope))' is not a file of an input or of a step",
        at: expression.location)
    }
    return file
  }

  /// The file for a bare name, without the detour over a CEL map: most files are named this way.
  private func namedFile(_ name: String, _ scope: Scope) -> FileValue? {
    if case .file(let step)? = slots[name] { return state(of: step, in: scope)?.file }
    guard let item = scope.item, pipeline.loops[item.loop].variable == name,
      case .file(let file)? = scope.subject
    else { return nil }
    return file
  }

  static func text(of value: Value) -> String? {
    switch value {
    case .string(let text): text
    case .int(let number): String(number)
    case .uint(let number): String(number)
    case .bool(let flag): String(flag)
    case .double(let number):
      number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
    default: nil
    }
  }

  func value(named name: String, in scope: Scope) -> Value? {
    guard let slot = slots[name] else {
      switch name {
      case "run.id": return .string(scope.run.rawValue)
      case "item.index": return scope.item.map { .int(Int64($0.ordinal)) }
      case "item.key":
        return scope.item.map { item in
          let part = item.part.map { ".\($0.number)" } ?? ""
          return .string("\(scope.keyPrefix)-\(item.loop).\(item.ordinal)\(part)")
        }
      case "now": return scope.locals[name] ?? .timestamp(scope.now.timestamp)
      default:
        if let local = scope.locals[name] { return local }
        guard let item = scope.item else { return nil }
        if pipeline.loops[item.loop].variable == name { return scope.subject?.value }
        return item.part.flatMap { pipeline.partVariable(of: $0.step) == name ? scope.part : nil }
      }
    }
    switch slot {
    case .input(let name): return scope.inputs[name] ?? scope.secrets[name]
    case .output(let step, let index):
      guard let state = state(of: step, in: scope), state.outputs.indices.contains(index)
      else { return nil }
      return state.outputs[index].value
    case .file(let step): return state(of: step, in: scope)?.file?.value
    }
  }

  package func state(of index: Int, in scope: Scope) -> StepState? {
    let step = pipeline.steps[index]
    let frame = scope.frame(of: step)
    return frame.indices.contains(step.position) ? frame[step.position] : nil
  }
}

/// The names used in one evaluation; a reference type, because each node of an expression receives it.
private final class ScopeNames: Activation {
  let evaluator: Evaluator
  let scope: Scope
  let response: ResponseView?
  let missing = Mutex<String?>(nil)

  init(evaluator: Evaluator, scope: Scope, response: ResponseView?) {
    (self.evaluator, self.scope, self.response) = (evaluator, scope, response)
  }

  func value(of name: String) -> Value? {
    if let request = scope.hiding, evaluator.isSecret(name, request, scope) {
      return .string(Redaction.mark)
    }
    if let response, let value = response.value(of: name) { return value }
    if let value = evaluator.value(named: name, in: scope) { return value }
    missing.withLock { first in first = first ?? name }
    return nil
  }
}

extension Evaluator {
  /// The key that an attempt at the step sends; `nil` without a key.
  public func key(
    of step: Step, _ id: EffectID, _ scope: Scope
  ) throws(EvaluationFailure) -> IdempotencyKey? {
    guard let place = step.keyPlace,
      let key = try authorsKey(of: step, scope) ?? idempotencyKey(id, scope)
    else { return nil }
    return IdempotencyKey(key, in: place, isSecret: hasSecretKey(step))
  }

  /// The scope with ``IdempotencyKey/name``, if the step's expressions read it.
  func keyed(_ scope: Scope, of step: Step) throws(EvaluationFailure) -> Scope {
    guard step.readsKey, scope.locals[IdempotencyKey.name] == nil,
      let index = pipeline.stepIndex[step.id]
    else { return scope }
    let frame = scope.frame(of: step)
    let generation = frame.indices.contains(step.position) ? frame[step.position].generation : 1
    let id = EffectID(
      run: scope.run, item: step.owner(readFrom: scope.item), step: index, generation: generation,
      attempt: 1)
    var keyed = scope
    keyed.locals[IdempotencyKey.name] = try key(of: step, id, scope).map { .string($0.value) }
    return keyed
  }

  /// The XML text of a template: a value is escaped, a map becomes elements, and the result is well-formed.
  func xml(_ template: Template, _ scope: Scope) throws(EvaluationFailure) -> String {
    var text = ""
    for part in template.parts {
      switch part {
      case .text(let piece): text += piece
      case .expression(let expression):
        let value = try value(expression, scope)
        do throws(EvaluationError) {
          text += try value.xmlContent()
        } catch { throw EvaluationFailure(redact(error.message, scope), at: expression.location) }
      }
    }
    do throws(XMLSyntaxError) {
      var reader = try XMLReader(text.utf8)
      while try reader.next() != nil {}
    } catch {
      // A template without expressions was checked when it was read.
      let location = template.expressions.first?.location
      throw EvaluationFailure(
        redact("the body is not XML: \(error)", scope),
        at: location ?? SourceLocation(file: "", line: 1, column: 1))
    }
    return text
  }

  /// The content whose digests a step computes; nothing is written.
  public func plan(
    _ template: DigestsTemplate, _ scope: Scope
  ) throws(EvaluationFailure) -> MaterializationPlan {
    let file = try file(template.file, scope)
    let (offset, length) = try bounds(template.range, of: file, scope)
    let body = try body(of: file, scope)
    return MaterializationPlan(
      pieces: template.range == nil ? body.pieces : body.slice(from: offset, length: length).pieces,
      digests: template.algorithms, name: file.name, contentType: file.contentType,
      unwritten: scope.now)
  }

  /// The digests by algorithm, as the outputs of the step read them: `hex` in lower case and `base64` (RFC 4648 §4).
  public static func value(of digests: [DigestAlgorithm: String]) -> Value {
    .map(
      MapValue(
        DigestAlgorithm.allCases.compactMap { algorithm -> (String, Value)? in
          guard let hex = digests[algorithm], let bytes = Hexadecimal.bytes(Array(hex.utf8))
          else { return nil }
          let forms: [(String, Value)] = [
            ("hex", .string(hex)), ("base64", .string(Base64.encode(bytes))),
          ]
          return (algorithm.rawValue, .map(MapValue(forms)))
        }))
  }

  /// Maximum number of characters of a value in a message.
  private static let longest = 80

  /// The values that `until` reads of a response, as in `response.json.state is 'processing'`.
  ///
  /// Only values that the author compares are quoted: a body may hold anything.
  func words(of step: Step, _ view: ResponseView, _ scope: Scope) -> String? {
    let until = step.matchers.last { $0.outcome == .success }?.condition
    var words: [String] = []
    for reference in until?.compiled.references ?? [] {
      guard reference.variable.hasPrefix("response."), let value = value(at: reference, view),
        let text = Self.quoted(value)
      else { continue }
      let line = "\(reference.path) is \(text)"
      if !words.contains(line) { words.append(line) }
    }
    guard !words.isEmpty
    else { return view.response.error.map(\.message).map { redact($0, scope) } }
    return redact(words.joined(separator: ", "), scope)
  }

  private func value(at reference: Reference, _ view: ResponseView) -> Value? {
    guard var value = view.value(of: reference.variable) else { return nil }
    for field in reference.path.dropFirst(reference.variable.count).split(separator: ".") {
      guard case .map(let map) = value, let member = map[String(field)] else { return nil }
      value = member
    }
    return value
  }

  private static func quoted(_ value: Value) -> String? {
    switch value {
    case .string(let text):
      let line = String(text.prefix(longest)).visibleLine
      return "'\(line)\(text.count > longest ? "…" : "")'"
    case .int(let number): return "\(number)"
    case .uint(let number): return "\(number)"
    case .double(let number): return "\(number)"
    case .bool(let flag): return "\(flag)"
    default: return nil
    }
  }
}

extension Evaluator: Equatable {
  /// Each evaluator is equal only to itself.
  public static func == (left: Evaluator, right: Evaluator) -> Bool { left === right }
}
