import PipelineCore
import PipelineEngine
import PipelineHTTP
import Synchronization
import Testing

/// Requests of a process that may stop being their owner while it sends them.
struct SendingPermissionTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Grants permission a number of times.
  private final class Permission: Sendable {
    let left: Mutex<Int>
    init(_ times: Int) { left = Mutex(times) }

    func isGiven() -> Bool {
      left.withLock { left in
        left -= 1
        return left >= 0
      }
    }
  }

  @Test(arguments: [0, 1, 2, 5])
  func `nothing is sent once it may not be, neither the head nor the next piece of a body`(
    writes: Int
  ) async throws {
    let file = try folder.makeSparse("a", size: 40_000_000)
    let permission = Permission(writes)
    try await RawServer.run({ connection in
      let received = await connection.readToEnd()
      #expect(received < 40_000_000)
    }) { server in
      let request = RenderedRequest(
        method: "PUT", url: "http://127.0.0.1:\(server.port)/", timeout: .seconds(20))
      let response = try await withTransport({ $0.maySend = { permission.isGiven() } }) {
        await $0.upload(request, body: Body(file), progress: { _ in })
      }
      #expect(response.error?.kind == .interrupted)
    }
  }
}
