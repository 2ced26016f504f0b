import NIOCore
import PipelineCore
import Testing

@testable import PipelineHTTP

struct ContentCodingTests {
  private static let gzip = "1f8b0800000000000203ab56ca4c51b2522a3554aa0500bacac1ef0b000000"

  /// 60,000 zeros.
  private static let bomb =
    "1f8b0800000000000203edc13101000000c2a0f54f6d0d0fa0000000000000000000000000000000"
    + "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
    + "000000be0c05aa275160ea0000"

  private func answer(
    to method: String = "GET", _ coding: String, _ bytes: [UInt8], status: Int = 200,
    limit: Int = 1000
  ) async throws -> Response {
    try await RawServer.run({
      _ = try await $0.readHead()
      try await $0.write(
        "HTTP/1.1 \(status) X\r\nContent-Encoding: \(coding)\r\nContent-Length: \(bytes.count)\r\n\r\n"
      )
      if method != "HEAD" { try await $0.write(bytes: bytes) }
      _ = await $0.readToEnd()
    }) { server in
      let request = RenderedRequest(method: method, url: "http://127.0.0.1:\(server.port)/")
      let response = try await withTransport({ $0.maxResponseBytes = limit }) {
        await $0.send(request)
      }
      #expect(server.heads.allSatisfy { $0.contains("\r\nAccept-Encoding: identity") })
      return response
    }
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.count, by: 2).map {
      UInt8(hex.dropFirst($0).prefix(2), radix: 16) ?? 0
    }
  }

  @Test(arguments: [
    ("gzip", gzip), ("X-GZip", gzip), ("gzip, identity", gzip),
    ("deflate", "789cab56ca4c51b2522a3554aa05001395032e"),
    ("deflate", "ab56ca4c51b2522a3554aa0500"), ("identity", "7b226964223a227531227d"),
  ])
  func `a body that was coded without being asked for is decoded`(
    _ coding: String, _ hex: String
  ) async throws {
    let response = try await answer(coding, Self.bytes(hex))
    #expect(String(decoding: response.body, as: UTF8.self) == #"{"id":"u1"}"#)
    #expect(response.damage == nil)
    #expect(response.header("content-encoding") == nil)
  }

  @Test func `members of a gzip body follow each other`() async throws {
    let response = try await answer("gzip", Self.bytes(Self.gzip + Self.gzip))
    #expect(response.body.count == 22)
  }

  @Test(arguments: [
    ("gzip", String(gzip.prefix(40)), "byte 20: the gzip data is not complete"),
    ("gzip", "7b7d", "byte 2: the gzip data is damaged"),
    ("gzip", gzip + "00", "byte 32: the gzip data is not complete"),
    ("gzip", gzip.replacing("ef0b", with: "ee0b"), "the gzip data is damaged"),
    ("deflate", "ab56ca4c51b2522a3554aa050000", "byte 13: the deflate data ends before here"),
    ("br", "7b7d", "byte 0: the content coding 'br' was not requested"),
    ("a,b,c,d,e", "7b7d", "byte 0: more than 4 content codings"),
    ("gzip, deflate", "0300", "byte 0: the gzip data is not complete"),
  ])
  func `a damaged body keeps its status, and reports the problem with its place`(
    _ coding: String, _ hex: String, _ damage: String
  ) async throws {
    let response = try await answer(coding, Self.bytes(hex), status: 404)
    #expect(response.status == 404)
    #expect(response.damage?.contains(damage) == true, "\(response.damage ?? "")")
    #expect(response.body == Self.bytes(hex))
  }

  @Test func `a body without bytes needs no decoding`() async throws {
    for method in ["GET", "HEAD"] {
      let response = try await answer(to: method, "gzip", [])
      #expect(response.status == 200)
      #expect(response.damage == nil)
    }
  }

  @Test func `a small body cannot become a large one`() async throws {
    let response = try await answer("gzip", Self.bytes(Self.bomb), limit: 1000)
    #expect(response.error?.kind == .responseTooLarge)
    #expect(response.error?.mayHaveBeenSent == true)
  }
}
