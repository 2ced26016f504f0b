import NIOCore

/// Reads one response from a connection (RFC 9112), and not a byte beyond it.
///
/// Strict: ambiguous data is not a response. It is lenient only where the RFC allows it: a line
/// may end with only LF (§2.2), a field may be folded (§5.2), and the reason phrase may be missing.
struct ResponseParser {
  enum Part: Equatable {
    /// An informational response; the final one follows.
    case interim
    case head(ResponseHead)
    case body(ByteBuffer)
    case end
  }

  struct Malformed: Error, Hashable {
    /// The problem, for the user; contains nothing that the server sent.
    let reason: String
  }

  /// Maximum size in bytes of a head, or of the trailers of a body.
  static let headLimit = 64 * 1024
  /// Maximum number of informational responses before the final one.
  static let interimLimit = 100
  private static let chunkLineLimit = 4096

  private enum State {
    case statusLine, fields
    case counted(Int64)
    case chunkSize
    case chunk(Int64)
    case chunkEnd, trailers, untilClose, complete, over
  }

  /// Whether the method's responses have no body: `HEAD`, or `CONNECT` if it succeeds.
  private let method: String
  private var state = State.statusLine
  private var head = ResponseHead(status: 0)
  private var minor = 1
  private var interims = 0
  private var sectionBytes = 0
  private var searched = 0

  /// Whether the connection may carry another exchange after this one; known after the head.
  private(set) var isKeptAlive = false

  init(method: String) { self.method = method }

  var endsAtClose: Bool { if case .untilClose = state { true } else { false } }

  /// Consumes the next part of `input`; `nil` if more bytes are needed, and after the end.
  mutating func next(_ input: inout ByteBuffer) throws(Malformed) -> Part? {
    while true {
      switch state {
      case .statusLine:
        guard let line = try section(&input) else { return nil }
        try readStatus(line)
        state = .fields
      case .fields:
        guard let line = try section(&input) else { return nil }
        if line.isEmpty { return try endOfHead() }
        try readField(line)
      case .counted(let rest):
        guard let part = take(rest, &input) else { return nil }
        let left = rest - Int64(part.readableBytes)
        state = left == 0 ? .complete : .counted(left)
        return .body(part)
      case .chunkSize:
        guard let line = try line(&input, limit: Self.chunkLineLimit) else { return nil }
        let size = try Self.chunkSize(line)
        sectionBytes = 0
        state = size == 0 ? .trailers : .chunk(size)
      case .chunk(let rest):
        guard let part = take(rest, &input) else { return nil }
        let left = rest - Int64(part.readableBytes)
        state = left == 0 ? .chunkEnd : .chunk(left)
        return .body(part)
      case .chunkEnd:
        guard let line = try line(&input, limit: 2) else { return nil }
        guard line.isEmpty
        else { throw Malformed(reason: "a chunk is longer than its declared size") }
        state = .chunkSize
      case .trailers:
        guard let line = try section(&input) else { return nil }
        if line.isEmpty { state = .complete } else { try checkTrailer(line) }
      case .untilClose:
        guard let part = take(.max, &input) else { return nil }
        return .body(part)
      case .complete:
        state = .over
        return .end
      case .over: return nil
      }
    }
  }

  /// A line of a head or of trailers, which have a size limit as a whole.
  private mutating func section(_ input: inout ByteBuffer) throws(Malformed) -> [UInt8]? {
    let before = input.readableBytes
    let line = try line(&input, limit: Self.headLimit - sectionBytes)
    sectionBytes += before - input.readableBytes
    return line
  }

  /// The next line without its end; `nil` if it is incomplete.
  private mutating func line(_ input: inout ByteBuffer, limit: Int) throws(Malformed) -> [UInt8]? {
    let start = searched
    let end = input.withUnsafeReadableBytes { bytes in
      bytes[min(start, bytes.count)...].firstIndex(of: UInt8(ascii: "\n"))
    }
    guard let end, end < limit else {
      guard end == nil, input.readableBytes < limit
      else { throw Malformed(reason: "a line, or the whole head, is too long") }
      searched = input.readableBytes
      return nil
    }
    searched = 0
    var line = input.readBytes(length: end + 1) ?? []
    line.removeLast()
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard !line.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") })
    else { throw Malformed(reason: "a line contains a byte that HTTP does not allow") }
    return line
  }

  private func take(_ limit: Int64, _ input: inout ByteBuffer) -> ByteBuffer? {
    let count = Int(min(limit, Int64(input.readableBytes)))
    return count == 0 ? nil : input.readSlice(length: count)
  }

