import CEL
import PipelineCore

extension ExpressionChecker {
  package func request(_ draft: DraftRequest?, _ context: inout Context) -> RequestTemplate? {
    guard let draft else { return nil }
    let url = template(draft.url, as: .textual, &context)
    let query = fields(draft.query, &context)
    let headers = fields(draft.headers, as: .header, &context) {
      CredentialHeaders.names.contains($0)
    }
    let maps = draft.headerMaps.map { map in
      compile(map.value, .headers, &context).map { HeaderMap<Compiled>($0, position: map.position) }
    }.complete()
    let authorization = authorization(draft.authorization, &context)
    let body = body(draft.body, &context)
    guard let url, let query, let headers, let maps,
      (authorization == nil) == (draft.authorization == nil),
      (body == nil) == (draft.body == nil)
    else { return nil }
    return RequestTemplate(
      method: draft.method.value, url: url, query: query, headers: headers, headerMaps: maps,
      authorization: authorization, body: body, timeout: draft.timeout,
      redirects: draft.redirects, maximumResponse: draft.maximumResponse, rate: draft.rate?.value)
  }

  func noteResponse(
    to draft: DraftRequest?, of request: ServerExamples.Request, _ context: Context
  ) {
    guard let draft else { return }
    examples.add(responseTemplate(draft.example, context), draft.response?.schema, of: request)
  }

  func noteResponses(to draft: DraftProbe, of step: StepID, _ context: Context) {
    let schema = draft.request?.response?.schema
    let done = responseTemplate(draft.effectExample, context)
    examples.add(done, schema, of: .probe(step, isDone: true))
    let open = responseTemplate(draft.noEffectExample, context)
    examples.add(open, schema, of: .probe(step, isDone: false))
  }

  /// An example response.
  ///
  /// Its expressions see the request too; reading an output here does not count as a use.
  private func responseTemplate(_ draft: ExampleResponse<Draft>?, _ context: Context)
    -> ResponseTemplate?
  {
    guard let draft else { return nil }
    var environment = context.environment
    for (name, type) in Variables.ofRequest { environment.declare(name, as: type) }
    var aside = Context(environment: environment, place: context.place)
    let headers = fields(draft.headers, &aside)
    var body: ResponseTemplate.Body?
    switch draft.body {
    case .json(let json)?: body = self.json(json, &aside).map(ResponseTemplate.Body.json)
    case .text(let text)?:
      body = template(text, as: .textual, &aside).map(ResponseTemplate.Body.text)
    case nil: break
    }
    guard let headers, (body == nil) == (draft.body == nil) else { return nil }
    return ResponseTemplate(status: draft.status, headers: headers, body: body, delay: draft.delay)
  }

  /// Names and templates; `isCredential` is asked with the name in lower case.
  func fields(
    _ drafts: [DraftField], as expected: ExpectedType = .textual, _ context: inout Context,
    isCredential: (String) -> Bool = { _ in false }
  ) -> [RequestTemplate.Field]? {
    var fields: [RequestTemplate.Field] = []
    for draft in drafts {
      let credential = isCredential(draft.name.value.lowercased())
      if let value = template(draft.value, as: expected, &context, isCredential: credential) {
        fields.append(RequestTemplate.Field(name: draft.name.value, value: value))
      }
    }
    return fields.count == drafts.count ? fields : nil
  }

  private func body(
    _ draft: DraftRequest.Body?, _ context: inout Context
  ) -> RequestTemplate.Body? {
    switch draft {
    case nil: return nil
    case .json(let value): return json(value, &context).map(RequestTemplate.Body.json)
    case .form(let drafts): return fields(drafts, &context).map(RequestTemplate.Body.form)
    case .text(let text):
      return template(text, as: .textual, &context).map(RequestTemplate.Body.text)
    case .xml(let text):
      return template(text, as: .xml, each: .xml, &context).map(RequestTemplate.Body.xml)
    }
  }
}

extension ExpressionChecker {
  func authorization(
    _ draft: DraftRequest.Authorization?, _ context: inout Context
  ) -> RequestTemplate.Authorization? {
    switch draft {
    case nil: return nil
    case .bearer(let token):
      return template(token, as: .string, &context, isCredential: true)
        .map(RequestTemplate.Authorization.bearer)
    case .basic(let user, let password):
      let user = template(user, as: .string, &context, isCredential: true)
      let password = template(password, as: .string, &context, isCredential: true)
      guard let user, let password else { return nil }
      return .basic(user: user, password: password)
    case .headers(let drafts):
      return credentials(drafts, as: .textual, &context).map(RequestTemplate.Authorization.headers)
    case .signing(let signing):
      return self.signing(signing, &context).map(RequestTemplate.Authorization.signing)
    }
  }

  private func signing(
    _ draft: RequestSigning<Draft>, _ context: inout Context
  ) -> RequestSigning<Compiled>? {
    let values = credentials(draft.values, as: .textual, &context)
    let entries: [RequestTemplate.Field]?
    if draft.scheme == .expressions {
      // The names of the finished request exist only here.
      var environment = context.environment
      for (name, type) in Variables.ofSignedRequest { environment.declare(name, as: type) }
      var inner = Context(environment: environment, place: context.place, uses: context.uses)
      entries = credentials(draft.entries, as: .textual, &inner)
      context.uses = inner.uses
    } else {
      entries = credentials(draft.entries, as: draft.scheme == .oauth1 ? .textual : .json, &context)
    }
    guard let values, let entries else { return nil }
    return RequestSigning(
      scheme: draft.scheme, values: values, entries: entries, given: draft.given)
  }

  private func credentials(
    _ drafts: [DraftField], as type: ExpectedType, _ context: inout Context
  ) -> [RequestTemplate.Field]? {
    let fields = drafts.compactMap { draft in
      template(draft.value, as: type, &context, isCredential: true).map {
        RequestTemplate.Field(name: draft.name.value, value: $0)
      }
    }
    return fields.count == drafts.count ? fields : nil
  }
}

extension Variables {
  /// Names that the trailers of an upload see of its body, and their types.
  static let ofBody: [(name: String, type: ValueType)] = DigestAlgorithm.allCases.flatMap { one in
    RenderedTrailer.Encoding.allCases.map { (RenderedTrailer.name(one, $0), .string) }
  }

  /// Names that the headers of `sign` see of the finished request, and their types; values come through
  /// ``/PipelineCore/Scope/locals``.
  static let ofSignedRequest: [(name: String, type: ValueType)] =
    [
      ("request.method", .string), ("request.url", .string), ("request.host", .string),
      ("request.path", .string), ("request.query", .string),
      ("request.headers", .map(.string, .string)), ("request.body.size", .int),
      ("clock.server", .timestamp),
    ] + DigestAlgorithm.allCases.map { ("request.body.\($0.rawValue)", .string) }
}

extension Visibility {
  /// The names of what the step's own last success left, if it seals an output: a value that rotates is made from the one before.
  func withPrevious(of draft: DraftStep) -> Visibility {
    guard draft.outputs.contains(where: \.isSealed) else { return self }
    var visibility = self
    // Null before the first success, and where the value was not kept.
    for output in draft.outputs { visibility.declare("previous.\(output.name.value)", as: .dyn) }
    return visibility
  }
}
