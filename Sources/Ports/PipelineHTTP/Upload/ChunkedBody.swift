import NIOCore

/// A body in chunks with fields after it (RFC 9112 §7.1), whose digests are computed as it is sent.
struct ChunkedBody {
  let trailers: [RenderedTrailer]
  var digester: (any BodyDigester)?

  var names: [String] { trailers.map(\.name) }

  /// A piece of the body as a chunk; an empty piece stays empty, because an empty chunk would end the body.
  mutating func chunk(_ bytes: ByteBuffer) -> ByteBuffer {
    guard bytes.readableBytes > 0 else { return bytes }
    bytes.withUnsafeReadableBytes { digester?.add($0) }
    var chunk = ByteBuffer()
    chunk.reserveCapacity(bytes.readableBytes + 20)
    chunk.writeString(String(bytes.readableBytes, radix: 16))
    chunk.writeString("\r\n")
    chunk.writeImmutableBuffer(bytes)
    chunk.writeString("\r\n")
    return chunk
  }

  /// The end of the body, with the fields.
  func end() throws(TransportFailure) -> ByteBuffer {
    let digests = digester?.digests() ?? [:]
    var bytes = ByteBuffer(string: "0\r\n")
    for header in try RequestHead.checked(trailers.map { $0.header(digests) }) {
      bytes.writeString("\(header.name): \(header.value)\r\n")
    }
    bytes.writeString("\r\n")
    return bytes
  }

  /// The form of a request's body; `nil` if it has no trailers.
  static func of(
    _ request: RenderedRequest, _ configuration: HTTPTransportConfiguration
  ) throws(TransportFailure) -> ChunkedBody? {
    guard !request.trailers.isEmpty else { return nil }
    let wanted = Set(request.trailers.flatMap(\.digests))
    let algorithms = DigestAlgorithm.allCases.filter(wanted.contains)
    if !algorithms.isEmpty, configuration.digester == nil {
      throw TransportFailure(
        .badURL, message: "this program does not compute digests of a body that it sends")
    }
    let body = ChunkedBody(
      trailers: request.trailers,
      digester: algorithms.isEmpty ? nil : configuration.digester?(algorithms))
    // What cannot be sent is known before a byte is.
    _ = try body.end()
    return body
  }
}
