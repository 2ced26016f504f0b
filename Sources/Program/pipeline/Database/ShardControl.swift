/// What a worker knows of a shard that it works on, and what it asks of the shard's executor, which may not be there yet.
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

  /// Whether the worker has stopped it for a reason of its own, so that it must go on elsewhere.
  var isStopped: Bool { state.withLock { $0.pause != nil } }
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Passes on what was asked before there was an executor.
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

  /// Divides the server's limits among so many shards from now on; returns whether that leaves more to others.
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

  /// The shard is another worker's: nothing more is sent, and what is in flight is interrupted.
  func lose() {
    gate.close()
    pause("the lease of the shard was lost")
  }
}

/// Lets exchanges go on while a shard is surely this worker's, counted from before its lease was asked for, even while the machine sleeps.
final class LeaseGate: Sendable {
  /// `nil` once it is closed for good.
  private let end: Mutex<ContinuousClock.Instant?>

  init(until end: ContinuousClock.Instant) { self.end = Mutex(end) }

  /// Moves the end; a renewal that was under way when the gate was closed opens it no more.
  func extend(to new: ContinuousClock.Instant) { end.withLock { $0 = $0.map { max($0, new) } } }

  /// Closes it for good.
  func close() { end.withLock { $0 = nil } }

  /// Whether the shard is surely this worker's.
  var isOpen: Bool { end.withLock { $0.map { $0 > .now } ?? false } }

  /// Performs an exchange once the gate is open, and interrupts it when the gate closes: what comes after that belongs to another worker.
  func during<Outcome: Sendable>(
    _ exchange: @escaping @Sendable () async -> Outcome
  ) async -> Outcome {
    while !isOpen, (try? await Task.sleep(for: .milliseconds(50))) != nil {}
    return await withTaskGroup(of: Outcome?.self) { group in
      group.addTask { await exchange() }
      group.addTask {
        await self.closing()
        return nil
      }
      for await outcome in group {
        // Whichever ends first, the other one ends soon.
        group.cancelAll()
        if let outcome { return outcome }
      }
      preconditionFailure("an exchange has an outcome")
    }
  }

  /// Returns when the gate closes, or the task is cancelled.
  private func closing() async {
    while let end = end.withLock({ $0 }), end > .now {
      guard (try? await Task.sleep(until: end)) != nil else { return }
    }
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
