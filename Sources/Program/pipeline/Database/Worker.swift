import Dispatch

/// Claims shards of the runs in a database, and works on them until nothing is left or it is stopped.
final class Worker: Sendable {
  private let database: RunDatabase
  private let options: WorkerOptions
  /// The worker's ID as other workers see it: `MACHINE#PROCESS`.
  let name: String

  private struct State {
    var controls: [ShardControl] = []
    var isStopping = false
    /// Until when it leaves free shards to a worker that has fewer.
    var yieldsUntil: ContinuousClock.Instant?
    /// Runs that it leaves to others, for a while or for good.
    var refused: [Refused] = []
    /// Runs of which it has left items to others.
    var left: Set<StoredRun> = []
    var failure: (any Error)?
    /// When the database last answered.
    var heard: ContinuousClock.Instant = .now
  }
  /// A run that it cannot work on: one whose secrets it does not have, or for which its machine lacks something.
  private struct Refused {
    let run: StoredRun
    /// `nil` is for good.
    let until: ContinuousClock.Instant?
    let pause: Duration
  }
  private let state = Mutex(State())
  private let (occasions, occasion) = AsyncStream<Void>.makeStream(
    bufferingPolicy: .bufferingNewest(1))
  private let (renewals, renewal) = AsyncStream<Void>.makeStream(
    bufferingPolicy: .bufferingNewest(1))

  init(_ options: WorkerOptions) {
    (database, self.options) = (options.work.database, options)
    let number = String(UInt32.random(in: 0 ... .max), radix: 36)
    name = "\(options.machine)#\(ProcessInfo.processInfo.processIdentifier)-\(number)"
  }

  /// Releases all shards after a checkpoint, and lets ``work()`` return.
  func stop() {
    for control in state.withLock({ state in
      state.isStopping = true
      return state.controls
    }) { control.pause("the worker was stopped") }
    occasion.yield()
  }

  /// Releases all shards without a checkpoint, in a few seconds at most, since the process ends now.
  func abandon() {
    let controls = held
    controls.forEach { $0.gate.close() }
    let isDone = DispatchSemaphore(value: 0)
    Task {
      for control in controls {
        _ = try? await database.runs.release(control.lease, by: name, done: nil, isUnfinished: true)
      }
      isDone.signal()
    }
    let isGivenBack = isDone.wait(timeout: .now() + .seconds(2)) == .success
    Terminal.error(
      isGivenBack
        ? "ended at once; other workers continue with the shards"
        : "ended at once; other workers continue with the shards when their leases have expired")
  }

  func work() async throws {
    try await withThrowingTaskGroup { group in
      group.addTask { await self.keepLeases() }
      group.addTask { await self.warnIfDatabaseIsSilent() }
      group.addTask { await self.listen() }
      group.addTask {
        let pause = LeaseTerms(length: self.options.lease).renewal
        var due = ContinuousClock.now
        repeat {
          guard due <= .now || self.isWaitingForPart else { continue }
          self.renewal.yield()
          due = .now + pause
        } while (try? await Task.sleep(for: min(pause / 4, .seconds(1)))) != nil
      }
      // Claimed shards are released, regardless of the reason why claiming ends.
      let result = await Result { try await self.claimAndWork() }
      group.cancelAll()
      while await group.nextResult() != nil {}
      try result.get()
    }
    try? await database.runs.leave(name)
  }

  var left: Set<StoredRun> { state.withLock { $0.left } }
  private var isStopping: Bool { state.withLock { $0.isStopping } }
  private var isYielding: Bool { state.withLock { $0.yieldsUntil.map { $0 > .now } ?? false } }
  /// Whether a shard has less than an equal part of the rates, until others have left it the rest.
  private var isWaitingForPart: Bool {
    held.contains { $0.lease.run.isPaced && $0.lease.shares > $0.lease.run.slots }
  }
  private var held: [ShardControl] { state.withLock { $0.controls } }
  private var refused: [StoredRun] {
    state.withLock { $0.refused.filter { $0.until.map { $0 > .now } ?? true }.map(\.run) }
  }
  private var refusedForGood: [StoredRun] {
    state.withLock { $0.refused.filter { $0.until == nil }.map(\.run) }
  }

