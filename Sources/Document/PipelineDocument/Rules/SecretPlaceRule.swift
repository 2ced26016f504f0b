/// Places that others can see, where a secret does not belong.
enum SecretPlaceRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    let secrets = Secrets(analysis)
    guard !secrets.declarations.isEmpty else { return }
    let search = SecretSearch(secrets: secrets, analysis: analysis, collector: collector)
    for loop in analysis.loops.values {
      search.report(loop.items, in: loop.firstStep, .secretElement) {
        "'\($0)' is a secret, but the elements of a loop are stored"
      }
      for request in loop.onAbandon { check(request, loop.firstStep + loop.steps.count, search) }
    }
    for step in analysis.draft.steps {
      for request in step.requests { check(request, step.index, search) }
      for matcher in step.matchers + (step.results?.matchers ?? []) {
        search.report(matcher.message, in: step.index, .secretInMessage) {
          "'\($0)' is a secret, but messages are shown and stored"
        }
      }
      if case .forEach(let parts)? = step.action {
        for one in parts.collect {
          search.report(one.value, in: step.index, .secretElement) {
            "'\($0)' is a secret, but values collected from parts are stored"
          }
        }
      }
      if case .download(let download)? = step.action {
        for name in [download.name, download.save?.name] {
          search.report(name ?? nil, in: step.index, .secretInFileName) {
            "'\($0)' is a secret, but file names are stored"
          }
        }
      }
      guard case .materialize(let materialize)? = step.action,
        case .multipart(let parts) = materialize.source
      else { continue }
      for case .file(_, _, let name) in parts.map(\.content) {
        search.report(name ?? nil, in: step.index, .secretInFileName) {
          "'\($0)' is a secret, but servers store and log file names"
        }
      }
    }
  }

  private static func check(_ request: DraftRequest, _ step: Int, _ search: SecretSearch) {
    let help = "send it in a header or in the body"
    // A URL that starts with a secret is itself a secret: a link that anyone who has it can use.
    search.report(request.url, in: step, .secretInURL, exceptFirst: true, help: help) {
      "'\($0)' is a secret, but servers and proxies log URLs"
    }
    for field in request.query {
      search.report(field.value, in: step, .secretInURL, help: help) {
        "'\($0)' is a secret, but servers and proxies log URLs with their queries"
      }
    }
  }
}

private struct SecretSearch {
  package let secrets: Secrets
  package let analysis: ExpressionAnalysis
  package let collector: DiagnosticCollector

  package func report(
    _ template: DraftTemplate?, in step: Int, _ code: DiagnosticCode, exceptFirst: Bool = false,
    help: String? = nil, message: (String) -> String
  ) {
    for (index, part) in (template?.parts ?? []).enumerated() {
      guard case .expression(let expression) = part else { continue }
      report(
        expression, in: step, code, exceptFirst: exceptFirst && index == 0, help: help,
        message: message)
    }
  }

  package func report(
    _ expression: DraftExpression?, in step: Int, _ code: DiagnosticCode,
    exceptFirst: Bool = false, help: String? = nil, message: (String) -> String
  ) {
    guard let entry = analysis.entry(expression, in: step) else { return }
    for summand in entry.syntax.summands.dropFirst(exceptFirst ? 1 : 0) {
      guard let name = secrets.source(of: summand) else { continue }
      collector.report(
        code, message(name), at: analysis.range(summand, in: entry), note: secrets.note(name),
        help: help)
      return
    }
  }
}
