import Logging

extension RequestResponder {
  func receiveContent(of id: String, _ exchange: inout RequestContext) async throws -> ResponseDraft
  {
    let upload = try upload(id, &exchange)
    guard upload.state != .complete else {
      return .refusal(.conflict, "upload_complete", "the upload is complete")
    }
    let content = try await receive(&exchange, expected: upload.size)
    if let mismatch = mismatch(of: content, with: upload, exchange.request) {
      await content.body?.discard()
      return mismatch
    }
    return try await keep(content, for: upload, &exchange)
  }

  private func keep(
    _ content: ReceivedContent, for upload: Upload, _ exchange: inout RequestContext
  ) async throws -> ResponseDraft {
    if let body = content.body, let path = store.uploadPath(id: upload.id) {
      try await body.commit(to: path)
    }
    guard let updated = uploads.recordContent(upload.id, sha256: content.sha256) else {
      // It was deleted, or finalized with earlier content, while this content arrived.
      return .refusal(.conflict, "upload_changed", "the upload is now complete or deleted")
    }
    exchange.note(.content, updated)
    return ResponseDraft(.ok, upload: updated)
  }

  func storeFile(_ name: String, _ exchange: inout RequestContext) async throws -> ResponseDraft {
    exchange.entry.fileName = name
    let content = try await receive(&exchange, expected: nil)
    if let draft = digestMismatch(of: content, exchange.request, announced: nil) {
      await content.body?.discard()
      return draft
    }
    if let body = content.body, let path = store.filePath(name: name) {
      try await body.commit(to: path)
    }
    let file = StoredFile(
      name: name, size: content.size, sha256: content.sha256, storedAt: clock.now)
    let isNew = uploads.store(file)
    exchange.note(.storeFile, file)
    return show(file, isNew ? .created : .ok)
  }

  func inspectFile(_ name: String, _ exchange: inout RequestContext) -> ResponseDraft {
    exchange.entry.fileName = name
    guard let file = uploads.file(name) else {
      return .refusal(.notFound, "not_found", "no such file")
    }
    exchange.note(.inspectFile, file)
    return show(file, .ok)
  }

  private func show(_ file: StoredFile, _ status: HTTPResponse.Status) -> ResponseDraft {
    var draft = ResponseDraft(status, file.json)
    draft.headers[.eTag] = "\"\(file.sha256)\""
    draft.headers[.contentSHA256] = file.sha256
    return draft
  }

  private func receive(
    _ exchange: inout RequestContext, expected: Int?
  ) async throws -> ReceivedContent {
    let receiver = BodyReceiver(
      store: store, bytesPerSecond: exchange.draw.bodyBytesPerSecond,
      cut: cut(exchange, expected: expected))
    do throws(BodyFailure) {
      return try await receiver.receive(exchange.request)
    } catch {
      switch error {
      case .interrupted: throw ConnectionDropped()
      case .malformed(let reason):
        throw ResponseDraft.refusal(
          .badRequest, "malformed_multipart", "the form is malformed: \(reason)")
      case .fileMissing:
        throw ResponseDraft.refusal(.badRequest, "file_missing", "the form has no file")
      case .storage(let reason):
        logger.error("body not stored", metadata: ["reason": "\(reason)"])
        throw ResponseDraft.refusal(
          HTTPResponse.Status(code: 507), "not_stored", "the body could not be stored")
      }
    }
  }

  /// The number of bytes after which a body is cut, if the fault demands it.
  private func cut(_ exchange: RequestContext, expected: Int?) -> Int? {
    guard exchange.draw.fault == .resetBeforeCommit else { return nil }
    let announced = exchange.request.headers[.contentLength].flatMap { Int($0) } ?? expected ?? 0
    return max(1, Int(Double(announced) * exchange.draw.fraction))
  }

  private func mismatch(
    of content: ReceivedContent, with upload: Upload, _ request: Request
  ) -> ResponseDraft? {
    guard content.size == upload.size else {
      return .refusal(
        .unprocessableContent, "size_mismatch",
        "received \(content.size) bytes, expected \(upload.size)")
    }
    return digestMismatch(of: content, request, announced: upload.announcedSHA256)
  }

  private func digestMismatch(
    of content: ReceivedContent, _ request: Request, announced: String?
  ) -> ResponseDraft? {
    let claims = [request.headers[.contentSHA256], content.fields["sha256"], announced]
    for claim in claims.compactMap({ $0?.lowercased() }) where claim != content.sha256 {
      return .refusal(
        .unprocessableContent, "digest_mismatch", "the content's SHA-256 is \(content.sha256)")
    }
    return nil
  }
}