  /// Looks for shards when the database reports that one may be free, and sometimes even if it does not: a lease may have run out.
  private func listen() async {
    let longest = min(options.lease / 6, .seconds(5))
    var pause: Duration
    repeat {
      let isTold = await database.runs.listen { [occasion, renewal] isAsked in
        occasion.yield()
        if isAsked { renewal.yield() }
      }
      occasion.yield()
      let isWaiting = isYielding || refused.count > refusedForGood.count
      pause = isTold && !isWaiting ? longest : .milliseconds(500)
    } while (try? await Task.sleep(for: pause)) != nil
  }

  private func claimAndWork() async throws {
    await withDiscardingTaskGroup { group in
      occasion.yield()
      for await _ in occasions {
        do {
          if try await claim(in: &group) { break }
        } catch {
          fail(error)
        }
        if isStopping, held.isEmpty { break }
      }
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Claims shards while there are any, and returns whether nothing is left to do.
  private func claim(in group: inout DiscardingTaskGroup) async throws -> Bool {
    while !isStopping, !isYielding, held.count < options.work.worker.atMost {
      let asked = ContinuousClock.now
      // Half of the free slots at a time, so that several runs get their share.
      let free = options.work.worker.atMost - held.count
      let leases = try await database.runs.claim(
        run: options.work.run, by: name, lease: options.lease, except: refused,
        atMost: (free + 1) / 2)
      for lease in leases {
        let control = ShardControl(lease, LeaseGate(until: end(of: asked)))
        state.withLock { $0.controls.append(control) }
        if isStopping { control.pause("the worker was stopped") }
        group.addTask { await self.work(on: control) }
      }
      divideAgain(leases)
      if leases.isEmpty { break }
    }
    guard options.work.endsAtRest, held.isEmpty, !isStopping else { return false }
    return try await database.runs.isAtRest(
      options.work.run, except: refusedForGood, lease: options.lease)
  }

  /// Until when no other worker can own a shard whose lease was asked for at a time.
  private func end(of asked: ContinuousClock.Instant) -> ContinuousClock.Instant {
    asked + LeaseTerms(length: options.lease).safe
  }

  private func work(on control: ShardControl) async {
    let lease = control.lease
    do {
      say("claimed \(lease.words)")
      let shard = DatabaseShard(
        database: database, run: lease.run, number: lease.shard, worker: name)
      let outcome = try await ShardWork(
        control: control, folder: try folder(of: shard), options: options
      ).work()
      let isOurs = try await giveBack(control, outcome)
      say(isOurs ? words(outcome) : "\(lease.words) was lost")
    } catch let failure as StoreFailure where failure.kind == .staleOwner {
      say("\(lease.words) was claimed by another worker")
    } catch let refusal as ShardRefusal {
      await leave(lease, refusal: refusal)
    } catch let failure as StoreFailure where failure.isOfShard {
      await leave(lease, trouble: failure)
    } catch {
      _ = try? await database.runs.release(lease, by: name, done: nil, isUnfinished: true)
      if options.work.run == nil, let reason = error as? CommandFailure {
        refuse(lease.run, reason)
      } else {
        fail(error)
      }
    }
    state.withLock { state in state.controls.removeAll { $0 === control } }
    divideAgain([lease])
    occasion.yield()
  }

  /// Renews at once after a claim or a release if that changes the parts that this worker's other shards have of the rates.
  private func divideAgain(_ changed: [ShardLease]) {
    let runs = Set(changed.lazy.filter(\.run.isPaced).map(\.run.id))
    if held.contains(where: { runs.contains($0.lease.run.id) }) { renewal.yield() }
  }

  /// A machine without space for a shard's folder leaves the shard to others.
  private func folder(of shard: DatabaseShard) throws(ShardRefusal) -> RunFolder {
    do throws(CommandFailure) { return try options.place.scratch.folder(of: shard) } catch {
      throw ShardRefusal(error.message ?? "it has no folder for the shard", .diskSpace)
    }
  }

  private func giveBack(_ control: ShardControl, _ outcome: ShardWork.Outcome) async throws -> Bool
  {
    let (lease, status) = (control.lease, outcome.state.status)
    let done = control.isCancelled ? .cancel : lease.wish
    if let refusal = outcome.refusal {
      if status == .paused {
        backOff(from: lease.run, refusal)
      } else {
        state.withLock { _ = $0.left.insert(lease.run) }
      }
      return try await database.runs.release(
        lease, by: name, done: done, isUnfinished: false, refusal: refusal)
    }
    state.withLock { state in state.refused.removeAll { $0.run.id == lease.run.id } }
    if let pause = outcome.pause {
      // Requests in the meantime are for the next worker.
      return try await database.runs.release(
        lease, by: name, done: control.isCancelled ? nil : lease.wish, isUnfinished: false,
        pause: pause)
    }
    let isStopped = control.isStopped && (status == .paused || status == .cancelling)
    if status == .paused, !isStopped, let reason = outcome.state.reason, reason.status != nil {
      // If the server refuses one shard, it refuses the others as well.
      try await database.runs.pause(lease.run, reason.message)
    }
    return try await database.runs.release(lease, by: name, done: done, isUnfinished: isStopped)
  }

  private func words(_ outcome: ShardWork.Outcome) -> String {
    let shard = "shard \(outcome.state.shard?.description ?? "")"
    if let pause = outcome.pause {
      return "\(shard) has nothing to do for \(ReportFormatting.duration(pause))"
    }
    let report = RunReport(state: outcome.state, pipeline: outcome.pipeline, in: outcome.folder)
    let reason = report.reason.map { ": \($0.message)" } ?? ""
    return "\(shard) is \(report.statusWord): "
      + ReportFormatting.counts(report.counts, isAtRest: true) + reason
  }

  /// Releases a shard that cannot be stored, to be tried again later, or that this machine leaves to others; if that fails, the database is the trouble.
  private func leave(
    _ lease: ShardLease, trouble: StoreFailure? = nil, refusal: ShardRefusal? = nil
  ) async {
    if let refusal { backOff(from: lease.run, refusal) }
    do {
      try await database.runs.release(
        lease, by: name, done: nil, isUnfinished: true, trouble: trouble?.message, refusal: refusal)
      if let trouble { Terminal.error("\(lease.words) could not be worked on: \(trouble.message)") }
      if let refusal { say("\(lease.words) is left to other workers: \(refusal.reason)") }
    } catch {
      fail(trouble ?? error)
    }
  }

  /// Claims no shard of a run for a while, since this one would fail like the last: others are to have them first.
  private func backOff(from run: StoredRun, _ refusal: ShardRefusal) {
    let reason = CommandFailure.environment(refusal.reason)
    if refusal.lack.isDeliberate, options.work.run != nil { return fail(reason) }
    if refusal.lack.isDeliberate || options.work.endsAtRest && !refusal.isPassing {
      return refuse(run, reason)
    }
    state.withLock { state in
      let last = state.refused.first { $0.run.id == run.id }?.pause ?? .milliseconds(500)
      let pause = min(last * 2, .seconds(60))
      state.refused.removeAll { $0.run.id == run.id }
      state.refused.append(Refused(run: run, until: .now + pause, pause: pause))
    }
  }

  private func refuse(_ run: StoredRun, _ reason: CommandFailure) {
    let isNew = state.withLock { state in
      guard !state.refused.contains(where: { $0.run.id == run.id && $0.until == nil }) else {
        return false
      }
      state.refused.append(Refused(run: run, until: nil, pause: .zero))
      // It was to end when all is done, and this run may not be.
      if options.work.endsAtRest { state.failure = state.failure ?? reason }
      return true
    }
    if isNew {
      let words = ([reason.message].compactMap { $0 } + reason.details).joined(separator: "; ")
      Terminal.error("run '\(run.displayName)' is left to other workers: \(words)")
    }
  }

  /// Stops because of an error, of which the first is reported.
  private func fail(_ error: any Error) {
    state.withLock { $0.failure = $0.failure ?? error }
    stop()
  }

  private func say(_ words: String) {
    if options.work.options.progress.isTalkative { Terminal.error(words) }
  }

  // MARK: Leases

  /// Renews the leases three times while they last and when a user requests something, and passes the requests on.
  private func keepLeases() async {
    for await _ in renewals {
      do {
        try await keepLeasesOnce()
      } catch {
        return fail(error)
      }
    }
  }

  private func keepLeasesOnce() async throws {
    let controls = held
    let asked = ContinuousClock.now
    let news = try await database.runs.renew(controls.map(\.lease), by: name, for: options.lease)
    for (control, news) in zip(controls, news) {
      guard let news else {
        // Shards that were released in the meantime are not lost.
        if held.contains(where: { $0 === control }) { control.lose() }
        continue
      }
      // Before it sends again: others may have got its part. What it leaves is theirs when this is confirmed.
      if let shares = news.shares, control.divide(among: shares) { renewal.yield() }
      control.gate.extend(to: end(of: asked))
      if news.wish == .cancel {
        control.cancel()
      } else if news.pauseReason != nil {
        control.pause("the run was paused")
      }
    }
    // A worker that refuses a run does not request shards of others, which could be of that run.
    let others = try await database.runs.report(
      name, held: controls.count,
      atMost: refused.isEmpty ? options.work.worker.atMost : controls.count,
      run: options.work.run, lease: options.lease)
    if let fewest = others.fewestHeld, !others.isShardFree, controls.count >= fewest + 2,
      let spare = controls.last(where: { !$0.isStopped && !$0.isCancelled })
    {
      say("\(spare.lease.words) is passed to a worker that has fewer")
      state.withLock { $0.yieldsUntil = .now + options.lease }
      spare.pause("the shard is passed to another worker")
    }
    if let spare = controls.first(where: { others.isSpare($0.lease) }) {
      say("\(spare.lease.words) makes room for another run")
      spare.pause("another run has less than its share of workers")
    }
    state.withLock { $0.heard = .now }
    try await writeHeartbeat()
  }

  /// Reports that the database does not respond.
  private func warnIfDatabaseIsSilent() async {
    let limit = LeaseTerms(length: options.lease).renewal + .seconds(5)
    while (try? await Task.sleep(for: .seconds(10))) != nil {
      let silence = state.withLock { ContinuousClock.now - $0.heard }
      guard silence > limit else { continue }
      say(
        "the database has not responded for \(silence.components.seconds) s; requests wait, and work resumes when it does"
      )
    }
  }

  /// Writes when the database last confirmed the worker's leases.
  private func writeHeartbeat() async throws {
    guard let path = options.work.heartbeat else { return }
    try await OutputFile(path, of: "heartbeat").write { $0(Date.now.ISO8601Format()) }
  }
}

extension ShardLease {
  /// The worker's name for it, such as `shard 3 of run 'nightly'`.
  fileprivate var words: String {
    "\(shard == Shard.leadNumber ? "the lead" : "shard \(shard)") of run '\(run.displayName)'"
  }
}

struct WorkerOptions {
  let work: DatabaseWork
  /// Its location: a resource that this process lacks is also missing for others on the same
  /// machine and state folder.
  var machine: String { "\(ProcessInfo.processInfo.hostName):\(work.state.path)" }
  var lease: Duration { work.worker.lease }
  let place: WorkerPlace
  let display: any ProgressDisplay
}

extension StoreFailure {
  /// Whether it does not concern other shards, unlike a database that is full.
  fileprivate var isOfShard: Bool {
    switch kind {
    case .corrupt, .notFound, .enumeration, .system: true
    case .full, .readOnly, .otherVersion, .staleOwner: false
    }
  }
}
