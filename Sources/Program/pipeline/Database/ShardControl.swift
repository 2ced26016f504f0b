/// A worker's state of a shard that it works on, and its requests for the shard's executor, which may not exist yet.
final class ShardControl: Sendable {
  private let claimed: ShardLease
  let gate: LeaseGate

  private struct State {
    var executor: Executor?
    var pause: String?
    var isCancelled = false
    var shares: Int
  }
  private let state: Mutex<State>

  init(_ lease: ShardLease, _ gate: LeaseGate) {
    (claimed, self.gate) = (lease, gate)
    state = Mutex(State(shares: lease.shares))
  }

  /// The lease with the part of the server's limits that is used.
  var lease: ShardLease {
    var lease = claimed
    lease.shares = state.withLock { $0.shares }
    return lease
  }

  /// Whether the worker has stopped it for a reason of its own, so that it must continue elsewhere.
  var isStopped: Bool { state.withLock { $0.pause != nil } }
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Passes on requests from before there was an executor.
  func begin(_ executor: Executor) {
    let (pause, isCancelled, shares) = state.withLock { state in
      state.executor = executor
      return (state.pause, state.isCancelled, state.shares)
    }
    if shares != claimed.shares { executor.requestShares(shares) }
    if isCancelled { executor.requestCancel() }
    if let pause { executor.requestPause(pause) }
  }

  func pause(_ reason: String) {
    let executor = state.withLock { state -> Executor? in
      guard state.pause == nil else { return nil }
      state.pause = reason
      return state.executor
    }
    executor?.requestPause(reason)
  }

  /// Divides the server's limits among this many shards from now on; returns whether that leaves more to others.
  func divide(among shares: Int) -> Bool {
    let (executor, before) = state.withLock { state in
      defer { state.shares = shares }
      return (state.shares == shares ? nil : state.executor, state.shares)
    }
    executor?.requestShares(shares)
    return shares > before
  }

  func cancel() {
    let executor = state.withLock { state -> Executor? in
      guard !state.isCancelled else { return nil }
      state.isCancelled = true
      return state.executor
    }
    executor?.requestCancel()
  }

  /// The shard is another worker's: nothing more is sent, and commands in flight are interrupted.
  func lose() {
    gate.close()
    pause("the lease of the shard was lost")
  }
}

/// Requests of a shard, which wait while its lease may have run out, and are interrupted when it does.
struct GatedTransport<Base: RequestTransport & TransferService>: RequestTransport, TransferService {
  let base: Base
  let gate: LeaseGate

  var sendsPieces: Bool { base.sendsPieces }

  func send(_ request: RenderedRequest) async -> Response {
    await gate.during { await base.send(request) }
  }

  func upload(
    _ request: RenderedRequest, body: Body, paths: @escaping @Sendable (FileValue) -> String,
    renew: @escaping Renew, progress: @escaping @Sendable (Int64) -> Void
  ) async -> Response {
    await gate.during {
      await base.upload(request, body: body, paths: paths, renew: renew, progress: progress)
    }
  }

  func download(
    _ request: RenderedRequest, into sink: any FileSink, renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response {
    let result: Result<Response, FileFailure> = await gate.during {
      do throws(FileFailure) {
        return .success(
          try await base.download(request, into: sink, renew: renew, progress: progress))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  func adopt(
    _ transfer: TransferSettings, into sink: (any FileSink)?, renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response? {
    try await base.adopt(transfer, into: sink, renew: renew, progress: progress)
  }
}
