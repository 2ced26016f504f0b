import Foundation
import PipelineCore
import PipelineEngine
import PipelineHTTP

/// A clock that stands still, so that dates of answers can be compared.
struct StoppedClock: PipelineEngine.Clock {
  func now() -> Instant { Instant(milliseconds: 1_000_000) }
  func sleep(until instant: Instant) async {}
}

/// Runs `body` with a transport and shuts it down.
func withTransport<Result: Sendable>(
  _ change: (inout HTTPTransportConfiguration) throws -> Void = { _ in },
  _ body: (HTTPTransport) async throws -> Result
) async throws -> Result {
  var configuration = HTTPTransportConfiguration()
  // A busy machine must not look like a network that does not answer.
  configuration.connectTimeout = .seconds(120)
  try change(&configuration)
  let transport = try HTTPTransport(configuration: configuration, clock: StoppedClock())
  do {
    let result = try await body(transport)
    await transport.shutdown()
    return result
  } catch {
    await transport.shutdown()
    throw error
  }
}

/// A folder of a test's own, deleted at the end.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "pipeline-http-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and describes it as the engine does.
  func write(_ name: String, _ bytes: [UInt8]) throws -> FileValue {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    return try describe(name)
  }

  /// Makes a file of `size` zeros that needs no space.
  func makeSparse(_ name: String, size: Int64) throws -> FileValue {
    _ = FileManager.default.createFile(atPath: path + "/" + name, contents: nil)
    guard truncate(path + "/" + name, off_t(size)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    return try describe(name)
  }

  private func describe(_ name: String) throws -> FileValue {
    var status = stat()
    guard stat(path + "/" + name, &status) == 0 else { throw CocoaError(.fileNoSuchFile) }
    #if canImport(Glibc)
      let time = status.st_mtim
    #else
      let time = status.st_mtimespec
    #endif
    return FileValue(
      path: path + "/" + name, name: name, size: Int64(status.st_size),
      modified: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

/// Bytes in which a chunk that is lost, doubled or out of place shows.
func pattern(_ count: Int) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  for index in stride(from: 0, to: count, by: 61) {
    bytes[index] = UInt8(truncatingIfNeeded: index &* 31 >> 3)
  }
  return bytes
}
