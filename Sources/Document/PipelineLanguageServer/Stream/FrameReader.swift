/// Splits a stream of bytes into the bodies of messages (LSP 3.17 "Base Protocol").
///
/// It skips a body that is too long, and a broken header up to the next length field, so that the stream can continue.
public struct FrameReader: Sendable {
  /// An item of the stream.
  public enum Frame: Hashable, Sendable {
    case body([UInt8])
    case broken(String)
  }

  /// The longest body that is read, in bytes.
  public static let maximumBody = 32 << 20
  /// The longest header that is read, in bytes.
  public static let maximumHeader = 4096
  private var buffer: [UInt8] = []
  private var position = 0
  private var skipping = 0
  private var isLost = false

  /// Starts at the first byte of a stream.
  public init() {}

  /// Receives the next bytes of the stream.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    var bytes = bytes[...]
    if skipping > 0 {
      let skipped = min(skipping, bytes.count)
      skipping -= skipped
      bytes = bytes.dropFirst(skipped)
    }
    if position > 1 << 16, position * 2 > buffer.count {
      buffer.removeFirst(position)
      position = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next message; `nil` if more bytes are needed first.
  public mutating func next() -> Frame? {
    while true {
      guard let end = headerEnd() else { return unfinished() }
      let header = String(decoding: buffer[position..<end.lowerBound], as: UTF8.self)
      let wasLost = isLost
      switch Self.length(in: header) {
      case .failure(let problem):
        // The body of a message with a broken header runs into the header of the next message.
        position = lastLengthField(in: position..<end.lowerBound) ?? end.upperBound
        isLost = false
        if wasLost { continue }
        return .broken(problem.message)
      case .success(let length) where length > Self.maximumBody:
        let present = min(length, buffer.count - end.upperBound)
        position = end.upperBound + present
        skipping = length - present
        isLost = false
        return .broken("a message of \(length) bytes is longer than \(Self.maximumBody)")
      case .success(let length):
        guard buffer.count - end.upperBound >= length else { return nil }
        let start = end.upperBound
        position = start + length
        isLost = false
        return .body(Array(buffer[start..<position]))
      }
    }
  }

  /// An unterminated header is dropped once it is too long.
  private mutating func unfinished() -> Frame? {
    guard buffer.count - position > Self.maximumHeader else { return nil }
    // Bytes that may start the empty line are kept.
    position = buffer.count - 3
    defer { isLost = true }
    return isLost ? nil : .broken("a header is longer than \(Self.maximumHeader) bytes")
  }

  private func headerEnd() -> Range<Int>? {
    var index = position
    while index + 3 < buffer.count {
      if buffer[index] == 0x0D, buffer[index + 1] == 0x0A, buffer[index + 2] == 0x0D,
        buffer[index + 3] == 0x0A
      {
        return index..<(index + 4)
      }
      index += 1
    }
    return nil
  }

  /// The position of the last `Content-Length:` in a broken header, if it is not at the start of a line.
  private func lastLengthField(in header: Range<Int>) -> Int? {
    let name = Array("content-length:".utf8)
    var start = header.upperBound - name.count
    while start > header.lowerBound {
      if zip(name, buffer[start...]).allSatisfy({ $0 == $1 | 0x20 || $0 == $1 }) {
        return buffer[start - 1] == 0x0A ? nil : start
      }
      start -= 1
    }
    return nil
  }

  private struct Problem: Error { let message: String }

  /// The value of `Content-Length` (RFC 9110 §8.6: digits only); names are case-insensitive.
  private static func length(in header: String) -> Result<Int, Problem> {
    var length: Int?
    // Swift treats a carriage return and line feed as one character.
    for line in header.split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":")
      else { return .failure(Problem(message: "a header field has no ':'")) }
      guard line[..<colon].lowercased() == "content-length" else { continue }
      let digits = line[line.index(after: colon)...].filter { $0 != " " && $0 != "\t" }
      guard let number = Int(digits), number >= 0,
        digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
      else { return .failure(Problem(message: "'Content-Length' is not a number of bytes")) }
      guard length == nil || length == number
      else { return .failure(Problem(message: "duplicate 'Content-Length'")) }
      length = number
    }
    return length.map(Result.success)
      ?? .failure(Problem(message: "a message has no 'Content-Length'"))
  }

  /// A body with its header.
  public static func frame(_ body: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }
}
