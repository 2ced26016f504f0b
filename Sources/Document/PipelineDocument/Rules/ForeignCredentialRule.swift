/// A credential belongs to the host that issued it; any other host could use it in our name.
enum ForeignCredentialRule: Rule {
  /// A request that is sent with a credential.
  private struct Use {
    let name: String
    let expression: DraftExpression
    let step: Int
    let url: DraftTemplate
  }

  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    let uses = uses(analysis)
    // Of the requests to one server the first is representative of all.
    var others: [String: [Use]] = [:]
    var known: Set<[String]> = []
    for use in uses where known.insert([use.name, server(of: use, analysis)]).inserted {
      others[use.name, default: []].append(use)
    }
    for use in uses {
      if let target = URLOrigin(use.url, step: use.step, in: analysis) {
        checkWritten(target, use, among: others, analysis, collector)
      } else {
        checkAnswered(use, analysis, collector)
      }
    }
  }

  private static func uses(_ analysis: ExpressionAnalysis) -> [Use] {
    let secrets = Secrets(analysis)
    var uses: [Use] = []
    for (request, step) in analysis.requests {
      guard let url = request.url else { continue }
      for (template, isAuthorization) in request.credentials {
        for case .expression(let expression) in template.parts {
          guard let entry = analysis.entry(expression, in: step),
            // Anything that authorizes is a credential, whether it is declared secret or not.
            let name = secrets.source(of: entry.syntax)
              ?? (isAuthorization ? entry.compiled?.references.first?.variable : nil)
          else { continue }
          uses.append(Use(name: name, expression: expression, step: step, url: url))
        }
      }
    }
    return uses
  }

  /// The server that a request is sent to, as far as its URL starts with it.
  private static func server(of use: Use, _ analysis: ExpressionAnalysis) -> String {
    if let origin = URLOrigin(use.url, step: use.step, in: analysis) {
      return "\(origin.scheme)://\(origin.host)"
    }
    guard case .value(let syntax, _)? = analysis.pieces(of: use.url, in: use.step).first else {
      return ""
    }
    return syntax.pathText ?? ""
  }

  /// A host that the file names.
  private static func checkWritten(
    _ target: URLOrigin, _ use: Use, among others: [String: [Use]], _ analysis: ExpressionAnalysis,
    _ collector: DiagnosticCollector
  ) {
    if let maker = analysis.directory.maker(of: use.name)?.entry {
      guard let url = maker.draft.requests.first?.url,
        let source = source(of: url, maker.index, unless: target, analysis)
      else { return }
      collector.report(
        .foreignCredential, "'\(use.name)' comes from '\(source)' and is sent to '\(target.host)'",
        at: use.expression.range, note: ("it is obtained by this request", url.range))
    } else if !target.isLoopback,
      let other = others[use.name]?.first(where: {
        collector.spend(8) && isElsewhere($0, target, analysis)
      })
    {
      collector.report(
        .foreignCredential, "'\(use.name)' is sent to '\(target.host)', and to another server, too",
        at: use.expression.range, note: ("this request sends it there", other.url.range),
        help: "use a separate credential for each server")
    }
  }

  private static func isElsewhere(_ use: Use, _ target: URLOrigin, _ analysis: ExpressionAnalysis)
    -> Bool
  {
    // A pipeline that is tried on this machine is sent to the real server later.
    URLOrigin(use.url, step: use.step, in: analysis)?.isLoopback != true
      && source(of: use.url, use.step, unless: target, analysis) != nil
  }

  /// The server of a URL, if it is another than `target` as far as is known: one that the user names, or of another domain.
  private static func source(
    of url: DraftTemplate, _ step: Int, unless target: URLOrigin, _ analysis: ExpressionAnalysis
  ) -> String? {
    if let origin = URLOrigin(url, step: step, in: analysis) {
      return origin.isOfSameOwner(as: target) ? nil : origin.host
    }
    guard !target.isLoopback,
      case .value(let syntax, _)? = analysis.pieces(of: url, in: step).first,
      let path = syntax.pathText, path.hasPrefix("inputs."),
      let input = analysis.draft.inputs.first(where: { $0.name.value == path.dropFirst(7) })
    else { return nil }
    let usual = input.defaultText.flatMap { URLOrigin($0.value, isWhole: true) }
    return usual?.isOfSameOwner(as: target) == true ? nil : usual?.host ?? path
  }

  private static func checkAnswered(
    _ use: Use, _ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector
  ) {
    guard case .value(let syntax, _)? = analysis.pieces(of: use.url, in: use.step).first,
      let path = syntax.pathText, let (maker, name) = analysis.directory.maker(of: path),
      // Values of the same response belong together.
      analysis.directory.maker(of: use.name)?.entry.index != maker.index,
      let value = maker.draft.outputs.first(where: { $0.name.value == name })?.value,
      case .value(_, let entry)? = analysis.pieces(of: value, in: maker.index).first,
      entry.variables.contains(where: { $0.hasPrefix("response.") })
    else { return }
    collector.report(
      .foreignCredential, "'\(use.name)' is sent to the host that '\(path)' names",
      at: use.expression.range, note: ("a response decides which host that is", value.range),
      help:
        "omit the credential if the URL is sufficient, as with a presigned one; otherwise ignore the check with a reason"
    )
  }
}

extension DraftRequest {
  /// The templates whose values may authorize the request, and whether they certainly do.
  fileprivate var credentials: [(template: DraftTemplate, isAuthorization: Bool)] {
    (authorization?.templates ?? []).compactMap { $0 }.map { ($0, true) }
      + headers.compactMap(\.value).map { ($0, false) }
  }
}
