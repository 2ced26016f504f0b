import NIOPosix

struct FileStretch: Sendable {
  let path: String
  let offset, length: Int
  private static let chunk = 256 * 1024

  /// The bytes, read piece by piece while they are sent.
  var body: ResponseBody {
    ResponseBody(contentLength: length) { writer in
      var position = offset
      let end = offset + length
      while position < end {
        let bytes = try await read(at: position, count: min(Self.chunk, end - position))
        try await writer.write(bytes)
        position += bytes.readableBytes
      }
      try await writer.finish(nil)
    }
  }

  private func read(at position: Int, count: Int) async throws -> ByteBuffer {
    try await NIOThreadPool.singleton.runIfActive {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw DemoServerError("cannot open a body file", errno) }
      defer { close(descriptor) }
      var buffer = ByteBufferAllocator().buffer(capacity: count)
      let got = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
        max(0, pread(descriptor, space.baseAddress, count, off_t(position)))
      }
      guard got > 0 else { throw DemoServerError("cannot read a body file", errno) }
      return buffer
    }
  }
}

extension RequestResponder {
  /// Sends the content of an upload, whole or from an offset (RFC 9110 §14).
  ///
  /// Its entity tag is its digest, so that a client can check whether the rest matches its part.
  func sendContent(
    of id: String, _ exchange: inout RequestContext
  ) throws(ResponseDraft) -> ResponseDraft {
    let upload = try upload(id, &exchange)
    exchange.entry.event = .download
    guard upload.state != .allocated, let sha256 = upload.sha256,
      let path = store.uploadPath(id: id)
    else { return .refusal(.notFound, "no_content", "the upload's content is not stored") }
    return send(path, of: upload.size, tag: "\"\(sha256)\"", exchange.request)
  }

  private func send(_ path: String, of size: Int, tag: String, _ request: Request) -> ResponseDraft
  {
    var draft = ResponseDraft(.ok)
    draft.headers[.eTag] = tag
    draft.headers[.acceptRanges] = "bytes"
    var stretch = FileStretch(path: path, offset: 0, length: size)
    let isCurrent = request.headers[.ifRange].map { $0 == tag } ?? true
    if isCurrent, let range = request.headers[.range].flatMap(Self.range) {
      guard range.first < size else {
        var refusal = ResponseDraft.refusal(
          .rangeNotSatisfiable, "range", "the content has \(size) bytes")
        refusal.headers[.contentRange] = "bytes */\(size)"
        return refusal
      }
      let last = min(range.last ?? size - 1, size - 1)
      draft.status = .partialContent
      draft.headers[.contentRange] = "bytes \(range.first)-\(last)/\(size)"
      stretch = FileStretch(path: path, offset: range.first, length: last - range.first + 1)
    }
    draft.file = stretch
    return draft
  }

  /// A single range from an offset on; any other form is ignored, as RFC 9110 §14.2 allows.
  private static func range(_ text: String) -> (first: Int, last: Int?)? {
    guard text.hasPrefix("bytes=") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int(ends[0]), first >= 0 else { return nil }
    guard !ends[1].isEmpty else { return (first, nil) }
    guard let last = Int(ends[1]), last >= first else { return nil }
    return (first, last)
  }
}
