private let jsonLimit = 64 * 1024

extension RequestResponder {
  private struct Credentials: Decodable { let user, password: String }

  private struct AllocationBody: Decodable {
    let name: String
    let size: Int
    let sha256: String?
  }

  func login(_ exchange: inout RequestContext) async throws -> ResponseDraft {
    guard let credentials = try await json(Credentials.self, of: exchange.request) else {
      return .refusal(.badRequest, "invalid_json", "expected {\"user\", \"password\"}")
    }
    guard credentials.user == configuration.user, credentials.password == configuration.password
    else { return .refusal(.unauthorized, "invalid_credentials", "wrong user or password") }
    let (token, expiresAt) = tokens.issue(now: clock.now)
    exchange.entry.event = .login
    return ResponseDraft(
      .ok,
      JSONWriter.bytes {
        $0.add("access_token", token)
        $0.add("token_type", "Bearer")
        $0.add("expires_in", Int(configuration.tokenLifetime.wholeMilliseconds / 1000))
        $0.add("expires_at", expiresAt.rfc3339)
      })
  }

  func allocate(_ exchange: inout RequestContext) async throws -> ResponseDraft {
    guard let body = try await json(AllocationBody.self, of: exchange.request) else {
      return .refusal(.badRequest, "invalid_json", "expected {\"name\", \"size\"}")
    }
    guard !body.name.isEmpty, body.name.utf8.count <= 1024, body.size >= 0 else {
      return .refusal(
        .unprocessableContent, "invalid_upload", "expected a name and a size of 0 or more")
    }
    let request = UploadRegistry.Request(
      name: body.name, size: body.size, sha256: body.sha256?.lowercased())
    switch uploads.allocate(request, key: exchange.entry.idempotencyKey, now: clock.now) {
    case .created(let upload):
      exchange.note(.allocate, upload)
      return created(upload)
    case .replayed(let upload):
      exchange.note(.allocateReplay, upload)
      return created(upload)
    case .conflict:
      return .refusal(
        .unprocessableContent, "key_reused", "this key was used with a different request")
    }
  }

  private func created(_ upload: Upload) -> ResponseDraft {
    var draft = ResponseDraft(.created, upload: upload)
    draft.headers[.location] = "/v1/uploads/\(upload.id)"
    return draft
  }

  func inspect(
    _ id: String, _ exchange: inout RequestContext
  ) throws(ResponseDraft) -> ResponseDraft {
    let upload = try upload(id, &exchange)
    exchange.entry.event = .inspect
    return ResponseDraft(.ok, upload: upload)
  }

  /// The upload, unless it is missing or has expired.
  func upload(_ id: String, _ exchange: inout RequestContext) throws(ResponseDraft) -> Upload {
    guard let upload = uploads.find(id) else { throw .uploadMissing }
    exchange.note(upload)
    guard !upload.isExpired(at: clock.now) else { throw .uploadExpired }
    return upload
  }

  /// Completes an upload, once; counts repeats.
  func finalize(_ id: String, _ exchange: inout RequestContext) -> ResponseDraft {
    switch uploads.finalize(id, key: exchange.entry.idempotencyKey, now: clock.now) {
    case .finalized(let upload):
      exchange.note(.finalize, upload)
      return ResponseDraft(.ok, upload: upload)
    case .replayed(let upload):
      exchange.note(.finalizeReplay, upload)
      return ResponseDraft(.ok, upload: upload)
    case .duplicate(let upload):
      exchange.note(.duplicateFinalize, upload)
      switch configuration.repeatedFinalize {
      case .succeeds: return ResponseDraft(.ok, upload: upload)
      case .conflicts: return ResponseDraft(.conflict, upload: upload)
      }
    case .contentMissing(let upload):
      exchange.note(upload)
      return .refusal(.conflict, "content_missing", "the upload has no content yet")
    case .expired(let upload):
      exchange.note(upload)
      return .uploadExpired
    case .missing: return .uploadMissing
    }
  }

  func delete(_ id: String, _ exchange: inout RequestContext) async -> ResponseDraft {
    switch uploads.delete(id) {
    case .deleted(let upload):
      exchange.note(.delete, upload)
      if let path = store.uploadPath(id: id) { await store.remove(path) }
      return ResponseDraft(.noContent)
    case .complete(let upload):
      exchange.note(upload)
      return .refusal(.conflict, "upload_complete", "a complete upload cannot be deleted")
    case .missing: return .uploadMissing
    }
  }

  func json<Value: Decodable>(_ type: Value.Type, of request: Request) async throws -> Value? {
    let buffer: ByteBuffer
    do { buffer = try await request.body.collect(upTo: jsonLimit) } catch is NIOTooManyBytesError {
      return nil
    } catch { throw ConnectionDropped() }
    return try? JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
  }

  private struct FinalizationBody: Decodable { let uploads: [String] }

  /// Completes many uploads with one request, and returns for each the status of finalizing it
  /// separately: `{"results": [{"id", "status"}]}`, in the order of the request.
  ///
  /// Each upload has its own journal entry, so that a repeat of one is visible.
  func finalizeAll(_ exchange: inout RequestContext) async throws -> ResponseDraft {
    guard let body = try await json(FinalizationBody.self, of: exchange.request),
      body.uploads.count <= 1000
    else {
      return .refusal(.badRequest, "invalid_json", "expected {\"uploads\": [id, …]}, at most 1000")
    }
    var results: [[UInt8]] = []
    for id in body.uploads {
      var own = exchange
      let draft = finalize(id, &own)
      journal.record(own.entry(answeredBy: draft))
      results.append(
        JSONWriter.bytes {
          $0.add("id", id)
          $0.add("status", draft.status.code)
        })
    }
    exchange.entry.event = .finalizeAll
    let list = results.joined(separator: [UInt8(ascii: ",")])
    return ResponseDraft(.ok, Array("{\"results\":[".utf8) + list + Array("]}".utf8))
  }
}
