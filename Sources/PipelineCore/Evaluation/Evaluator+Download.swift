import CEL

extension Evaluator {
  /// The file that `template` downloads.
  ///
  /// - Throws: ``EvaluationFailure`` if an expression fails, a size is negative or above the
  ///   limit, or a digest is invalid.
  public func plan(
    _ template: DownloadTemplate, _ scope: Scope, at location: SourceLocation
  ) throws(EvaluationFailure) -> DownloadPlan {
    var size: Int64?
    if let expression = template.size {
      guard case .int(let bytes) = try value(expression, scope), bytes >= 0 else {
        throw EvaluationFailure(
          message: "expected a size of 0 bytes or more", location: expression.location)
      }
      if let limit = template.maximumSize, bytes > limit {
        throw EvaluationFailure(
          message: "the size is \(bytes) bytes, more than the limit of \(limit)",
          location: expression.location)
      }
      size = bytes
    }
    var digest: String?
    if let text = try template.sha256.map({ template throws(EvaluationFailure) in
      try self.text(template, scope)
    }) {
      guard text.utf8.count == 64, text.allSatisfy(\.isHexDigit) else {
        throw EvaluationFailure(
          message: "expected a SHA-256 of 64 hexadecimal digits", location: location)
      }
      digest = text.lowercased()
    }
    var digests = template.digests
    if digest != nil, !digests.contains(.sha256) { digests.append(.sha256) }
    return DownloadPlan(
      name: try name(template, scope), size: size, sha256: digest, digests: digests,
      limit: size ?? template.maximumSize ?? .max)
  }

  private func name(
    _ template: DownloadTemplate, _ scope: Scope
  ) throws(EvaluationFailure) -> String {
    if let name = template.name { return try text(name, scope) }
    let url = try text(template.request.url, scope)
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return last.isEmpty ? "download" : String(last)
  }
}
