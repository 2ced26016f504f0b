/// Parses a `multipart/form-data` body as it arrives (RFC 7578, RFC 2046 §5.1); only a possible start of a delimiter is held back.
struct MultipartReader {
  enum Event: Equatable {
    case field(name: String, value: String)
    case fileBegan(fileName: String?)
    case fileBytes(ByteBuffer)
    case fileEnded
  }

  enum Malformed: Error, Equatable {
    case headerTooLarge, fieldTooLarge, header, delimiter, secondFile, cut
  }

  private enum State {
    case preamble
    /// After a delimiter: a line end or the closing `--` follows.
    case afterDelimiter
    case headers
    case field(name: String, value: [UInt8])
    case file, epilogue
  }

  private static let headerLimit = 16 * 1024
  private static let fieldLimit = 64 * 1024
  private var state = State.preamble
  private var buffer = ByteBuffer()
  private let delimiter: [UInt8]
  private var hasFile = false

  init(boundary: String) {
    delimiter = Array("\r\n--\(boundary)".utf8)
    // The first delimiter has no line end before it, so one is added.
    buffer.writeString("\r\n")
  }

  /// The boundary of a `Content-Type`, or nil if it is not a multipart form.
  static func boundary(ofContentType value: String) -> String? {
    guard value.prefix(while: { $0 != ";" }).trimmed.lowercased() == "multipart/form-data",
      let boundary = HeaderParameters.parse(value)["boundary"]
    else { return nil }
    return boundary.isEmpty || boundary.utf8.count > 200 ? nil : boundary
  }

  mutating func read(_ bytes: ByteBuffer) throws(Malformed) -> [Event] {
    var bytes = bytes
    buffer.discardReadBytes()
    buffer.writeBuffer(&bytes)
    var events: [Event] = []
    while try step(&events) {}
    return events
  }

  func finish() throws(Malformed) { guard case .epilogue = state else { throw .cut } }

  /// Proceeds as far as one state allows; returns false if more bytes are needed.
  private mutating func step(_ events: inout [Event]) throws(Malformed) -> Bool {
    switch state {
    case .preamble:
      guard skipToDelimiter() else { return false }
      state = .afterDelimiter
      return true
    case .afterDelimiter: return try readDelimiterEnd()
    case .headers: return try readHeaders(&events)
    case .field(let name, let value): return try readField(name, value, &events)
    case .file: return readFile(&events)
    case .epilogue:
      buffer.clear()
      return false
    }
  }

  private mutating func skipToDelimiter() -> Bool {
    if let found = delimiterOffset() {
      buffer.moveReaderIndex(forwardBy: found + delimiter.count)
      return true
    }
    buffer.moveReaderIndex(forwardBy: safeLength)
    return false
  }

  private mutating func readDelimiterEnd() throws(Malformed) -> Bool {
    guard let pair = buffer.getBytes(at: buffer.readerIndex, length: 2) else { return false }
    if pair == Array("--".utf8) {
      state = .epilogue
      return true
    }
    // Blanks may follow the boundary on its line (RFC 2046: transport padding).
    if pair[0] == UInt8(ascii: " ") || pair[0] == UInt8(ascii: "\t") {
      buffer.moveReaderIndex(forwardBy: 1)
      return true
    }
    guard pair == [0x0D, 0x0A] else { throw .delimiter }
    // The line end stays: a part without headers starts with the blank line.
    state = .headers
    return true
  }

  private mutating func readHeaders(_ events: inout [Event]) throws(Malformed) -> Bool {
    let view = buffer.readableBytesView
    guard let end = Self.offset(of: Array("\r\n\r\n".utf8), in: view) else {
      if view.count > Self.headerLimit { throw .headerTooLarge }
      return false
    }
    let text = String(decoding: view.prefix(end), as: UTF8.self)
    buffer.moveReaderIndex(forwardBy: end + 4)
    guard let disposition = Self.disposition(in: text), let name = disposition["name"] else {
      throw .header
    }
    if disposition["filename"] != nil || name == "file" {
      guard !hasFile else { throw .secondFile }
      hasFile = true
      events.append(.fileBegan(fileName: disposition["filename"]))
      state = .file
    } else {
      state = .field(name: name, value: [])
    }
    return true
  }

  private mutating func readField(
    _ name: String, _ value: [UInt8], _ events: inout [Event]
  ) throws(Malformed) -> Bool {
    let found = delimiterOffset()
    let value = value + (buffer.readBytes(length: found ?? safeLength) ?? [])
    guard value.count <= Self.fieldLimit else { throw .fieldTooLarge }
    guard found != nil else {
      state = .field(name: name, value: value)
      return false
    }
    buffer.moveReaderIndex(forwardBy: delimiter.count)
    events.append(.field(name: name, value: String(decoding: value, as: UTF8.self)))
    state = .afterDelimiter
    return true
  }

  private mutating func readFile(_ events: inout [Event]) -> Bool {
    let found = delimiterOffset()
    let length = found ?? safeLength
    if length > 0, let bytes = buffer.readSlice(length: length) { events.append(.fileBytes(bytes)) }
    guard found != nil else { return false }
    buffer.moveReaderIndex(forwardBy: delimiter.count)
    events.append(.fileEnded)
    state = .afterDelimiter
    return true
  }

  /// The bytes that cannot be the start of a delimiter.
  private var safeLength: Int { max(0, buffer.readableBytes - delimiter.count + 1) }

  private func delimiterOffset() -> Int? {
    Self.offset(of: delimiter, in: buffer.readableBytesView)
  }

  private static func offset(of pattern: [UInt8], in view: ByteBufferView) -> Int? {
    view.withUnsafeBytes { bytes in
      pattern.withUnsafeBytes { ByteSearch.firstOffset(of: $0, in: bytes) }
    }
  }

  private static func disposition(in headers: String) -> [String: String]? {
    for line in headers.split(separator: "\r\n") {
      let pair = line.split(separator: ":", maxSplits: 1)
      guard pair.count == 2, pair[0].trimmed.lowercased() == "content-disposition" else { continue }
      return HeaderParameters.parse(String(pair[1]))
    }
    return nil
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = self
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }
}
