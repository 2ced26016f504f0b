import CEL
import PipelineCore

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

  /// The fields after the body, whose digests only they see.
  private func trailers(
    _ drafts: [DraftField], _ context: inout Context
  ) -> [NamedTemplate<Compiled>]? {
    var environment = context.environment
    for (name, type) in Variables.ofBody { environment.declare(name, as: type) }
    var inside = Context(environment: environment, place: context.place, uses: context.uses)
    defer { context.uses = inside.uses }
    guard let fields = fields(drafts, &inside) else { return nil }
    for (field, draft) in zip(fields, drafts) { TrailerRule.check(field, draft, collector) }
    return fields
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
      help: names.first.map { "write '${{ inputs.\($0) }}', and put what is below it into 'name'" }
        ?? "declare one: 'target: { type: folder }', so that a person decides where files go")
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
      requestTimeout: draft.requestTimeout, resourceTimeout: draft.resourceTimeout,
      priority: draft.priority, isDiscretionary: draft.isDiscretionary, earliest: earliest,
      network: draft.network, renewals: draft.renewals)
  }

  /// What an optional key came to: nothing if it is present and could not be compiled.
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
}
