import CEL

/// Places that others see: a secret does not belong into any of them.
enum SecretPlaceRule: ExpressionRule {
  package static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
    let secrets = Secrets(analysis)
    guard !secrets.declarations.isEmpty else { return }
    let search = SecretSearch(secrets: secrets, analysis: analysis, collector: collector)
    for loop in analysis.loops.values {
      search.report(loop.items, in: loop.firstStep, .secretElement) {
        "'\($0)' is a secret, and the elements of a loop are stored"
      }
      for request in loop.onAbandon { check(request, loop.firstStep + loop.steps.count, search) }
    }
    for step in analysis.draft.steps {
      for request in step.requests { check(request, step.index, search) }
      for matcher in step.matchers + (step.results?.matchers ?? []) {
        search.report(matcher.message, in: step.index, .secretInMessage) {
          "'\($0)' is a secret, and messages are shown and stored"
        }
      }
      if case .download(let download)? = step.action {
        search.report(download.name, in: step.index, .secretInFileName) {
          "'\($0)' is a secret, and names of files are stored"
        }
      }
      guard case .materialize(let materialize)? = step.action,
        case .multipart(let parts) = materialize.source
      else { continue }
      for case .file(_, let name) in parts.map(\.content) {
        search.report(name, in: step.index, .secretInFileName) {
          "'\($0)' is a secret, and names of files are stored and logged by servers"
        }
      }
    }
  }

  private static func check(_ request: DraftRequest, _ step: Int, _ search: SecretSearch) {
    let help = "send it in a header or in the body"
    // A URL that begins with a secret is one itself: a link that whoever has it may use.
    search.report(request.url, in: step, .secretInURL, exceptFirst: true, help: help) {
      "'\($0)' is a secret, and URLs are logged on the way"
    }
    for field in request.query {
      search.report(field.value, in: step, .secretInURL, help: help) {
        "'\($0)' is a secret, and URLs with their queries are logged on the way"
      }
    }
  }

  static let pages = [
    Check(
      .secretInURL, .warning, .safety, summary: "a secret is part of a URL or its query",
      explanation: """
        URLs are written into the logs of servers and proxies, and follow redirects. Send the secret as `bearer`, `basic`, in a \
        header or in the body. A URL that is itself a secret output, such as a presigned one, is not meant, and neither is a \
        digest or signature made with the secret.
        """,
      wrong: """
        pipeline: example
        inputs: { key: { type: secret } }
        steps:
          - id: ping
            request: { url: "https://example.com/ping", query: { key: "${{ inputs.key }}" } }
        """,
      right: """
        pipeline: example
        inputs: { key: { type: secret } }
        steps:
          - id: ping
            request: { url: "https://example.com/ping", headers: { X-Api-Key: "${{ inputs.key }}" } }
        """),
    Check(
      .secretInMessage, .warning, .safety, summary: "a secret is part of a message",
      explanation: """
        Messages are shown, stored and reported. A secret in one is blotted out where it is found again, and what is derived from \
        it is not. Name the matter without it.
        """,
      wrong: """
        pipeline: example
        inputs: { password: { type: secret } }
        steps:
          - id: login
            request:
              url: https://example.com/login
              basic: { user: demo, password: "${{ inputs.password }}" }
            on:
              - if: ${{ response.status == 401 }}
                then: fail
                message: "the password ${{ inputs.password }} is wrong"
        """,
      right: """
        pipeline: example
        inputs: { password: { type: secret } }
        steps:
          - id: login
            request:
              url: https://example.com/login
              basic: { user: demo, password: "${{ inputs.password }}" }
            on:
              - if: ${{ response.status == 401 }}
                then: fail
                message: "the password of ${{ string(size(inputs.password)) }} characters is wrong"
        """),
    Check(
      .secretInFileName, .error, .safety, summary: "a secret is part of the name of a file",
      explanation: """
        The name of a part is written into the body file, and the server stores and logs it. The name of a download is stored with \
        the run. No comment silences it. Name the file after something else, or after a \
        digest of the secret.
        """,
      wrong: """
        pipeline: example
        inputs: { key: { type: secret }, photo: { type: file } }
        steps:
          - id: body
            materialize:
              multipart:
                - { name: file, file: "${{ inputs.photo }}", filename: "${{ inputs.key }}.jpg" }
          - id: send
            upload: { url: "https://example.com/photos", file: "${{ steps.body.file }}" }
        """,
      right: """
        pipeline: example
        inputs: { key: { type: secret }, photo: { type: file } }
        steps:
          - id: body
            materialize:
              multipart:
                - { name: file, file: "${{ inputs.photo }}", filename: "${{ hex(sha256(inputs.key)) }}.jpg" }
          - id: send
            upload: { url: "https://example.com/photos", file: "${{ steps.body.file }}" }
        """),
    Check(
      .unprotectedSecret, .warning, .safety, summary: "a secret is stored in the clear",
      explanation: """
        The outputs of steps are kept on disk, so that a run can go on after the program has ended. An output with \
        `secret: true` is left out of that, and made again when it is needed. So is an output whose expression reads \
        a secret, without being declared.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: login
            request: { method: POST, url: "https://example.com/login" }
            outputs: { token: "${{ response.text.trim() }}" }
          - id: ping
            request: { url: "https://example.com/ping", bearer: "${{ steps.login.token }}" }
        """,
      right: """
        pipeline: example
        steps:
          - id: login
            request: { method: POST, url: "https://example.com/login" }
            outputs: { token: { value: "${{ response.text.trim() }}", secret: true } }
          - id: ping
            request: { url: "https://example.com/ping", bearer: "${{ steps.login.token }}" }
        """),
    Check(
      .secretElement, .error, .safety, summary: "the elements of a loop are made of a secret",
      explanation: """
        The elements of a loop are stored, so that a run can go on with each of them, and they are its names in reports. A secret \
        cannot be left out of that, so no comment silences it. Let the loop go over what is no secret, and read the secret in \
        its steps.
        """,
      wrong: """
        pipeline: example
        inputs: { password: { type: secret } }
        steps:
          - for_each: login
            in: ${{ ["ann:" + inputs.password, "ben:" + inputs.password] }}
            steps:
              - id: ping
                request: { url: "https://example.com/ping", headers: { X-Login: "${{ login }}" } }
        """,
      right: """
        pipeline: example
        inputs: { password: { type: secret } }
        steps:
          - for_each: user
            in: ${{ ["ann", "ben"] }}
            steps:
              - id: ping
                request:
                  url: "https://example.com/ping"
                  headers: { X-Login: "${{ user + ':' + inputs.password }}" }
        """),
  ]
}

/// Looks for secrets in the expressions of templates.
private struct SecretSearch {
  package let secrets: Secrets
  package let analysis: Analysis
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
        Diagnostic(
          code, severity: code.isStructural ? .error : .warning, message(name),
          at: analysis.range(summand, in: entry), notes: secrets.note(name), help: help))
      return
    }
  }
}
