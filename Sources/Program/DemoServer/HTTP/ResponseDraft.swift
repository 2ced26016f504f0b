/// A response, which a refusal throws.
struct ResponseDraft: Error {
  var status: HTTPResponse.Status
  var headers = HTTPFields()
  var body: [UInt8]?
  /// A range of a file to send as the body, in place of ``body``.
  var file: FileStretch?

  init(_ status: HTTPResponse.Status, _ body: [UInt8]? = nil) {
    (self.status, self.body) = (status, body)
  }

  init(_ status: HTTPResponse.Status, upload: Upload) { self.init(status, upload.json) }

  /// An error: `{"error": code, "message": …}`.
  static func refusal(
    _ status: HTTPResponse.Status, _ code: String, _ message: String
  ) -> ResponseDraft {
    ResponseDraft(
      status,
      JSONWriter.bytes {
        $0.add("error", code)
        $0.add("message", message)
      })
  }

  /// 401 according to RFC 6750 §3; `isPresent` distinguishes an invalid token from a missing one.
  static func unauthorized(tokenIsPresent isPresent: Bool) -> ResponseDraft {
    var draft =
      isPresent
      ? refusal(.unauthorized, "invalid_token", "the token is expired or unknown")
      : refusal(.unauthorized, "token_required", "a bearer token is required")
    draft.headers[.wwwAuthenticate] =
      isPresent ? "Bearer realm=\"demo\", error=\"invalid_token\"" : "Bearer realm=\"demo\""
    return draft
  }

  static let uploadMissing = refusal(.notFound, "not_found", "no such upload")
  static let uploadExpired = refusal(.gone, "upload_expired", "the upload has expired")

  /// The response; `method` decides whether the body itself is sent.
  func response(date: String, method: HTTPRequest.Method) -> Response {
    var headers = headers
    headers[.date] = date
    if let file {
      headers[.contentType] = "application/octet-stream"
      headers[.contentLength] = String(file.length)
      if method != .head { return Response(status: status, headers: headers, body: file.body) }
    } else if let body {
      headers[.contentType] = "application/json"
      headers[.contentLength] = String(body.count)
      if method != .head {
        return Response(
          status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
      }
    } else if status != .noContent {
      headers[.contentLength] = "0"
    }
    var response = Response(status: status, headers: headers, body: ResponseBody())
    // A 204 has no length (RFC 9110 §8.6), and a HEAD has that of the omitted body.
    response.headers[.contentLength] = headers[.contentLength]
    return response
  }
}

extension Upload {
  var json: [UInt8] {
    JSONWriter.bytes {
      $0.add("id", id)
      $0.add("name", name)
      $0.add("size", size)
      $0.add("state", state.rawValue)
      $0.add("sha256", sha256 ?? announcedSHA256)
      $0.add("created_at", createdAt.rfc3339)
      $0.add("expires_at", expiresAt.rfc3339)
      $0.add("content_url", "/v1/uploads/\(id)/content")
      $0.add("finalized_at", finalizedAt?.rfc3339)
      $0.add("finalize_count", finalizeCount)
    }
  }
}

extension StoredFile {
  var json: [UInt8] {
    JSONWriter.bytes {
      $0.add("name", name)
      $0.add("size", size)
      $0.add("sha256", sha256)
      $0.add("stored_at", storedAt.rfc3339)
    }
  }
}

extension JSONWriter {
  static func bytes(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object(nil, body)
    return writer.bytes
  }

  mutating func add(_ name: String, _ value: String?) { if let value { string(name, value) } }
  mutating func add(_ name: String, _ value: Int?) { if let value { int(name, value) } }
}
