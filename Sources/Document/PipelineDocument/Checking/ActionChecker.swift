extension ExpressionChecker {
  package func action(_ draft: StepAction<Draft>?, _ context: inout Context) -> Step.Action? {
    switch draft {
    case nil: nil
    case .request(let draft)?: request(draft, &context).map(Step.Action.request)
    case .materialize(let draft)?:
      source(draft.source, &context).map {
        .materialize(MaterializeTemplate(source: $0, digests: draft.digests))
      }
    case .poll(let draft)?: poll(draft, &context).map(Step.Action.poll)
    case .digest(let draft)?: digests(draft, &context).map(Step.Action.digest)
    case .upload(let draft)?: upload(draft, &context).map(Step.Action.upload)
    case .download(let draft)?: download(draft, &context).map(Step.Action.download)
    // They read the steps after them: see RepeatChecker and InnerLoopChecker.
    case .repeat?, .forEach?: nil
    }
  }

  private func upload(_ draft: Upload<Draft>, _ context: inout Context) -> UploadTemplate? {
    let request = request(draft.request, &context)
    let file = compile(draft.file, .file, &context)
    let range = complete(draft.range.map { byteRange($0, &context) })
    let policy = transfer(draft.transfer, &context)
    let trailers = trailers(draft.trailers, &context)
    guard let request, let file, let range, let policy, let trailers else { return nil }
    return UploadTemplate(
      request: request, file: file, range: range, trailers: trailers, transfer: policy)
  }

  private func trailers(
    _ drafts: [DraftField], _ context: inout Context
  ) -> [NamedTemplate<Compiled>]? {
    var inside = context.seeing(context.environment.declaring(Variables.ofBody))
    defer { context.uses = inside.uses }
    return fields(drafts, &inside)
  }

  private func poll(_ draft: Poll<Draft>, _ context: inout Context) -> PollTemplate? {
    let request = request(draft.request, &context)
    let deadline = compile(draft.deadline, .duration, &context)
    guard let request, let deadline else { return nil }
    return PollTemplate(request: request, deadline: deadline)
  }

  private func digests(_ draft: Digests<Draft>, _ context: inout Context) -> DigestsTemplate? {
    let file = compile(draft.file, .file, &context)
    let range = complete(draft.range.map { byteRange($0, &context) })
    guard let file, let range else { return nil }
    return DigestsTemplate(file: file, range: range, algorithms: draft.algorithms)
  }

  private func download(_ draft: Download<Draft>, _ context: inout Context) -> DownloadTemplate? {
    let request = request(draft.request, &context)
    let name = draft.name.map { template($0, as: .textual, &context) }
    let size = draft.size.map { compile($0, .int, &context) }
    let expected = draft.expected.map { one in
      template(one.value, as: .optionalString, &context).map {
        ExpectedDigest<Compiled>(one.algorithm, $0)
      }
    }.complete()
    let save = complete(draft.save.map { saving($0, &context) })
    let policy = transfer(draft.transfer, &context)
    guard let request, let policy, let name = complete(name), let size = complete(size),
      let expected, let save
    else { return nil }
    return DownloadTemplate(
      request: request, name: name, size: size, expected: expected,
      maximumSize: draft.maximumSize, digests: draft.digests, save: save, transfer: policy)
  }

  private func saving(_ draft: Saving<Draft>, _ context: inout Context) -> Saving<Compiled>? {
    let folder = compile(draft.folder, .string, &context)
    let name = template(draft.name, as: .textual, &context)
    if let given = draft.folder, folder != nil { checkFolder(given) }
    guard let folder, let name else { return nil }
    return Saving(folder: folder, name: name, existing: draft.existing)
  }

  /// Reports a folder that is not simply an input of that type: neither an author nor a response may decide where files go.
  func checkFolder(_ draft: DraftExpression) {
    guard !isFolderInput(draft) else { return }
    let names = analysis.draft.inputs.filter { $0.kind == .folder }.map(\.name.value)
    collector.report(
      .expressionType, "expected an input of the type 'folder'", at: draft.range,
      help: names.first.map { "write '${{ inputs.\($0) }}', and put the path below it into 'name'" }
        ?? "declare one: 'target: { type: folder }', so that the user decides where files go")
  }

  func isFolderInput(_ draft: DraftExpression) -> Bool {
    let source = String(Substring(draft.source).trimmed)
    return analysis.draft.inputs.contains {
      $0.kind == .folder && source == "inputs.\($0.name.value)"
    }
  }

  private func transfer(_ draft: TransferOptions<Draft>, _ context: inout Context)
    -> TransferPolicy?
  {
    guard let earliest = complete(draft.earliest.map({ compile($0, .moment, &context) }))
    else { return nil }
    return TransferPolicy(
      requestTimeout: draft.requestTimeout, responseTimeout: draft.responseTimeout,
      resourceTimeout: draft.resourceTimeout, priority: draft.priority,
      isDiscretionary: draft.isDiscretionary, earliest: earliest,
      network: draft.network, renewals: draft.renewals)
  }

  /// The result of an optional key: nothing if it is present and could not be compiled.
  private func complete<Value>(_ compiled: Value??) -> Value?? {
    switch compiled {
    case nil: .some(nil)
    case .some(nil): nil
    case .some(let value?): .some(value)
    }
  }

  private func source(
    _ draft: Materialize<Draft>.Source, _ context: inout Context
  ) -> MaterializeTemplate.Source? {
    switch draft {
    case .file(let file, let range):
      let file = compile(file, .file, &context)
      let bytes = complete(range.map { byteRange($0, &context) })
      guard let file, let bytes else { return nil }
      return .file(file, range: bytes)
    case .multipart(let drafts):
      return drafts.map { part($0, &context) }.complete().map(MaterializeTemplate.Source.multipart)
    case .json(let draft): return json(draft, &context).map(MaterializeTemplate.Source.json)
    case .text(let draft):
      return template(draft, as: .textual, &context).map(MaterializeTemplate.Source.text)
    case .xml(let draft):
      return template(draft, as: .xml, each: .xml, &context).map(MaterializeTemplate.Source.xml)
    case .concat(let drafts):
      return drafts.map { piece($0, &context) }.complete().map(MaterializeTemplate.Source.concat)
    }
  }

  private func byteRange(
    _ draft: Materialize<Draft>.ByteRange, _ context: inout Context
  ) -> MaterializeTemplate.ByteRange? {
    let offset = compile(draft.offset, .int, &context)
    let length = compile(draft.length, .int, &context)
    guard let offset, let length else { return nil }
    return MaterializeTemplate.ByteRange(offset: offset, length: length)
  }

  private func piece(
    _ draft: Materialize<Draft>.Piece, _ context: inout Context
  ) -> MaterializeTemplate.Piece? {
    switch draft {
    case .text(let text): return template(text, as: .textual, &context).map { .text($0) }
    case .file(let file, let range):
      let file = compile(file, .file, &context)
      let bytes = complete(range.map { byteRange($0, &context) })
      guard let file, let bytes else { return nil }
      return .file(file, range: bytes)
    }
  }

  private func part(
    _ draft: Materialize<Draft>.Part, _ context: inout Context
  ) -> MaterializeTemplate.Part? {
    let content: MaterializeTemplate.Part.Content
    switch draft.content {
    case .text(let text):
      guard let text = template(text, as: .textual, &context) else { return nil }
      content = .text(text)
    case .file(let file, let range, let filename):
      let file = compile(file, .file, &context)
      let bytes = complete(range.map { byteRange($0, &context) })
      let name = complete(filename.map { template($0, as: .textual, &context) })
      guard let file, let bytes, let name else { return nil }
      content = .file(file, range: bytes, filename: name)
    }
    return fields(draft.headers, as: .header, &context).map { headers in
      MaterializeTemplate.Part(
        name: draft.name, content: content, contentType: draft.contentType, headers: headers)
    }
  }

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
      (authorization == nil) == (draft.authorization == nil), (body == nil) == (draft.body == nil)
    else { return nil }
    return RequestTemplate(
      method: draft.method.value, url: url, query: query, headers: headers, headerMaps: maps,
      authorization: authorization, body: body, timeout: draft.timeout,
      redirects: draft.redirects, maximumResponse: draft.maximumResponse, rate: draft.rate?.value,
      keepsCookies: draft.keepsCookies)
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
    var aside = Context(
      environment: context.environment.declaring(Variables.ofRequest), place: context.place)
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
      return fields(drafts, &context) { _ in true }.map(RequestTemplate.Authorization.headers)
    case .signing(let signing):
      return self.signing(signing, &context).map(RequestTemplate.Authorization.signing)
    }
  }

  private func signing(
    _ draft: RequestSigning<Draft>, _ context: inout Context
  ) -> RequestSigning<Compiled>? {
    let values = fields(draft.values, &context) { _ in true }
    let entries: [RequestTemplate.Field]?
    if draft.scheme == .expressions {
      // The names of the finished request exist only here.
      var inner = context.seeing(context.environment.declaring(Variables.ofSignedRequest))
      entries = fields(draft.entries, &inner) { _ in true }
      context.uses = inner.uses
    } else {
      entries = fields(draft.entries, as: draft.scheme == .oauth1 ? .textual : .json, &context) {
        _ in true
      }
    }
    guard let values, let entries else { return nil }
    return RequestSigning(
      scheme: draft.scheme, values: values, entries: entries, given: draft.given)
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
  /// The names of the results of the step's own last success, if it seals an output:
  /// a rotating value is derived from the previous one.
  func withPrevious(of draft: DraftStep) -> Visibility {
    guard draft.signIn?.output != nil || draft.outputs.contains(where: \.isSealed)
    else { return self }
    var visibility = self
    // Null before the first success, and where the value was not kept.
    for output in draft.outputs { visibility.declare("previous.\(output.name.value)", as: .dyn) }
    return visibility
  }
}
