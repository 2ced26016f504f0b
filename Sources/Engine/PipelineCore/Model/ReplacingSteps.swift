import CEL

/// Which steps of a pipeline replace what another item may have stored, because the pipeline chooses the name under which the server stores it.
///
/// Such a step is a `PUT` of content that depends on the item, or a `MOVE` or `COPY` to a `Destination`. A target that contains something that
/// the server issued for the item, such as an upload ID, belongs to only that item. `shared_target: allow` excludes a step, and `target` names
/// the object that any other step replaces.
struct ReplacingSteps {
  /// The parts of the text that names the target, by the step's index in ``Pipeline/steps``.
  private(set) var targets: [Int: [Template]] = [:]
  private let pipeline: Pipeline
  /// Names of values that are derived from a response to one item,
  /// or are unique to the item in another way; an index is not, in a run with shards.
  private var issued: Set<String> = ["item.key"]

  init(_ pipeline: Pipeline) {
    self.pipeline = pipeline
    var known = -1
    while known != issued.count {
      known = issued.count
      for step in pipeline.steps where step.loop != nil { follow(step) }
    }
    for (index, step) in pipeline.steps.enumerated() where step.loop != nil && !step.sharesTarget {
      targets[index] = target(of: step)
    }
  }

  private mutating func follow(_ step: Step) {
    if case .forEach(let parts) = step.action, isIssued([parts.items]) {
      issued.insert(parts.variable)
    }
    for (index, output) in step.outputs.enumerated() where isIssued(step.values(ofOutput: index)) {
      issued.insert(step.name(of: output))
    }
  }

  private func isIssued(_ expressions: [Expression]) -> Bool {
    reads(expressions) { issued.contains($0) || $0 == "response" || $0.hasPrefix("response.") }
  }

  private func isOfItem(_ expressions: [Expression]) -> Bool {
    reads(expressions) { !pipeline.isOfRun($0) }
  }

  private func reads(_ expressions: [Expression], _ isMeant: (String) -> Bool) -> Bool {
    expressions.contains { $0.compiled.references.contains { isMeant($0.variable) } }
  }

  private func target(of step: Step) -> [Template]? {
    if let target = step.target { return [target] }
    guard step.batch == nil, let request = step.action.request, var target = request.target,
      step.kind == .upload || step.kind == .request && isOfItem(request.content)
    else { return nil }
    if !isOfItem(target.flatMap(\.expressions)) {
      // Then a header may name it.
      target += request.headers.filter(\.describesMoreThanContent).map(\.value)
    }
    return isIssued(target.flatMap(\.expressions)) ? nil : target
  }
}

extension Pipeline {
  /// Whether a name in expressions has the same value for all items: that of an input, or an output of a run-level step.
  func isOfRun(_ name: String) -> Bool {
    if ["run.id", "now"].contains(name) || name.hasPrefix("inputs.") { return true }
    let parts = name.split(separator: ".")
    guard parts.count > 1, parts[0] == "steps", let step = stepIndex[StepID(String(parts[1]))]
    else { return false }
    return steps[step].loop == nil
  }
}

extension RequestTemplate {
  /// Methods whose requests can replace something.
  package static let replacingMethods = ["PUT", "MOVE", "COPY"]

  /// What names the thing that the request replaces; `nil` if it replaces nothing.
  fileprivate var target: [Template]? {
    guard Self.replacingMethods.contains(method) else { return nil }
    if method == "PUT" { return address }
    return headers.first { $0.name.lowercased() == "destination" }.map { [$0.value] }
  }

  /// The content that a request without a file stores;
  /// content that is the same for all items cannot replace anything.
  fileprivate var content: [Expression] { method == "PUT" ? bodyExpressions : expressions }

  /// The parts of the request's address.
  var address: [Template] { [url] + query.flatMap { [Template(text: "&\($0.name)="), $0.value] } }
}

extension NamedTemplate<Compiled> {
  /// Whether a header with this name may determine where the content belongs.
  fileprivate var describesMoreThanContent: Bool {
    let name = name.lowercased()
    return !name.hasPrefix("content-") || name == "content-range"
  }
}
