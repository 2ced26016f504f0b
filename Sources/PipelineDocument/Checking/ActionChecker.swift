import PipelineCore

extension ExpressionChecker {
  /// What a step does, compiled; `nil` if something was reported.
  package func action(_ draft: DraftAction?, _ context: inout Context) -> Step.Action? {
    switch draft {
    case nil, .use: return nil
    case .request(let draft): return request(draft, &context).map(Step.Action.request)
    case .materialize(let draft):
      return source(draft.source, &context).map {
        .materialize(MaterializeTemplate(source: $0, digests: unique(draft.digests)))
      }
    case .download(let draft): return download(draft, &context)
    case .upload(let draft, let file, let transfer):
      let request = request(draft, &context)
      let file = compile(file, .file, &context)
      let policy = self.transfer(transfer, &context)
      guard let request, let file, let policy else { return nil }
      return .upload(UploadTemplate(request: request, file: file, transfer: policy))
    }
  }

  private func download(
    _ draft: DraftDownload, _ context: inout Context
  ) -> Step.Action? {
    let request = request(draft.request, &context)
    let name = template(draft.name, as: .textual, &context)
    var size: Expression?
    if let draft = draft.size { size = compile(draft, .int, &context) }
    let sha256 = template(draft.sha256, as: .string, &context)
    let policy = transfer(draft.transfer, &context)
    guard let request, let policy, (name == nil) == (draft.name == nil),
      (size == nil) == (draft.size == nil), (sha256 == nil) == (draft.sha256 == nil)
    else { return nil }
    return .download(
      DownloadTemplate(
        request: request, name: name, size: size, sha256: sha256,
        maximumSize: draft.maximumSize, digests: unique(draft.digests), transfer: policy))
  }

  private func transfer(_ draft: DraftTransfer, _ context: inout Context) -> TransferPolicy? {
    var earliest: Expression?
    if let draft = draft.earliest {
      earliest = compile(draft, .moment, &context)
      guard earliest != nil else { return nil }
    }
    return TransferPolicy(
      requestTimeout: draft.requestTimeout, resourceTimeout: draft.resourceTimeout,
      priority: draft.priority, isDiscretionary: draft.isDiscretionary, earliest: earliest,
      network: draft.network, renewals: draft.renewals)
  }

  private func unique(_ digests: [DigestAlgorithm]) -> [DigestAlgorithm] {
    DigestAlgorithm.allCases.filter(digests.contains)
  }

  private func source(
    _ draft: DraftMaterialize.Source, _ context: inout Context
  ) -> MaterializeTemplate.Source? {
    switch draft {
    case .file(let file, let range):
      let file = compile(file, .file, &context)
      guard let range else { return file.map { .file($0, range: nil) } }
      let offset = compile(range.offset, .int, &context)
      let length = compile(range.length, .int, &context)
      guard let file, let offset, let length else { return nil }
      return .file(file, range: MaterializeTemplate.ByteRange(offset: offset, length: length))
    case .multipart(let drafts):
      let parts = drafts.map { part($0, &context) }
      let present = parts.compactMap { $0 }
      return present.count == parts.count ? .multipart(present) : nil
    case .json(let draft): return json(draft, &context).map(MaterializeTemplate.Source.json)
    case .text(let draft):
      return template(draft, as: .textual, &context).map(MaterializeTemplate.Source.text)
    }
  }

  private func part(_ draft: DraftPart, _ context: inout Context) -> MaterializeTemplate.Part? {
    let content: MaterializeTemplate.Part.Content
    switch draft.content {
    case .text(let text):
      guard let text = template(text, as: .textual, &context) else { return nil }
      content = .text(text)
    case .file(let file, let filename):
      let file = compile(file, .file, &context)
      let name = template(filename, as: .textual, &context)
      guard let file, (name == nil) == (filename == nil) else { return nil }
      content = .file(file, filename: name)
    }
    return MaterializeTemplate.Part(
      name: draft.name, content: content, contentType: draft.contentType)
  }
}
