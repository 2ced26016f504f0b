import CEL
import DemoServer
import Dispatch
import Foundation
import PipelineCommands
import PipelineCore
import PipelineEngine
import PipelineFiles
import PipelineHTTP
import PipelineSQLite

/// Works on one run until it rests: connects the ports, shows progress, listens to signals and to
/// other processes' requests.
struct RunSession {
  let folder: RunFolder
  let pipeline: Pipeline
  let options: ExecutionOptions
  let format: ReportFormat
  /// Whether the user wants the run to be given up, so that its being cancelled is a good end.
  var isCancelling = false

  /// Carries a run on, and reports how it ended.
  func execute(
    store: SQLiteCheckpointStore, state: RunState, epoch: Int, events: [Event]
  ) async throws -> RunState {
    var state = state
    let clock: any PipelineEngine.Clock
    (clock, state.time) = options.clock(of: state)
    var configuration = HTTPTransportConfiguration()
    configuration.caFile = options.caFile
    configuration.proxies = try ProxySettings(environment: ProcessInfo.processInfo.environment)
    configuration.exchanges = OpenFileLimit.current.exchanges(
      loops: HTTPTransport.loopCount, isServerHere: folder.origin?.demo == true)
    let transport = try HTTPTransport(configuration: configuration, clock: clock)
    let display = options.progress.display(of: pipeline)
    let device: (any Device)? =
      options.device == .ios ? SimulatedDevice(phases: try options.phases(), clock: clock) : nil
    let executor = Executor(
      evaluator: Evaluator(pipeline),
      ports: .init(
        store: store, requests: transport, transfers: transport,
        files: try POSIXWorkspace(root: folder.filesPath), clock: clock, device: device),
      observer: display)
    let signals = InterruptSignals { executor.requestPause("stopped by a signal") }
    let requests = watchRequests(executor)
    display.begin(folder.id)
    let result: Result<RunState, any Error>
    do {
      result = .success(try await executor.run(state, epoch: epoch, events: events))
    } catch {
      result = .failure(error)
    }
    requests.cancel()
    signals.stop()
    display.end()
    await transport.shutdown()
    await store.close()
    let final = try result.get()
    try report(final, interrupted: signals.wasInterrupted)
    return final
  }

  /// Other processes leave what they ask for in a file of the run's folder.
  private func watchRequests(_ executor: Executor) -> Task<Void, Never> {
    let path = folder.requestPath
    try? FileManager.default.removeItem(atPath: path)
    return Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(200))
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
        try? FileManager.default.removeItem(atPath: path)
        switch text {
        case RunRequest.pause.rawValue: executor.requestPause("paused by `pipeline pause`")
        case RunRequest.cancel.rawValue: executor.requestCancel()
        default: continue
        }
      }
    }
  }

  /// Says how the run ended, and ends with the documented status.
  private func report(_ state: RunState, interrupted: Bool) throws {
    let report = RunReport(state: state, pipeline: pipeline)
    if options.progress != .json {
      Terminal.print(format == .json ? report.json : report.text)
    }
    if interrupted {
      Terminal.error("stopped after a checkpoint; `pipeline resume \(folder.id)` goes on")
      throw CommandFailure(.interrupted)
    }
    if state.status == .paused, let reason = state.reason {
      Terminal.error("pipeline: the run is paused: \(reason.message)")
    }
    let isWanted = isCancelling && state.status == .cancelled
    if !report.isComplete, !isWanted { throw CommandFailure(.incomplete) }
  }
}

/// What a process can ask of another that works on a run.
enum RunRequest: String {
  case pause, cancel

  /// Leaves the request where the process that works on the run finds it.
  func leave(for folder: RunFolder) throws(CommandFailure) {
    do {
      try rawValue.write(toFile: folder.requestPath, atomically: true, encoding: .utf8)
    } catch {
      throw CommandFailure(
        .environment, "cannot write to '\(folder.path)': \(StateFolder.reason(error))")
    }
  }
}

/// Ctrl-C and `kill`: the first asks for a stop after a checkpoint, the second ends the process at
/// once.
final class InterruptSignals: @unchecked Sendable {
  private let queue = DispatchQueue(label: "pipeline.signals")
  private var sources: [any DispatchSourceSignal] = []
  private var count = 0

  init(_ stop: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [weak self] in
        guard let self else { return }
        self.count += 1
        if self.count > 1 { _exit(ExitStatus.interrupted.rawValue) }
        stop()
      }
      source.resume()
      sources.append(source)
    }
  }

  var wasInterrupted: Bool { queue.sync { count > 0 } }

  func stop() {
    for source in sources { source.cancel() }
  }
}
