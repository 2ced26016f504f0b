import PipelineCore
import PipelineEngine
import PipelineHTTP
import Testing

/// A body whose digests were computed when it was created.
struct DigestCheckTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func request(_ server: RawServer) -> RenderedRequest {
    RenderedRequest(
      method: "PUT", url: "http://127.0.0.1:\(server.port)/", timeout: .seconds(20))
  }

  private func digests(of bytes: [UInt8]) -> [DigestAlgorithm: String] {
    var sums = UploadTests.Sums([.sha256])
    bytes.withUnsafeBytes { sums.add($0) }
    return sums.digests()
  }

  @Test func `a server never gets the whole of a body with other digests than planned`()
    async throws
  {
    let content = [UInt8](repeating: 3, count: 2_000_000)
    let file = try folder.write("x", content)
    // One byte, of a file with the same size and time.
    let planned = digests(of: content.dropLast() + [4])
    let received = Counter()
    try await RawServer.run({
      _ = try await $0.readHead()
      received.add(Int64(await $0.readToEnd()))
      received.finish()
    }) { server in
      let sent = request(server)
      let response = try await withTransport({ $0.digester = { UploadTests.Sums($0) } }) {
        await $0.upload(sent, body: Body(Body(file).pieces, digests: planned), progress: { _ in })
      }
      #expect(response.error?.kind == .fileChanged)
      #expect(response.error?.mayHaveBeenSent == true)
      let message = try #require(response.error?.message)
      #expect(message.contains(try #require(planned[.sha256])), "\(message)")
      #expect(message.contains(try #require(digests(of: content)[.sha256])), "\(message)")
      await received.wait()
      #expect(received.value < content.count)
    }
  }

  @Test func `a body with the planned digests is sent, each time from its start`() async throws {
    let content = [UInt8](repeating: 3, count: 300_000)
    let file = try folder.write("x", content)
    let body = Body(Body(file).pieces, digests: digests(of: content))
    try await RawServer.run({ connection in
      _ = try await connection.readRequest()
      try await connection.write("HTTP/1.1 307 X\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n")
      let isWhole = try await connection.readRequest().body == content
      try await connection.write(
        "HTTP/1.1 \(isWhole ? 204 : 400) X\r\nContent-Length: 0\r\n\r\n")
      _ = await connection.readToEnd()
    }) { server in
      let sent = request(server)
      let response = try await withTransport({ $0.digester = { UploadTests.Sums($0) } }) {
        await $0.upload(sent, body: body, progress: { _ in })
      }
      #expect(response.status == 204)
    }
  }
}
