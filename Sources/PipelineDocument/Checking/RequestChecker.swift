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
