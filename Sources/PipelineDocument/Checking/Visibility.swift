package import CEL

/// What the expressions of one frame see so far: as they are before an answer, and on one.
package struct Visibility {
  package private(set) var asking: Environment
  private(set) var answering: Environment

  package init(_ base: Environment) {
    asking = base
    answering = base
    for (name, type) in Variables.response { answering.declare(name, as: type) }
  }

  /// Makes a name stand for an expression.
  mutating func define(_ name: String, as expression: CompiledExpression) {
    asking.define(name, as: expression)
    answering.define(name, as: expression)
  }

  /// Makes a name stand for a value.
  package mutating func declare(_ name: String, constant value: Value) {
    asking.declare(name, constant: value)
    answering.declare(name, constant: value)
  }

  /// What expressions on an answer see whose body is of a declared type.
  package func answering(with type: ValueType?) -> Environment {
    type.map { answering.declaring("response.json", as: $0) } ?? answering
  }

  package mutating func declare(_ name: String, as type: ValueType) {
    asking.declare(name, as: type)
    answering.declare(name, as: type)
  }
}

/// Where an expression stands: what decides which steps it can name.
package struct ExpressionPlace: Hashable {
  /// Number of steps that stand before it in the file.
  package let step: Int
  /// The loop it stands in.
  package let loop: Int?
  /// Whether an answer is there.
  package var hasResponse = false
  /// Whether it is about all items of a batch, so that no single one is known.
  var isOfBatch = false
  /// Whether it is about what the answer to a batch tells of one item.
  var hasResult = false
}

/// The steps of a document by id, and who sees whom.
struct StepDirectory {
  /// A reference, because a draft is large and each reading of an output asks for the step that makes it.
  final class Entry {
    package let index: Int
    package let loop: Int?
    package let draft: DraftStep

    init(index: Int, loop: Int?, draft: DraftStep) {
      self.index = index
      self.loop = loop
      self.draft = draft
    }
  }

  /// All steps in the order of the file.
  private(set) var entries: [Entry] = []
  /// The first step of each id.
  private(set) var byID: [String: Entry] = [:]

  init(_ draft: DraftPipeline) {
    var loop = 0
    for node in draft.nodes {
      switch node {
      case .step(let step): add(step, loop: nil)
      case .loop(let draft):
        for step in draft.steps { add(step, loop: loop) }
        loop += 1
      }
    }
  }

  private mutating func add(_ step: DraftStep, loop: Int?) {
    let entry = Entry(index: step.index, loop: loop, draft: step)
    entries.append(entry)
    if let id = step.id, byID[id.value] == nil { byID[id.value] = entry }
  }

  /// The step that a variable such as `steps.ID.NAME` is a result of, and the name of the result.
  func maker(of variable: String) -> (entry: Entry, name: Substring)? {
    let bytes = variable.utf8
    guard variable.hasPrefix("steps."),
      let start = bytes.index(bytes.startIndex, offsetBy: 6, limitedBy: bytes.endIndex),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: ".")),
      let entry = byID[String(variable[start..<end])]
    else { return nil }
    return (entry, variable[bytes.index(after: end)...])
  }

  /// Whether what stands at `place` can read the results of `entry`.
  func isVisible(_ entry: Entry, from place: ExpressionPlace) -> Bool {
    entry.index < place.step && (entry.loop == nil || entry.loop == place.loop)
  }

  /// The ids that can be named at `place`.
  func visibleIDs(from place: ExpressionPlace) -> [String] {
    entries.filter { isVisible($0, from: place) }.compactMap { $0.draft.id?.value }
  }

  /// Finds the step `id` as seen from `place`; reports where it is not there to be named.
  func find(
    _ id: Located<String>, from place: ExpressionPlace, _ collector: DiagnosticCollector
  ) -> Entry? {
    guard let entry = byID[id.value] else {
      let nearest = nearestName(to: id.value, among: visibleIDs(from: place))
      collector.error(
        .unknownStep, "no step has the id '\(id.value)'", at: id.range,
        help: nearest.map { "did you mean '\($0)'?" },
        fix: nearest.map { Diagnostic.Fix(range: id.range, replacement: $0) })
      return nil
    }
    if isVisible(entry, from: place) { return entry }
    let note = entry.draft.id.map {
      [Diagnostic.Note(message: "'\(id.value)' stands here", range: $0.range)]
    }
    if let loop = entry.loop, loop != place.loop {
      collector.error(
        .outOfScope, "the step '\(id.value)' stands in a loop and cannot be named from outside",
        at: id.range, notes: note ?? [])
    } else if entry.index == place.step {
      collector.error(
        .usedBeforeMade, "the step '\(id.value)' cannot name itself", at: id.range)
    } else {
      collector.error(
        .usedBeforeMade, "the step '\(id.value)' only comes later", at: id.range,
        notes: note ?? [], help: "move '\(id.value)' before the step that names it")
    }
    return nil
  }
}
