import Foundation
import PipelineCore
import PipelineEngine
import PipelineFiles
import PipelineHTTP

/// Only our HTTP client: one PUT for each file of a folder, nothing durable, several at once.
enum PutFigures {
  static func run(_ arguments: [String]) async throws {
    guard arguments.count >= 2 else {
      fatalError("usage: pipeline-benchmarks put URL FOLDER [WIDTH]")
    }
    let (url, folder) = (arguments[0], arguments[1])
    let width = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 8
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    HTTPTransport.prepareProcess()
    let transport = try HTTPTransport(clock: SteadyClock())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, name) in names.enumerated() {
        if index >= width { try await group.next() }
        group.addTask { try await put(folder + "/" + name, to: url + "/" + name, transport) }
      }
      try await group.waitForAll()
    }
    await transport.shutdown()
  }

  private static func put(_ path: String, to url: String, _ transport: HTTPTransport) async throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw CocoaError(.fileReadNoSuchFile) }
    let modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    let file = FileValue(path: path, name: path, size: Int64(status.st_size), modified: modified)
    let response = await transport.upload(
      RenderedRequest(method: "PUT", url: url, timeout: .seconds(60)), body: Body(file),
      paths: { $0.path }, renew: { _ in .unchanged }, progress: { _ in })
    guard (200..<300).contains(response.status) else {
      fatalError("\(url): \(response.status) \(response.error?.message ?? "")")
    }
  }
}
