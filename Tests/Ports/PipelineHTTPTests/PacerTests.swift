import NIOCore
@testable import PipelineHTTP
import PipelineCore
import PipelineEngine
import Testing

/// Sharing a number of bytes per second among transfers.
struct PacerTests {
  private func at(_ milliseconds: Int64) -> NIODeadline {
    .uptimeNanoseconds(UInt64(1_000_000_000 + milliseconds * 1_000_000))
  }

  @Test func `pieces follow each other at the rate, from all transfers`() {
    let pacer = Pacer(bytesPerSecond: 1000)
    #expect(pacer.moment(for: 100, at: at(0)) == at(0))
    #expect(pacer.moment(for: 50, at: at(0)) == at(100))
    #expect(pacer.moment(for: 50, at: at(120)) == at(150))
    // After a pause, no more than a piece goes at once.
    #expect(pacer.moment(for: 1000, at: at(5000)) == at(5000))
    #expect(pacer.moment(for: 1, at: at(5001)) == at(6000))
  }

  @Test func `parts of a nanosecond are not lost`() {
    let pacer = Pacer(bytesPerSecond: 3)
    for _ in 0..<2999 { _ = pacer.moment(for: 1, at: at(0)) }
    #expect(pacer.moment(for: 1, at: at(0)) <= at(999_667))
    #expect(pacer.moment(for: 1, at: at(0)) == at(1_000_000))
  }

  @Test(arguments: [(100, 1024), (20480, 1024), (1_000_000, 50000)])
  func `a piece lasts a twentieth of a second, and is at least a kibibyte`(
    rate: Int64, piece: Int
  ) {
    #expect(Pacer(bytesPerSecond: rate).piece == piece)
  }

  @Test func `two uploads share the rate`() async throws {
    let folder = try ScratchFolder()
    let file = try folder.write("a", Array(repeating: 7, count: 100_000))
    try await RawServer.run({ connection in
      _ = try await connection.readRequest()
      try await connection.write("HTTP/1.1 204 X\r\nContent-Length: 0\r\n\r\n")
      _ = await connection.readToEnd()
    }) { server in
      let request = RenderedRequest(
        method: "PUT", url: "http://127.0.0.1:\(server.port)/", timeout: .seconds(20))
      let clock = ContinuousClock()
      let begun = clock.now
      let statuses = try await withTransport({ $0.bytesPerSecond = 400_000 }) { transport in
        async let first = transport.upload(request, body: Body(file), progress: { _ in })
        async let second = transport.upload(request, body: Body(file), progress: { _ in })
        return await [first.status, second.status]
      }
      #expect(statuses == [204, 204])
      // 200,000 bytes at 400,000 a second, without the piece that goes at once.
      #expect(clock.now - begun >= .milliseconds(440))
    }
  }

  @Test func `a download waits between its pieces`() async throws {
    let sink = MemorySink(limit: .max)
    try await RawServer.run({ connection in
      _ = try await connection.readHead()
      try await connection.write("HTTP/1.1 200 X\r\nContent-Length: 60000\r\n\r\n")
      for _ in 0..<6 { try await connection.write(String(repeating: "a", count: 10000)) }
      _ = await connection.readToEnd()
    }) { server in
      let request = RenderedRequest(
        method: "GET", url: "http://127.0.0.1:\(server.port)/", timeout: .seconds(120),
        transfer: TransferSettings(
          id: EffectID(run: RunID("r"), item: nil, step: 0, generation: 1, attempt: 1),
          session: "s", policy: TransferPolicy()))
      let response = try await withTransport({ $0.bytesPerSecond = 100_000 }) { transport in
        try await transport.download(request, into: sink, progress: { _ in })
      }
      #expect(response.status == 200)
      #expect(sink.text == String(repeating: "a", count: 60000))
    }
  }
}
