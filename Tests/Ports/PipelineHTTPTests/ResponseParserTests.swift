import NIOCore
import PipelineCore
import Testing

@testable import PipelineHTTP

struct ResponseParserTests {
  /// All parts of `text`, whose body parts are joined, and the rest of it.
  private func parse(
    _ text: String, method: String = "GET"
  ) throws -> (head: ResponseHead?, body: String, isOver: Bool, rest: String, isKept: Bool) {
    var parser = ResponseParser(method: method)
    var input = ByteBuffer(string: text)
    var head: ResponseHead?
    var body = ""
    var isOver = false
    while let part = try parser.next(&input) {
      switch part {
      case .interim: continue
      case .head(let found): head = found
      case .body(let bytes): body += String(buffer: bytes)
      case .end: isOver = true
      }
    }
    return (head, body, isOver, String(buffer: input), parser.isKeptAlive)
  }

  @Test(arguments: [
    ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", 200, "{}", true),
    ("GET", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n{}", 200, "{}", true),
    ("GET", "HTTP/1.1 200 OK\nContent-Length: 2\n\n{}", 200, "{}", true),
    ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\n{}", 200, "{}", true),
    (
      "GET", "HTTP/1.1 999 What\r\nContent-Length: 2\r\nConnection: x, Close\r\n\r\n{}", 999, "{}",
      false
    ),
    ("GET", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}", 200, "{}", false),
    (
      "GET", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n{}", 200, "{}",
      true
    ),
    ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", 200, "", true),
    ("GET", "HTTP/1.1 204 None\r\nContent-Length: 2\r\n\r\n", 204, "", true),
    ("GET", "HTTP/1.1 304 Same\r\nTransfer-Encoding: chunked\r\n\r\n", 304, "", true),
    ("CONNECT", "HTTP/1.1 200 Connected\r\n\r\n", 200, "", true),
    (
      "GET",
      "HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
      200, "", true
    ),
    (
      "GET",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3;a=\"b\"\r\nabc\r\n00A\r\n0123456789\r\n0\r\nX: y\r\n\r\n",
      200, "abc0123456789", true
    ),
    (
      "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 1\r\n\r\nx", 200,
      "x", true
    ),
    (
      "GET",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n1\r\nx\r\n0\r\n\r\n",
      200, "x", false
    ),
  ])
  func `a response ends at the place that its head defines`(
    _ method: String, _ text: String, _ status: Int, _ body: String, _ isKept: Bool
  ) throws {
    for excess in ["", "HTTP/1.1 200 OK\r\n", "garbage", "\r\n"] {
      let result = try parse(text + excess, method: method)
      #expect(result.head?.status == status)
      #expect(result.body == body)
      #expect(result.isOver)
      #expect(result.rest == excess)
      #expect(result.isKept == isKept)
    }
  }

  @Test(arguments: [
    "HTTP/1.1 000 No\r\n\r\n", "HTTP/1.1 099 No\r\n\r\n", "HTTP/1.1 1000 No\r\n\r\n",
    "HTTP/1.1 -20 No\r\n\r\n", "HTTP/1.1 20 No\r\n\r\n", "HTTP/1.1 +20 No\r\n\r\n",
    "HTTP/2.0 200 OK\r\n\r\n", "HTTP/1.x 200 OK\r\n\r\n", "ICY 200 OK\r\n\r\n",
    "\r\nHTTP/1.1 200 OK\r\n\r\n",
    "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1 200\tOK\r\n\r\n",
    "HTTP/1.1 101 Switch\r\nUpgrade: x\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 0x1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n",
    "HTTP/1.1 200 OK\r\n name: value\r\n\r\n", "HTTP/1.1 200 OK\r\nname : value\r\n\r\n",
    "HTTP/1.1 200 OK\r\nname\r\n\r\n", "HTTP/1.1 200 OK\r\n: value\r\n\r\n",
    "HTTP/1.1 200 OK\r\nname: a\0b\r\n\r\n", "HTTP/1.1 200 OK\r\nname: a\rb\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n",
    "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: ResponseParser.headLimit) + "\r\n\r\n",
    String(repeating: "HTTP/1.1 100 Go\r\n\r\n", count: ResponseParser.interimLimit + 1),
    String(repeating: "x", count: ResponseParser.headLimit + 1),
  ])
  func `an ambiguous response is refused`(_ text: String) {
    #expect(throws: ResponseParser.Malformed.self) { try parse(text) }
  }

  @Test func `a field keeps its value, without the space around it`() throws {
    let head = try parse(
      "HTTP/1.1 200 OK\r\nA:\t b c \t\r\nLong: one\r\n  two\r\nempty:\r\nContent-Length: 0\r\n\r\n"
    ).head
    #expect(head?.headers.map(\.name) == ["A", "Long", "empty", "Content-Length"])
    #expect(head?.headers.map(\.value) == ["b c", "one two", "", "0"])
  }

  @Test func `a response that ends with its connection does not end earlier`() throws {
    let result = try parse("HTTP/1.1 200 OK\r\n\r\nabc")
    #expect(result.body == "abc")
    #expect(!result.isOver)
    #expect(!result.isKept)
  }
}
