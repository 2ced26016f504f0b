extension DocumentAnalysis {
  /// Proposals for a position, the likeliest first: missing keys, words and names after a key, and what expressions see.
  public func completions(at position: SourcePosition) -> [Completion] {
    let position = lines.clamped(position)
    if isForeign(except: position.line) { return [] }
    let context = CursorContext(lines, at: position)
    let place = CursorPlace(context, in: index)
    if let expression = context.expression {
      return ExpressionCompletion(
        analysis: self, cursor: expression, scope: place.scope, position: position
      ).completions
    }
    var completions: [Completion] = []
    if context.allowsKey { completions += keys(context, place, position) }
    if context.allowsValue { completions += values(context, place, position) }
    return needsBlank(before: context.word.lowerBound, context, on: position.line)
      ? completions.map(\.afterBlank) : completions
  }

  /// Whether a word at a column directly follows a dash or a key's colon, after which YAML needs a blank.
  private func needsBlank(before column: Int, _ context: CursorContext, on line: Int) -> Bool {
    let scalars = lines.scalars(line - 1)
    guard column > 0, column <= scalars.count, !context.isQuoted else { return false }
    if context.isFlow {
      guard scalars[column - 1] == ":", case .key(let key)? = context.path.last
      else { return false }
      return context.allowsValue && scalars[..<(column - 1)].text.hasSuffix(key)
    }
    let outline = OutlineLine(Array(scalars[..<column]))
    return scalars[column - 1] == "-" && outline.dashes.last == column - 1
      || scalars[column - 1] == ":" && outline.key != nil && outline.valueStart == column
  }

  private func keys(
    _ context: CursorContext, _ place: CursorPlace, _ position: SourcePosition
  ) -> [Completion] {
    let range = range(line: position.line, context.word)
    var seen: Set<String> = []
    var completions: [Completion] = []
    for construct in place.shapes.allConstructs {
      let excluded = construct.excluded(by: context.siblings)
      for (order, key) in construct.keys.enumerated()
      where !excluded.contains(key.name) && seen.insert(key.name).inserted {
        let isNeeded = key.isRequired || construct.needs(key.name, beside: context.siblings)
        completions.append(
          Completion(
            label: key.name, kind: .key, detail: key.detail(isNeeded: isNeeded),
            documentation: key.documentation, range: range,
            text: context.hasColon ? key.name : "\(key.name): ",
            snippet: context.hasColon ? nil : key.snippet(isFlow: context.isFlow),
            sortText: "\(isNeeded ? 0 : 1)\(Self.order(order))"))
      }
    }
    completions += elements(context, place, range)
    completions += givenInputs(context, place, range)
    completions += headerNames(context, place, range)
    return completions
  }

  private func givenInputs(
    _ context: CursorContext, _ place: CursorPlace, _ range: TextRange
  ) -> [Completion] {
    guard let owner = place.owner, owner.construct == .step, owner.key == "with",
      place.shapes.mapped != nil, index.steps.indices.contains(place.scope.step)
    else { return [] }
    return index.steps[place.scope.step].used.inputs
      .filter { !context.siblings.contains($0) }
      .map { name in
        Completion(
          label: name, kind: .input, detail: "input of the used file", documentation: nil,
          range: range, text: context.hasColon ? name : "\(name): ", snippet: nil,
          sortText: "0\(name)")
      }
  }

  /// New elements of a list, for a cursor at their column without a dash.
  private func elements(
    _ context: CursorContext, _ place: CursorPlace, _ range: TextRange
  ) -> [Completion] {
    guard !context.isFlow, !context.hasColon else { return [] }
    let constructs = place.shapes.flatMap { shape -> [Construct] in
      switch shape {
      case .list(let element), .filledList(let element): [element].allConstructs
      default: []
      }
    }
    var seen: Set<String> = []
    return constructs.enumerated().compactMap { order, construct in
      // Constructs of one list are distinguished by their first keys.
      let keys = construct.keys.filter { !seen.contains($0.name) }
      guard let key = keys.first(where: \.isRequired) ?? keys.first else { return nil }
      seen.insert(key.name)
      return Completion(
        label: "- \(key.name)", kind: .snippet, detail: construct.phrase,
        documentation: construct.summary, range: range, text: "- \(key.name): ",
        snippet: "- \(key.name): $0", sortText: "0\(Self.order(order))")
    }
  }

  private func values(
    _ context: CursorContext, _ place: CursorPlace, _ position: SourcePosition
  ) -> [Completion] {
    let range = range(line: position.line, context.word)
    var completions = paths(context, place, position) + headerValues(context, place, position)
    for shape in place.shapes { add(shape, context, place, range, to: &completions) }
    return completions
  }

  private func add(
    _ shape: ValueShape, _ context: CursorContext, _ place: CursorPlace, _ range: TextRange,
    to completions: inout [Completion]
  ) {
    func word(_ text: String, _ kind: Completion.Kind, _ detail: String?, _ note: String? = nil) {
      completions.append(
        Completion(
          label: text, kind: kind, detail: detail, documentation: note, range: range, text: text,
          snippet: nil, sortText: "0\(Self.order(completions.count))"))
    }
    switch shape {
    case .choice(let words):
      let key = place.owner.flatMap { $0.construct.key($0.key) }
      for text in words {
        word(text, .value, key?.defaultValue == .string(text) ? "default" : nil, key?.summary)
      }
    case .flag:
      word("true", .value, nil)
      word("false", .value, nil)
    case .pattern: names(place).forEach { word($0.name, $0.kind, $0.detail, $0.documentation) }
    case .template, .optionalTemplate, .expression, .durationOrExpression:
      guard !context.allowsKey || place.shapes.count == 1 else { return }
      completions.append(expression(context, range, on: range.start.line))
    case .either(let shapes):
      for shape in shapes { add(shape, context, place, range, to: &completions) }
    default: break
    }
  }

  /// `${{ }}`, quoted if YAML requires it.
  private func expression(_ context: CursorContext, _ word: TextRange, on line: Int) -> Completion {
    let quote = context.isFlow && !context.isQuoted ? "\"" : ""
    // A part of the mark may have been typed, and its end added by the editor.
    let scalars = lines.scalars(line - 1)
    var columns = (word.start.column - 1)..<(word.end.column - 1)
    let before = scalars[..<columns.lowerBound].reversed().prefix { $0 == "{" }.count
    if before < 2, columns.lowerBound > before, scalars[columns.lowerBound - before - 1] == "$" {
      let after = scalars[columns.upperBound...].prefix(before).prefix { $0 == "}" }.count
      columns = (columns.lowerBound - before - 1)..<(columns.upperBound + after)
    }
    let range = range(line: line, columns)
    return Completion(
      label: "${{ }}", kind: .snippet, detail: "expression",
      documentation: "An expression of the Common Expression Language (CEL).", range: range,
      text: "\(quote)${{  }}\(quote)", snippet: "\(quote)\\${{ $1 \\}\\}\(quote)$0", sortText: "2")
  }

  private typealias Name = (
    name: String, kind: Completion.Kind, detail: String?, documentation: String?
  )

  private func names(_ place: CursorPlace) -> [Name] {
    guard let owner = place.owner else { return [] }
    switch (owner.construct, owner.key) {
    case (.matcher, "expired"), (.step, "depends_on"):
      return index.visibleSteps(in: place.scope).compactMap { step in
        step.id.map { ($0.value, .step, step.action?.value, step.description) }
      }
    case (.step, "retry"):
      var names = index.policies.map(\.name.value)
      names += index.shared.policies.filter { !names.contains($0) }
      if !names.contains("standard") { names.append("standard") }
      return names.map { ($0, .value, "retry policy", nil) }
    case (_, "credentials"):
      let names = index.credentials.map(\.name.value)
      return (names + index.shared.credentials.filter { !names.contains($0) })
        .map { ($0, .value, "credentials", nil) }
    case (_, "rate"): return index.rates.map { ($0.name.value, .value, "rate", nil) }
    case (.request, "method"), (.upload, "method"), (.download, "method"):
      return ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
        .map { ($0, .value, "method", nil) }
    default: return []
    }
  }

  static func order(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension Construct {
  func excluded(by present: Set<String>) -> Set<String> {
    alternatives.reduce(into: present) { excluded, alternatives in
      if !present.isDisjoint(with: alternatives.keys) { excluded.formUnion(alternatives.keys) }
    }
  }

  /// Whether this is one of several alternative keys of which one is required but all are missing.
  func needs(_ key: String, beside present: Set<String>) -> Bool {
    alternatives.contains {
      $0.isRequired && $0.keys.contains(key) && present.isDisjoint(with: $0.keys)
    }
  }
}

extension Completion {
  fileprivate var afterBlank: Completion {
    Completion(
      label: label, kind: kind, detail: detail, documentation: documentation, range: range,
      text: " " + text, snippet: snippet.map { " " + $0 }, sortText: sortText)
  }
}
