import Crypto

struct ReceivedContent: Sendable {
  let sha256: String
  let size: Int
  let fields: [String: String]
  let body: IncomingBody?
}

enum BodyFailure: Error {
  /// The client went away, or the server simulates a network failure.
  case interrupted
  case malformed(MultipartReader.Malformed)
  case fileMissing
  case storage(any Error)
}

/// Reads a request's content piece by piece: hashes it, stores it, parses a form.
struct BodyReceiver {
  let store: BodyStore
  let bytesPerSecond: Int?
  /// The connection is to be cut after this many bytes of the body.
  let cut: Int?

  private struct Progress {
    var hash = SHA256()
    var size = 0
    var fields: [String: String] = [:]
    var hasFile = false
  }

  func receive(_ request: Request) async throws(BodyFailure) -> ReceivedContent {
    let form = MultipartReader.boundary(ofContentType: request.headers[.contentType] ?? "").map {
      MultipartReader(boundary: $0)
    }
    let body: IncomingBody?
    do { body = try await store.beginBody() } catch { throw .storage(error) }
    do throws(BodyFailure) {
      let progress = try await consume(request, form: form, into: body)
      return ReceivedContent(
        sha256: progress.hash.finalize().hexadecimal, size: progress.size, fields: progress.fields,
        body: body)
    } catch {
      await body?.discard()
      throw error
    }
  }

  private func consume(
    _ request: Request, form: MultipartReader?, into body: IncomingBody?
  ) async throws(BodyFailure) -> Progress {
    var form = form
    var progress = Progress()
    var arrived = 0
    var source = request.body.makeAsyncIterator()
    while let piece = try await next(&source) {
      arrived += piece.readableBytes
      if let cut, arrived >= cut { throw .interrupted }
      await pace(piece.readableBytes)
      if form != nil {
        try await take(piece, from: &form, into: body, &progress)
      } else {
        try await keep(piece, in: body, &progress)
      }
    }
    // A cut at the very end of the body: the server has received everything but does not act on it.
    if cut != nil { throw .interrupted }
    if let announced = request.headers[.contentLength].flatMap({ Int($0) }), arrived < announced {
      throw .interrupted
    }
    if let form {
      do { try form.finish() } catch { throw .malformed(error) }
      guard progress.hasFile else { throw .fileMissing }
    }
    return progress
  }

  private func next(
    _ source: inout RequestBody.AsyncIterator
  ) async throws(BodyFailure) -> ByteBuffer? {
    do { return try await source.next() } catch { throw .interrupted }
  }

  private func take(
    _ piece: ByteBuffer, from form: inout MultipartReader?, into body: IncomingBody?,
    _ progress: inout Progress
  ) async throws(BodyFailure) {
    let events: [MultipartReader.Event]
    do { events = try form?.read(piece) ?? [] } catch { throw .malformed(error) }
    for event in events {
      switch event {
      case .field(let name, let value): progress.fields[name] = value
      case .fileBegan: progress.hasFile = true
      case .fileBytes(let bytes): try await keep(bytes, in: body, &progress)
      case .fileEnded: break
      }
    }
  }

  private func keep(
    _ bytes: ByteBuffer, in body: IncomingBody?, _ progress: inout Progress
  ) async throws(BodyFailure) {
    progress.size += bytes.readableBytes
    bytes.withUnsafeReadableBytes { progress.hash.update(bufferPointer: $0) }
    do { try await body?.write(bytes) } catch { throw .storage(error) }
  }

  private func pace(_ count: Int) async {
    guard let bytesPerSecond, bytesPerSecond > 0 else { return }
    // An interrupted wait means that the server is stopping; the next read reports it.
    try? await Task.sleep(for: .seconds(Double(count) / Double(bytesPerSecond)))
  }
}

extension SHA256Digest { var hexadecimal: String { Hexadecimal.text(self) } }
