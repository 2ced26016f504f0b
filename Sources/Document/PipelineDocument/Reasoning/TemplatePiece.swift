enum TemplatePiece {
  /// Literal text; its range is known only inside an expression.
  case text(String, TextRange?)
  case value(Syntax, ExpressionAnalysis.Entry)

  var text: String? { if case .text(let text, _) = self { text } else { nil } }
}

extension ExpressionAnalysis {
  /// The pieces that a template of a step joins; the first use of each name from `let` is replaced by its value.
  ///
  /// To replace all of them would double the pieces with each name that contains an earlier one twice.
  func pieces(of template: DraftTemplate, in step: Int) -> [TemplatePiece] {
    var replaced: Set<String> = []
    return pieces(of: template, step, &replaced, depth: 0)
  }

  /// How deep names from `let` that contain each other are replaced; expressions may not be deeper, either.
  private static let depthLimit = 200

  private func pieces(
    of template: DraftTemplate, _ step: Int, _ replaced: inout Set<String>, depth: Int
  ) -> [TemplatePiece] {
    var pieces: [TemplatePiece] = []
    for part in template.parts {
      switch part {
      case .text(let text): pieces.append(.text(text, nil))
      case .expression(let expression):
        guard let entry = entry(expression, in: step) else { continue }
        pieces += self.pieces(of: entry.syntax, entry, step, &replaced, depth: depth)
      }
    }
    return pieces
  }

  private func pieces(
    of syntax: Syntax, _ entry: Entry, _ step: Int, _ replaced: inout Set<String>, depth: Int
  ) -> [TemplatePiece] {
    var pieces: [TemplatePiece] = []
    for part in syntax.summands where reader.collector.spend() {
      switch part.kind {
      case .literal(.string(let text)): pieces.append(.text(text, range(part, in: entry)))
      case .call(let function, target: nil, let arguments)
      where function.name == "string" && arguments.count == 1:
        pieces += self.pieces(of: arguments[0], entry, step, &replaced, depth: depth)
      case .name(let name, _):
        // A value may read those before it only, so this ends.
        if depth < Self.depthLimit, let value = value(named: name, in: step),
          value.range.start != entry.draft.range.start, replaced.insert(name).inserted
        {
          pieces += self.pieces(of: value, step, &replaced, depth: depth + 1)
        } else {
          pieces.append(.value(part, entry))
        }
      default: pieces.append(.value(part, entry))
      }
    }
    return pieces
  }

  /// The fields of a variable that the templates of a step read; names from `let` are followed only at the start of a template.
  func fields(of variable: String, in templates: [DraftTemplate?], step: Int) -> Set<String> {
    var found: Set<String> = []
    for template in templates {
      for piece in template.map({ pieces(of: $0, in: step) }) ?? [] {
        guard case .value(let syntax, _) = piece else { continue }
        for part in syntax.allParts {
          guard case .select(let operand, let field, _) = part.kind, operand.pathText == variable
          else { continue }
          found.insert(field.name)
        }
      }
    }
    return found
  }

  private func value(named name: String, in step: Int) -> DraftTemplate? {
    guard draft.steps.indices.contains(step) else { return nil }
    return draft.steps[step].values.first { $0.name.value == name }?.value
  }

  func isCompiled(_ templates: [DraftTemplate?], in step: Int) -> Bool {
    templates.allSatisfy { template in
      template?.expressions.allSatisfy { entry($0, in: step)?.compiled != nil } ?? true
    }
  }

  func variables(of templates: [DraftTemplate?], in step: Int) -> Set<String> {
    var found: Set<String> = []
    var rest = templates.compactMap(\.self)
    while let template = rest.popLast() {
      for variable in template.expressions.flatMap({ entry($0, in: step)?.variables ?? [] })
      where found.insert(variable).inserted {
        if let value = value(named: variable, in: step) { rest.append(value) }
      }
    }
    return found
  }

  /// Whether a variable can differ between two elements of a loop: two parts of an item if the step is about parts.
  func isOfElement(_ variable: String, of step: DraftStep, in loop: DraftLoop) -> Bool {
    let names = variable.split(separator: ".").map(String.init)
    guard let root = names.first else { return false }
    if root == "steps" {
      guard let maker = directory.maker(of: variable)?.entry else { return true }
      return step.partOf == nil ? maker.loop != nil : maker.draft.partOf == step.partOf
    }
    if ["inputs", "run", "now"].contains(root) { return false }
    return step.partOf == nil || root != "item" && root != loop.variable?.value
  }

  /// The words that a field of the response can contain according to the declared schema; `nil` if unknown.
  package func words(_ path: String, in entry: Entry) -> [String]? {
    // Steps are numbered in directory order.
    guard entry.place.hasResponse, directory.entries.indices.contains(entry.place.step)
    else { return nil }
    let step = directory.entries[entry.place.step].draft
    let isProbe = step.probe?.tookEffect?.range == entry.draft.range
    let request = isProbe ? step.probe?.request : step.action?.request
    return request?.response?.words[path]
  }
}

extension ExpressionAnalysis.Entry {
  /// Whether `path` is the field of a file: of an input, of the element of a loop over files, or of a materialize step.
  func isFileField(_ path: String, _ field: String, _ analysis: ExpressionAnalysis) -> Bool {
    guard path.hasSuffix(field) else { return false }
    let start = path.dropLast(field.count)
    guard start.last == "." else { return false }
    let owner = start.dropLast()
    if owner.hasPrefix("inputs."),
      let input = analysis.draft.inputs.first(where: { $0.name.value == owner.dropFirst(7) })
    {
      return input.kind == .file
    }
    if owner.hasPrefix("steps."), owner.hasSuffix(".file") { return true }
    guard let loop = place.loop, let node = analysis.loops[loop],
      let variable = node.variable, variable.value == owner,
      let items = analysis.entry(node.items, in: node.firstStep)?.compiled?.type
    else { return false }
    return items == .list(.object(Variables.file))
  }
}
