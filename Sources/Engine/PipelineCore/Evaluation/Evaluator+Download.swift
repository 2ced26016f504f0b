import CEL

extension Evaluator {
  /// The file that `template` downloads.
  public func plan(
    _ template: DownloadTemplate, _ scope: Scope, at location: SourceLocation
  ) throws(EvaluationFailure) -> DownloadPlan {
    var size: Int64?
    if let expression = template.size {
      guard case .int(let bytes) = try value(expression, scope), bytes >= 0 else {
        throw EvaluationFailure("expected a size of 0 bytes or more", at: expression.location)
      }
      if let limit = template.maximumSize, bytes > limit {
        throw EvaluationFailure(
          "the size is \(bytes) bytes, more than the limit of \(limit)", at: expression.location)
      }
      size = bytes
    }
    let save = try template.save.map { saving throws(EvaluationFailure) in try plan(saving, scope) }
    var expected: [DigestAlgorithm: String] = [:]
    for one in template.expected { expected[one.algorithm] = try digest(one, scope, at: location) }
    return DownloadPlan(
      name: try name(template, save, scope), size: size, expected: expected,
      digests: template.digests, limit: size ?? template.maximumSize ?? .max, save: save)
  }

  private func plan(
    _ saving: Saving<Compiled>, _ scope: Scope
  ) throws(EvaluationFailure) -> SavePlan {
    let name = try text(saving.name, scope)
    let place = saving.name.expressions.first?.location ?? saving.folder.location
    if let problem = SavePlan.problem(with: name) { throw EvaluationFailure(problem, at: place) }
    guard let folder = try value(saving.folder, scope).stringValue, folder.hasPrefix("/"),
      !folder.utf8.contains(0),
      let plan = SavePlan(run: scope.run, folder: folder, name: name, existing: saving.existing)
    else {
      throw EvaluationFailure("the folder is not an absolute path", at: saving.folder.location)
    }
    return plan
  }

  private func digest(
    _ expected: ExpectedDigest<Compiled>, _ scope: Scope, at location: SourceLocation
  ) throws(EvaluationFailure) -> String? {
    let place = expected.value.expressions.first?.location ?? location
    let algorithm = expected.algorithm
    var text: String?
    if expected.value.parts.count == 1, case .expression(let only) = expected.value.parts[0] {
      switch try value(only, scope) {
      case .null, .optional(nil), .optional(.null?): return nil
      case .optional(let inner?): text = inner.stringValue
      case let other: text = other.stringValue
      }
    } else {
      text = try self.text(expected.value, scope)
    }
    guard let digest = text.flatMap(algorithm.hexadecimal) else {
      let count = algorithm.byteCount
      throw EvaluationFailure(
        "expected a \(algorithm.rawValue) digest of \(count) bytes: \(2 * count) hexadecimal digits, or base64",
        at: place)
    }
    return digest
  }

  private func name(
    _ template: DownloadTemplate, _ save: SavePlan?, _ scope: Scope
  ) throws(EvaluationFailure) -> String {
    if let name = template.name { return try text(name, scope) }
    if let last = save?.components.last { return last }
    let path = try text(template.request.url, scope).prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return last.isEmpty ? "download" : String(last)
  }
}
