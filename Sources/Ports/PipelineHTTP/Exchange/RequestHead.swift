import NIOCore

/// The head of a request, as it is sent (RFC 9112 §3).
enum RequestHead {
  /// Fields for the framing of the message are always written here.
  private static let framing: Set<String> = ["content-length", "transfer-encoding", "host"]

  /// Methods that do not define a body, so that without one there is no length field (RFC 9110 §8.6).
  private static let methodsWithoutBody: Set<String> = [
    "GET", "HEAD", "DELETE", "OPTIONS", "TRACE",
  ]

  static func checked(
    _ headers: [Response.Header], defaults: KeyValuePairs<String, String?> = [:]
  ) throws(TransportFailure) -> [Response.Header] {
    var checked: [Response.Header] = []
    checked.reserveCapacity(headers.count + 1)
    for header in headers {
      // A line break in a value would start another header, or another request.
      guard !header.name.isEmpty, header.name.utf8.allSatisfy(\.isTokenPart),
        header.value.utf8.allSatisfy(isValueByte)
      else {
        throw TransportFailure(
          .badURL, message: "a header has a name or a value that HTTP does not allow")
      }
      checked.append(header)
    }
    for (name, value) in defaults {
      guard let value, !headers.contains(where: { $0.name.lowercased() == name.lowercased() })
      else { continue }
      checked.append(.init(name: name, value: value))
    }
    return checked
  }

  /// The bytes of a head.
  ///
  /// - Parameters:
  ///   - length: The size of the body in bytes, sent whenever the method may have one.
  ///   - trailers: Names of the fields after the body, which is then sent in chunks; `nil` for a body of known length.
  ///   - proxy: The proxy that forwards the request, and receives the whole URL (RFC 9112 §3.2.2).
  ///   - isLast: Whether to ask the server to close the connection after its response.
  static func encode(
    method: String, address: Address, headers: [Response.Header], length: Int64,
    trailers: [String]? = nil, proxy: ProxySettings.Proxy? = nil, isLast: Bool
  ) -> ByteBuffer {
    var bytes = ByteBuffer()
    let start = proxy == nil ? "" : "http://\(address.authority)"
    bytes.writeString("\(method) \(start)\(address.target) HTTP/1.1\r\n")
    bytes.writeString(proxy?.authorization ?? "")
    let host = headers.first { $0.name.lowercased() == "host" }?.value ?? address.authority
    bytes.writeString("Host: \(host)\r\n")
    for header in headers where !framing.contains(header.name.lowercased()) {
      bytes.writeString("\(header.name): \(header.value)\r\n")
    }
    if let trailers {
      // RFC 9112 §6.1 forbids a length in addition; RFC 9110 §6.6.2 announces the fields.
      bytes.writeString("Transfer-Encoding: chunked\r\n")
      bytes.writeString("Trailer: \(trailers.joined(separator: ", "))\r\n")
    } else if length > 0 || !methodsWithoutBody.contains(method) {
      bytes.writeString("Content-Length: \(length)\r\n")
    }
    if isLast, !headers.contains(where: { $0.name.lowercased() == "connection" }) {
      bytes.writeString("Connection: close\r\n")
    }
    bytes.writeString("\r\n")
    return bytes
  }

  /// A byte of a field's value (RFC 9110 §5.5).
  private static func isValueByte(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == 0x09
  }
}
