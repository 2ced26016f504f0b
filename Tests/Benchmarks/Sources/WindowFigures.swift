import CEL
import Foundation
import PipelineCore
import PipelineEngine
import PipelineFiles
import PipelineSQLite

/// A run over very many items against servers that answer at once: steps per second, and the most
/// memory that was resident.
enum WindowFigures {
  /// Answers at once, without a network.
  struct NullWorld: RequestTransport, TransferService, FileWorkspace {
    let sendsPieces = true

    func send(_ request: RenderedRequest) async -> Response {
      let now = Instant(milliseconds: 1_800_000_000_000)
      return Response(
        status: 200, body: Array(#"{"id":"upload-1","token":"t"}"#.utf8), url: request.url,
        sent: now, received: now)
    }

    func upload(
      _ request: RenderedRequest, body: Body, paths: @escaping @Sendable (FileValue) -> String,
      renew: @escaping Renew,
      progress: @escaping @Sendable (Int64) -> Void
    ) async -> Response { await send(request) }

    func download(
      _ request: RenderedRequest, into sink: any FileSink, renew: @escaping Renew,
      progress: @escaping @Sendable (Int64) -> Void
    ) async throws(FileFailure) -> Response { await send(request) }

    func sink(
      for plan: DownloadPlan, at path: String
    ) async throws(FileFailure) -> any FileSink {
      throw FileFailure(.system, message: "the figures' pipeline takes no file in")
    }

    func materialize(
      _ plan: MaterializationPlan, at path: String
    ) async throws(FileFailure) -> FileValue {
      FileValue(path: path, name: plan.name, size: plan.size, modified: 0)
    }

    func discard(_ path: String) async {}
    func sweep(keeping kept: Set<String>) async -> Int { 0 }
    func absolutePath(of file: FileValue) -> String { file.path }
  }

  static func print(items: Int, _ pipeline: Pipeline) async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/run.sqlite"
      let store = try await SQLiteCheckpointStore(path: path, pipeline: pipeline)
      let epoch = try await store.claim()
      let clock = ContinuousClock()
      let begun = clock.now
      let state = try await store.create(Sample.state(pipeline), items: [Sample.files(items)])
      let enumerated = clock.now
      let world = NullWorld()
      let executor = Executor(
        evaluator: Evaluator(pipeline),
        ports: .init(
          store: store, requests: world, transfers: world, files: world, clock: SteadyClock()),
        taskExecutor: BlockingPool(threads: 1))
      let end = try await executor.run(state, epoch: epoch, events: [.runBegan])
      let taken = seconds(enumerated.duration(to: clock.now))
      // Before the history is read, which is the benchmark's business and not the run's.
      let memory = peakMemory()
      var commits = 0
      while let last = try await store.history(after: commits, limit: 256).last {
        commits = last.sequence
      }
      await store.close()
      precondition(end.loops[0].counts[.done] == items, "all items are done")
      // Run-level steps have one each.
      let steps = items * pipeline.loops[0].steps.count + pipeline.runSteps.count
      Swift.print("\(items) items enumerated in \(seconds(begun.duration(to: enumerated))) s")
      Swift.print("\(steps) steps in \(taken) s: \(Int(Double(steps) / taken)) steps/s")
      Swift.print("commits per step: \(Double(commits) / Double(steps))")
      Swift.print("most memory resident: \(memory)")
    }
  }

  static func peakMemory() -> String {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.map { $0.dropFirst(6).trimmingCharacters(in: .whitespaces) } ?? "unknown"
  }
}
