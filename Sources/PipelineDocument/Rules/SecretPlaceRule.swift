import PipelineCore
import CEL

/// Places that others can see, where a secret does not belong.
enum SecretPlaceRule: Rule {
  package static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
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
            "'\($0)' is a secret, but what is collected from parts is stored"
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
    // A URL that begins with a secret is itself a secret: a link that anyone who has it can use.
    search.report(request.url, in: step, .secretInURL, exceptFirst: true, help: help) {
      "'\($0)' is a secret, but servers and proxies log URLs"
    }
    for field in request.query {
      search.report(field.value, in: step, .secretInURL, help: help) {
        "'\($0)' is a secret, but servers and proxies log URLs with their queries"
      }
    }
  }

  static let pages = [
    Check(
      .secretInURL, .warning, .safety, summary: "a secret is part of a URL or its query",
      explanation: """
        URLs are written to the logs of servers and proxies, and follow redirects. Send the secret as `bearer`, \
        `basic`, in a header or in the body. A URL that is itself a secret output, such as a presigned one, is \
        allowed, and so is a digest or signature made with the secret.
        """,
      example: """
         pipeline: example
         inputs: { key: { type: secret } }
         steps:
           - id: ping
        -    request: { url: "https://example.com/ping", query: { key: "${{ inputs.key }}" } }
        +    request: { url: "https://example.com/ping", headers: { X-Api-Key: "${{ inputs.key }}" } }
        """),
    Check(
      .secretInMessage, .warning, .safety, summary: "a secret is part of a message",
      explanation: """
        Messages are shown, stored and reported. A secret in a message is redacted where it appears verbatim, but \
        values derived from it are not. Write the message without it.
        """,
      example: """
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
        -        message: "the password ${{ inputs.password }} is wrong"
        +        message: "the password of ${{ string(size(inputs.password)) }} characters is wrong"
        """),
    Check(
      .secretInFileName, .error, .safety, summary: "a secret is part of a file name",
      explanation: """
        The file name of a part is written into the body file, and the server stores and logs it. The name of a \
        download is stored with the run. A comment cannot silence this check. Use another name, or a digest of the \
        secret.
        """,
      example: """
         pipeline: example
         inputs: { key: { type: secret }, photo: { type: file } }
         steps:
           - id: body
             materialize:
               multipart:
        -        - { name: file, file: "${{ inputs.photo }}", filename: "${{ inputs.key }}.jpg" }
        +        - { name: file, file: "${{ inputs.photo }}", filename: "${{ hex(sha256(inputs.key)) }}.jpg" }
           - id: send
             upload: { url: "https://example.com/photos", file: "${{ steps.body.file }}" }
        """),
    Check(
      .unprotectedSecret, .warning, .safety, summary: "a secret is stored as plain text",
      explanation: """
        The outputs of steps are stored on disk, so that a run can continue after the program has ended. An output \
        with `secret: true` is not stored, and is recomputed when it is needed. The same holds for an output whose \
        expression reads a secret, even if it is not declared secret.
        """,
      example: """
         pipeline: example
         steps:
           - id: login
             request: { method: POST, url: "https://example.com/login" }
             effect: repeatable
        -    outputs: { token: "${{ response.text.trim() }}" }
        +    outputs: { token: { value: "${{ response.text.trim() }}", secret: true } }
           - id: ping
             request: { url: "https://example.com/ping", bearer: "${{ steps.login.token }}" }
        """),
    Check(
      .secretElement, .error, .safety, summary: "the elements of a loop contain a secret",
      explanation: """
        The elements of a loop are stored, so that a run can continue with each of them, and they name the items in \
        reports. A secret cannot be left out of either, so a comment cannot silence this check. Loop over something \
        that is not secret, and read the secret inside the steps.
        """,
      example: """
         pipeline: example
         inputs: { password: { type: secret } }
         steps:
        -  - for_each: login
        -    in: ${{ ["ann:" + inputs.password, "ben:" + inputs.password] }}
        +  - for_each: user
        +    in: ${{ ["ann", "ben"] }}
             steps:
               - id: ping
        -        request: { url: "https://example.com/ping", headers: { X-Login: "${{ login }}" } }
        +        request:
        +          url: "https://example.com/ping"
        +          headers: { X-Login: "${{ user + ':' + inputs.password }}" }
        """),
  ]
}

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
        code, message(name), at: analysis.range(summand, in: entry), note: secrets.note(name),
        help: help)
      return
    }
  }
}
