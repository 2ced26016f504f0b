package struct ExpressionPlace: Hashable {
  package let step: Int
  package let loop: Int?
  /// The inner loop whose steps can be named, if not that of the step at this place.
  var part: Int?
  package var hasResponse = false
  var isOfBatch = false
  var hasResult = false

  var withResponse: ExpressionPlace {
    var place = self
    place.hasResponse = true
    return place
  }
}

struct StepDirectory {
  /// A class, because a draft is large and each reading of an output looks up the step that makes it.
  final class Entry {
    package let index: Int
    package let loop: Int?
    package let draft: DraftStep

    init(index: Int, loop: Int?, draft: DraftStep) {
      (self.index, self.loop, self.draft) = (index, loop, draft)
    }
  }

  private(set) var entries: [Entry] = []
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

  /// The step that a variable such as `steps.ID.NAME` comes from, and the name of the result.
  func maker(of variable: String) -> (entry: Entry, name: Substring)? {
    let bytes = variable.utf8
    guard variable.hasPrefix("steps."),
      let start = bytes.index(bytes.startIndex, offsetBy: 6, limitedBy: bytes.endIndex),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: ".")),
      let entry = byID[String(variable[start..<end])]
    else { return nil }
    return (entry, variable[bytes.index(after: end)...])
  }

  func isVisible(_ entry: Entry, from place: ExpressionPlace) -> Bool {
    entry.index < place.step && (entry.loop == nil || entry.loop == place.loop)
      && isReached(entry, from: place)
  }

  /// Whether an expression at `place` is about the same part as the step, or the step is about no part.
  private func isReached(_ entry: Entry, from place: ExpressionPlace) -> Bool {
    guard let part = entry.draft.partOf else { return true }
    let own = entries.indices.contains(place.step) ? entries[place.step].draft.partOf : nil
    return (place.part ?? own) == part
  }

  func visibleIDs(from place: ExpressionPlace) -> [String] {
    entries.filter { isVisible($0, from: place) }.compactMap { $0.draft.id?.value }
  }

  /// Finds the step `id` as seen from `place`; reports an error if it is not visible there.
  func find(
    _ id: Located<String>, from place: ExpressionPlace, _ collector: DiagnosticCollector
  ) -> Entry? {
    guard let entry = byID[id.value] else {
      return collector.refuse(
        .unknownStep, "unknown step '\(id.value)'", at: id.range,
        nearest: nearestName(to: id.value, among: visibleIDs(from: place)))
    }
    if isVisible(entry, from: place) { return entry }
    let note = (message: "'\(id.value)' is defined here", range: entry.draft.id?.range)
    if let loop = entry.loop, loop != place.loop {
      collector.report(
        .outOfScope,
        "the step '\(id.value)' is inside a loop and cannot be referenced from outside it",
        at: id.range, note: note)
    } else if !isReached(entry, from: place), entry.index < place.step {
      collector.report(
        .outOfScope,
        "the step '\(id.value)' runs for each part and cannot be referenced from outside its inner loop",
        at: id.range, note: note,
        help: "list the values that you need of each part under 'collect' of the inner loop")
    } else if entry.index == place.step {
      collector.report(
        .usedBeforeMade, "the step '\(id.value)' cannot reference itself", at: id.range)
    } else {
      let cycle = cycle(from: entry, to: place.step)
      collector.report(
        .usedBeforeMade, "the step '\(id.value)' is defined later", at: id.range, note: note,
        help: cycle.isEmpty
          ? "move '\(id.value)' before the step that references it"
          : "\(quotedList(cycle)) need each other; remove one of the references")
    }
    return nil
  }

  /// The steps through which a later step needs the one at `target`, both included; empty if it does not need it.
  private func cycle(from later: Entry, to target: Int) -> [String] {
    guard entries.indices.contains(target), let name = entries[target].draft.id?.value,
      let last = later.draft.id?.value
    else { return [] }
    var ways = [last: [last]]
    var open = [last]
    while !open.isEmpty {
      let id = open.removeFirst()
      guard let draft = byID[id]?.draft, let way = ways[id] else { continue }
      if id == name { return way.reversed() }
      let named = Set(draft.dependsOn.map(\.value)).union(Self.references(in: draft.node))
      for next in named.sorted() where ways[next] == nil {
        ways[next] = way + [next]
        open.append(next)
      }
    }
    return []
  }

  private static func references(in node: YAMLNode) -> Set<String> {
    switch node.resolved.content {
    case .mapping(let entries):
      entries.reduce(into: []) { $0.formUnion(references(in: $1.value)) }
    case .sequence(let elements):
      elements.reduce(into: []) { $0.formUnion(references(in: $1)) }
    case .scalar(let scalar):
      Set(scalar.text.matches(of: /steps\.([a-z][a-z0-9_]*)/).map { String($0.output.1) })
    case .alias: []
    }
  }
}
