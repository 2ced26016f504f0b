/// The expressions that contain a secret: an input of type `secret`, an output declared `secret`, or a value derived from one.
struct Secrets {
  /// The declarations of secrets, by their names in expressions;
  /// an output whose expression reads a secret is also secret.
  let declarations: [String: TextRange]

  init(_ analysis: ExpressionAnalysis) {
    let draft = analysis.draft
    var declarations: [String: TextRange] = [:]
    for input in draft.inputs where input.kind == .secret {
      declarations["inputs.\(input.name.value)"] = input.name.range
    }
    for step in draft.steps {
      guard let id = step.id else { continue }
      let reads = { (template: DraftTemplate?) in
        template?.reads(declarations, step.index, analysis) == true
      }
      let isEntrySecret = step.batch?.entry?.templates.contains(where: reads) == true
      let isURLSecret = step.requests.contains { request in
        reads(request.url) || request.query.contains { reads($0.value) }
      }
      var derived = declarations
      if isEntrySecret {
        for name in [Variables.batchEntry, Variables.batchEntries] { derived[name] = id.range }
      }
      if isURLSecret { derived["response.url"] = id.range }
      for output in step.outputs {
        guard
          output.isSecret || output.value?.reads(derived, step.index, analysis) == true
        else { continue }
        declarations["steps.\(id.value).\(output.name.value)"] = output.name.range
      }
    }
    self.declarations = declarations
  }

  /// The name of a secret that `syntax` contains; `nil` if there is none.
  package func source(of syntax: Syntax) -> String? {
    switch syntax.kind {
    case .select, .name:
      if let root = syntax.pathRoot {
        // Nothing else can be declared secret, and the parts of a path are shorter paths.
        guard root == "inputs" || root == "steps" else { return nil }
        if let path = syntax.pathText, declarations[path] != nil { return path }
      }
      return first(in: syntax.parts)
    case .call(let function, _, _) where Self.harmless.contains(function.name): return nil
    case .and, .or, .has: return nil
    case .conditional(_, let first, let second): return self.first(in: [first, second])
    case .comprehension(let comprehension):
      switch comprehension.kind {
      case .all, .exists, .existsOne: return nil
      default: return first(in: syntax.parts)
      }
    default: return first(in: syntax.parts)
    }
  }

  private func first(in parts: [Syntax]) -> String? {
    for part in parts { if let found = source(of: part) { return found } }
    return nil
  }

  package func note(_ name: String) -> (message: String, range: TextRange?) {
    ("'\(name)' is declared secret here", declarations[name])
  }

  /// Functions whose results do not reveal the secret: digests, signatures, sizes and Booleans.
  private static let harmless: Set<String> = [
    "md5", "sha1", "sha256", "sha384", "sha512", "hmac_sha1", "hmac_sha256", "crc32", "crc32c",
    "size", "matches", "startsWith", "endsWith", "contains", "indexOf", "lastIndexOf", "hasValue",
    "!_", "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "@in",
  ]
}

extension DraftTemplate {
  func reads(
    _ secrets: [String: TextRange], _ step: Int, _ analysis: ExpressionAnalysis
  ) -> Bool {
    expressions.contains { expression in
      analysis.entry(expression, in: step)?.compiled?.references
        .contains { secrets[$0.variable] != nil } ?? false
    }
  }
}
