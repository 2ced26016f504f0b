/// Where the steps of a used file are in the pipeline, while it is linked.
final class StepNumbering {
  package let prefix: String
  package var steps: [Int: [Int]] = [:]
  /// The step to reissue when a step of the file is named as expired.
  var makers: [Int: Int] = [:]
  package let values: Values

  init(prefix: String, values: Values) { (self.prefix, self.values) = (prefix, values) }

  package final class Values { package var places: [String: (step: Int, output: Int?)] = [:] }
}

enum InputBinding {
  case constant(Value)
  case expression(CompiledExpression)
}

extension ExpressionChecker {
  /// The values that a step passes to the inputs of the file that it uses; reports values that do not fit.
  package func inputs(of use: DraftUse, _ context: inout Context) -> [(
    name: String, value: InputBinding
  )] {
    guard let file = use.file else { return [] }
    let names = file.draft.inputs.map(\.name.value)
    for (name, _) in use.values where !names.contains(name.value) {
      collector.report(
        .unknownInput, "the file '\(use.path.value)' has no input '\(name.value)'", at: name.range,
        help: names.isEmpty ? "it has no inputs" : "its inputs are \(quotedList(names))",
        nearest: nearestName(to: name.value, among: names))
    }
    return file.draft.inputs.compactMap { input in
      guard let kind = input.kind else { return nil }
      let given = use.values.first { $0.name.value == input.name.value }
      let value =
        given.map { binding($0.value, as: kind, &context) }
        ?? binding(ofAbsent: input, as: kind, use)
      return value.map { (input.name.value, $0) }
    }
  }

  private func binding(
    ofAbsent input: DraftInput, as kind: InputDeclaration.Kind, _ use: DraftUse
  ) -> InputBinding? {
    let isFiles = kind == .file || kind == .files || kind == .folder
    let fallback = isFiles && input.defaultText != nil ? nil : input.fallback(kind)
    if fallback == nil {
      collector.report(
        .missingKey, "the file '\(use.path.value)' requires the input '\(input.name.value)'",
        at: use.path.range, note: ("it is declared here", input.name.range),
        help: "add it under 'with'")
    }
    return fallback.map(InputBinding.constant)
  }

  private func binding(
    _ draft: DraftTemplate?, as kind: InputDeclaration.Kind, _ context: inout Context
  ) -> InputBinding? {
    guard let draft else { return nil }
    guard let text = draft.constant
    else { return expression(draft, as: kind, &context).map(InputBinding.expression) }
    if kind == .file || kind == .files || kind == .folder {
      let what = kind == .file ? "a file" : kind == .files ? "files" : "a folder"
      return collector.refuse(
        .expressionExpected, "expected \(what) as an expression",
        at: draft.range, help: "declare an input of that type, and refer to it here")
    }
    do throws(InputValues.Problem) {
      return .constant(try InputValues.parse(text, as: kind))
    } catch { return collector.refuse(error.code, error.message, at: draft.range) }
  }

  private func expression(
    _ draft: DraftTemplate, as kind: InputDeclaration.Kind, _ context: inout Context
  ) -> CompiledExpression? {
    let expected: ExpectedType
    switch kind {
    case .string, .url, .secret, .folder: expected = .string
    case .int, .size: expected = .int
    case .bool: expected = .bool
    case .duration: expected = .duration
    case .file: expected = .file
    case .files: expected = .list
    }
    if kind == .folder {
      guard let only = draft.onlyExpression else {
        return collector.refuse(
          .expressionType, "expected an input of the type 'folder', found text", at: draft.range)
      }
      checkFolder(only)
    }
    if let only = draft.onlyExpression { return compile(only, expected, &context)?.compiled }
    guard expected.accepts(.string), let joined = joined(draft, &context) else {
      return collector.refuse(
        .expressionType, "expected \(expected.phrase), found text", at: draft.range)
    }
    return joined
  }

  /// A template as one expression; `nil` if an error was reported.
  package func joined(_ draft: DraftTemplate?, _ context: inout Context) -> CompiledExpression? {
    guard let draft, template(draft, as: .value, &context) != nil else { return nil }
    let pieces = draft.parts.map { part in
      switch part {
      case .text(let text): Value.string(text).description
      case .expression(let expression):
        draft.parts.count == 1 ? expression.source : "string(\(expression.source))"
      }
    }
    return context.environment.compile(pieces.joined(separator: " + ")).expression
  }

  package func steps(of entry: StepDirectory.Entry) -> [Int] {
    numbering?.steps[entry.index] ?? [entry.index]
  }

  /// The step to reissue when a step of the file is named as expired.
  func maker(of entry: StepDirectory.Entry) -> Int { numbering?.makers[entry.index] ?? entry.index }
}

extension DraftInput {
  fileprivate func fallback(_ kind: InputDeclaration.Kind) -> Value? {
    if let text = defaultText { return try? InputValues.parse(text.value, as: kind) }
    return isRequired?.value == false ? InputValues.absentValue(of: kind) : nil
  }

  package func declaration(_ collector: DiagnosticCollector) -> InputDeclaration? {
    kind.map { kind in
      InputDeclaration(
        name: name.value, kind: kind, description: description, defaultText: defaultText?.value,
        isOptional: isRequired?.value == false,
        files: .init(
          exclude: exclude.map(\.value), includesHidden: isHidden?.value ?? false,
          followsLinks: followsLinks?.value ?? false), location: collector.location(name.range))
    }
  }
}
