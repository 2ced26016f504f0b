import CEL

extension ExpressionChecker {
  package func report(_ issue: Issue, in draft: DraftExpression, from place: ExpressionPlace) {
    if issue.code == .undeclaredReference, explain(issue, in: draft, from: place) { return }
    let range = reader.range(issue.range, of: draft)
    let code: DiagnosticCode =
      switch issue.code {
      case .undeclaredReference, .undeclaredFunction: .undeclaredReference
      case .invalidLiteral, .invalidPattern: .invalidConstant
      case .noSuchField: .unknownField
      case .noSuchOverload, .typeMismatch: .expressionType
      default: .expressionSyntax
      }
    collector.report(
      code, issue.message, at: range,
      help: issue.code == .noSuchField && issue.message.hasPrefix("response.json")
        ? "declare it in the request's 'schema'"
        : Self.conversion(for: issue) ?? Self.fields(for: issue), nearest: issue.suggestion)
  }

  private static func fields(for issue: Issue) -> String? {
    guard issue.code == .noSuchField, issue.message.hasPrefix("\(Variables.file.name) ")
    else { return nil }
    return "its fields are \(quotedList(Variables.file.fields.map(\.name)))"
  }

  private static func conversion(for issue: Issue) -> String? {
    guard issue.code == .noSuchOverload,
      let start = issue.message.firstRange(of: " does not take (")
    else { return nil }
    let types = issue.message[start.upperBound...].prefix { $0 != ")" }
      .split(separator: ",").map { String($0.trimmed) }
    let numbers: Set<String> = ["int", "uint", "double"]
    guard issue.message.hasPrefix("operator "), types.count == 2, types.contains("string"),
      let number = types.first(where: numbers.contains)
    else { return nil }
    return issue.message.hasPrefix("operator '+'")
      ? "convert the \(number) with 'string(…)'"
      : "compare it with a number, or convert the \(number) with 'string(…)'"
  }

  /// Explains a path that matches no declared name; `false` if there is nothing to add.
  private func explain(_ issue: Issue, in draft: DraftExpression, from place: ExpressionPlace)
    -> Bool
  {
    let names = path(at: issue.range.lowerBound, in: draft.source)
    guard let root = names.first else { return false }
    if explainBatch(root, names, in: draft, from: place) { return true }
    switch root.name {
    case "inputs": explainInput(names, in: draft)
    case "steps": explainStep(names, in: draft, from: place)
    case "response", "history":
      guard !place.hasResponse else { return false }
      collector.report(
        .undeclaredReference,
        "'\(root.name)' is not available here, only in 'on', in 'took_effect', and in 'outputs' of a request or upload",
        at: reader.range(root.range, of: draft))
    case "item":
      guard place.loop == nil else { return false }
      collector.report(
        .undeclaredReference, "'item' is only available inside 'for_each'",
        at: reader.range(root.range, of: draft))
    default: return false
    }
    return true
  }

  /// Explains a path into a batch or its items that is not available; `false` if it is about something else.
  private func explainBatch(
    _ root: PathName, _ names: [PathName], in draft: DraftExpression, from place: ExpressionPlace
  ) -> Bool {
    let range = reader.range(root.range, of: draft)
    if root.name == "batch" {
      let known =
        place.hasResult
        ? "'batch.entries', 'batch.entry', 'batch.index', and 'batch.result' in 'on' and 'outputs'"
        : "'batch.entries'"
      let isKnown = place.hasResult || place.isOfBatch
      collector.report(
        .undeclaredReference,
        isKnown
          ? "'\(names.prefix(2).map(\.name).joined(separator: "."))' is not available here, expected \(known)"
          : "'batch' is only available in the request, 'results' and 'outputs' of a step with 'batch'",
        at: range)
      return true
    }
    guard place.isOfBatch else { return false }
    let isOfItem =
      root.name == "item" || root.name == loopVariable(place)
      || (root.name == "steps" && names.count > 1 && directory.byID[names[1].name]?.loop != nil)
    guard isOfItem else { return false }
    collector.report(
      .outOfScope, "this is sent for many items, so '\(root.name)' is not available here",
      at: range, help: "add what is needed to 'entry', and read it from 'batch.entries'")
    return true
  }

  private func loopVariable(_ place: ExpressionPlace) -> String? {
    place.loop.flatMap { analysis.loops[$0]?.variable?.value }
  }

  private typealias PathName = (name: String, range: Range<Int>)

  private func explainInput(_ names: [PathName], in draft: DraftExpression) {
    guard names.count > 1 else {
      collector.report(
        .undeclaredReference, "'inputs' is not a value by itself, expected 'inputs.NAME'",
        at: reader.range(names[0].range, of: draft))
      return
    }
    let input = names[1]
    let range = reader.range(input.range, of: draft)
    collector.report(
      .unknownInput, "unknown input '\(input.name)'", at: range,
      help: inputNames.isEmpty
        ? "declare it under 'inputs'" : "the inputs are \(quotedList(inputNames))",
      nearest: nearestName(to: input.name, among: inputNames))
  }

  private func explainStep(
    _ names: [PathName], in draft: DraftExpression, from place: ExpressionPlace
  ) {
    guard names.count > 1 else {
      collector.report(
        .undeclaredReference, "'steps' is not a value by itself, expected 'steps.ID.NAME'",
        at: reader.range(names[0].range, of: draft))
      return
    }
    let id = Located(names[1].name, at: reader.range(names[1].range, of: draft))
    guard let entry = directory.find(id, from: place, collector) else { return }
    // The outputs of a file that could not be loaded are unknown.
    if let use = entry.draft.use, use.file == nil { return }
    var outputs = entry.draft.outputs.map(\.name.value)
    if entry.draft.makesFile { outputs.append("file") }
    let known = outputs.isEmpty ? "it has no outputs" : "its outputs are \(quotedList(outputs))"
    guard names.count > 2 else {
      collector.report(
        .unknownOutput,
        "'steps.\(id.value)' is not a value by itself, expected 'steps.\(id.value).NAME'",
        at: id.range, help: known)
      return
    }
    let output = names[2]
    let range = reader.range(output.range, of: draft)
    collector.report(
      .unknownOutput, "the step '\(id.value)' has no output '\(output.name)'", at: range,
      help: known, nearest: nearestName(to: output.name, among: outputs))
  }

  private func path(at start: Int, in source: String) -> [PathName] {
    let scalars = Array(source.unicodeScalars)
    var names: [PathName] = []
    var index = start
    while index < scalars.count {
      let begin = index
      while index < scalars.count, scalars[index].isIdentifierPart { index += 1 }
      guard index > begin else { break }
      names.append((String(String.UnicodeScalarView(scalars[begin..<index])), begin..<index))
      guard index < scalars.count, scalars[index] == "." else { break }
      index += 1
    }
    return names
  }
}
