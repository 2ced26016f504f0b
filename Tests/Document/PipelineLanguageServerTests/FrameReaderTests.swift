import PipelineLanguageServer
import Testing

struct FrameReaderTests {
  private static func frames(_ bytes: [UInt8], pieces: [Int]) -> [FrameReader.Frame] {
    var reader = FrameReader()
    var frames: [FrameReader.Frame] = []
    var rest = bytes[...]
    for piece in pieces + [bytes.count] {
      reader.append(rest.prefix(piece))
      rest = rest.dropFirst(piece)
      while let frame = reader.next() { frames.append(frame) }
    }
    return frames
  }

  private static func frames(_ text: String) -> [FrameReader.Frame] {
    frames(Array(text.utf8), pieces: [])
  }

  private static func body(_ text: String) -> FrameReader.Frame { .body(Array(text.utf8)) }

  @Test func `bodies are complete wherever the stream is cut`() {
    let bytes =
      FrameReader.frame(Array("{\"é\":1}".utf8)) + FrameReader.frame([])
      + FrameReader.frame(Array("[2]".utf8))
    let expected = [Self.body("{\"é\":1}"), Self.body(""), Self.body("[2]")]
    #expect(Self.frames(bytes, pieces: []) == expected)
    for size in 1...bytes.count {
      #expect(
        Self.frames(bytes, pieces: Array(repeating: size, count: bytes.count / size)) == expected)
    }
  }

  @Test func `other fields and letter case do not matter`() {
    let text =
      "content-type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:  2 \r\n\r\n{}"
    #expect(Self.frames(text) == [Self.body("{}")])
  }

  @Test(arguments: [
    "Content-Length: x\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: +1\r\n\r\n",
    "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length:\r\n\r\n", "\r\n\r\n",
    "Content-Type: a\r\n\r\n", "no field\r\n\r\n", "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
  ])
  func `a broken header is reported once, and the next message is read`(_ header: String) {
    let frames = Self.frames(header + "Content-Length: 2\r\n\r\n{}")
    #expect(frames.count == 2, "\(frames)")
    #expect(frames.last == Self.body("{}"))
    if case .broken? = frames.first {} else { Issue.record("\(frames)") }
  }

  @Test func `the body after a broken header is skipped`() {
    let text =
      "Content-Len: 10\r\n\r\n{\"a\": 100}Content-Length: 2\r\n\r\n{}Content-Length: 2\r\n\r\n[]"
    let frames = Self.frames(text)
    #expect(frames.suffix(2) == [Self.body("{}"), Self.body("[]")])
    #expect(frames.count <= 4)
  }

  @Test func `a body that is too long is passed over`() {
    var reader = FrameReader()
    let length = FrameReader.maximumBody + 1
    reader.append(Array("Content-Length: \(length)\r\n\r\n".utf8))
    guard case .broken? = reader.next() else {
      Issue.record("the length is refused")
      return
    }
    let piece = [UInt8](repeating: 0x20, count: 1 << 20)
    for _ in 0..<(length / piece.count) {
      reader.append(piece)
      #expect(reader.next() == nil)
    }
    reader.append(Array(" Content-Length: 2\r\n\r\n{}".utf8))
    #expect(reader.next() == Self.body("{}"))
  }

  @Test func `an endless header is dropped, and the stream continues`() {
    let noise = String(repeating: "noise", count: 10_000)
    let frames = Self.frames(
      Array((noise + "\r\n\r\nContent-Length: 2\r\n\r\n{}").utf8),
      pieces: Array(repeating: 100, count: 100))
    #expect(frames.last == Self.body("{}"))
    #expect(frames.count == 2)
  }
}