  /// `HTTP/1.x status [reason]` (RFC 9112 §4).
  private mutating func readStatus(_ line: [UInt8]) throws(Malformed) {
    let prefix = Array("HTTP/1.".utf8)
    guard line.count >= 12, line.starts(with: prefix), let version = Self.digit(line[7]),
      line[8] == UInt8(ascii: " "), line.count == 12 || line[12] == UInt8(ascii: " ")
    else { throw Malformed(reason: "it does not start with an HTTP/1 status line") }
    var status = 0
    for byte in line[9..<12] {
      guard let digit = Self.digit(byte)
      else { throw Malformed(reason: "its status is not a number of three digits") }
      status = status * 10 + digit
    }
    guard status >= 100
    else { throw Malformed(reason: "its status \(status) is not valid in HTTP") }
    minor = version
    head = ResponseHead(status: status)
  }

  /// `name: value` (RFC 9112 §5).
  private mutating func readField(_ line: [UInt8]) throws(Malformed) {
    if isSpace(line[0]) {
      guard let last = head.headers.popLast()
      else { throw Malformed(reason: "a header field has no name") }
      let more = Self.text(Self.trimmed(line[...]))
      head.headers.append(.init(name: last.name, value: last.value + " " + more))
      return
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      line[..<colon].allSatisfy(\.isTokenPart)
    else { throw Malformed(reason: "a header field has an invalid name") }
    head.headers.append(
      .init(name: Self.text(line[..<colon]), value: Self.text(Self.trimmed(line[(colon + 1)...]))))
  }

  private func checkTrailer(_ line: [UInt8]) throws(Malformed) {
    guard isSpace(line[0]) || line.contains(UInt8(ascii: ":"))
    else { throw Malformed(reason: "a trailer field has no name") }
  }

  private mutating func endOfHead() throws(Malformed) -> Part {
    sectionBytes = 0
    if head.status < 200 {
      guard head.status != 101
      else { throw Malformed(reason: "it switches to another protocol without being asked") }
      interims += 1
      guard interims <= Self.interimLimit else {
        throw Malformed(reason: "more than \(Self.interimLimit) informational responses came first")
      }
      state = .statusLine
      return .interim
    }
    let connection = head.list("connection")
    isKeptAlive = !connection.contains("close") && (minor >= 1 || connection.contains("keep-alive"))
    state = try framing()
    return .head(head)
  }

  /// The length of the body (RFC 9112 §6.3).
  private mutating func framing() throws(Malformed) -> State {
    guard Response.hasBody(head.status, to: method) else { return .complete }
    let lengths = Set(head.list("content-length"))
    let codings = head.list("transfer-encoding").filter { $0 != "identity" }
    if !codings.isEmpty {
      guard codings == ["chunked"]
      else { throw Malformed(reason: "its body has a transfer coding that was not requested") }
      // A response with both may have been misread by an intermediary.
      if !lengths.isEmpty || minor == 0 { isKeptAlive = false }
      return .chunkSize
    }
    guard let text = lengths.first else {
      guard head.first("content-length") == nil
      else { throw Malformed(reason: "its length is not a number") }
      isKeptAlive = false
      return .untilClose
    }
    guard lengths.count == 1 else { throw Malformed(reason: "it has two different lengths") }
    guard text.utf8.allSatisfy({ Self.digit($0) != nil }), let length = Int64(text)
    else { throw Malformed(reason: "its length is not a number") }
    return length == 0 ? .complete : .counted(length)
  }

  /// `size[;extensions]`, the size in hexadecimal digits (RFC 9112 §7.1).
  private static func chunkSize(_ line: [UInt8]) throws(Malformed) -> Int64 {
    let digits = trimmed(line.prefix { $0 != UInt8(ascii: ";") })
    guard (1...15).contains(digits.count)
    else { throw Malformed(reason: "a chunk has no valid size") }
    var size: Int64 = 0
    for byte in digits {
      guard let digit = Hexadecimal.value(byte)
      else { throw Malformed(reason: "a chunk has no valid size") }
      size = size << 4 | Int64(digit)
    }
    return size
  }

  private static func digit(_ byte: UInt8) -> Int? {
    byte.isDigit ? Int(byte - UInt8(ascii: "0")) : nil
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop(while: isSpace)
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return bytes
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}

private func isSpace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}

struct ResponseHead: Hashable, Sendable {
  /// 200 to 999.
  var status: Int
  /// Fields in order, with names as the server wrote them.
  var headers: [Response.Header] = []

  /// The value of the first field called `name`, which is in lower case.
  func first(_ name: String) -> String? {
    headers.first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }?.value
  }

  /// Elements of all fields called `name` (RFC 9110 §5.6.1), in lower case.
  func list(_ name: String) -> [Substring] {
    var elements: [Substring] = []
    for header in headers where header.name.lowercased() == name {
      elements += header.value.lowercased().split(separator: ",").map(\.trimmed)
    }
    return elements
  }
}

extension Substring {
  /// The text without blanks and tabs around it.
  var trimmed: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
