/// The shell around the engine's core: apply, commit, perform (invariant 2).
extension SimulatedRun {
  mutating func turn() {
    guard var core = self.core else { return }
    let events = faultHooks?.takeEvents(from: &queue, core.machine) ?? queue.takeAll()
    for case .concluded(let id, let verdict) in events {
      note(.concluded(id, virtual(verdict)))
      if case .success(let result) = verdict {
        for one in result.outputs { keep(one.value?.size ?? 0) }
      }
    }
    // The machine is large: with two owners it would be copied in each turn.
    self.core = nil
    let turn = core.turn(events, at: runTime)
    self.core = core
    guard !crashes(at: .beforeCommit) else { return }
    let refusals: [TargetClaim.Refusal]
    do throws(StoreFailure) {
      if faultHooks == nil {
        refusals = try table.commit(turn.batch)
      } else {
        refusals = try faultHooks?.commit(turn.batch, to: &table) ?? []
      }
    } catch {
      end(.storeFailed(error))
      return
    }
    if !requests.isEmpty { requests.removeAll { events.contains($0) } }
    noteTurns(of: turn.batch.checkpoint)
    noteParts(of: turn.batch.checkpoint)
    for item in turn.batch.items.sorted(by: { $0.key < $1.key }) where item.status != .active {
      note(.itemLeft(item.key, item.status, item.reason))
      if item.status == .done, shortfall == nil, case .file(let file) = item.subject {
        let known = (server as? ConnectedServer)?.server ?? server as? ModelServer
        shortfall = known?.received.shortfall(of: item.key, file).map { bytes in
          PropertyResult(
            name: PropertyResult.wholeFiles, holds: false, violatedAt: now - start,
            explanation:
              "an item is done although the server has only \(bytes) of the \(file.size) bytes of its file; a 'range' leaves "
              + "out the rest, or an 'until', an 'example' or a matcher ends the upload too early",
            isVacuous: false,
            request: nil, item: item.key)
        }
      }
    }
    allowMore(after: turn.batch)
    guard !crashes(at: .afterCommit) else { return }
    if !isSessionAdopted { adoptSession(turn.effects) }
    if let refusal = refusals.first {
      sharedTarget = sharedTarget ?? refusal
      for event in self.core?.events(of: refusals) ?? [] { queue.post(event) }
    }
    let effects = turn.effects(without: refusals)
    for effect in faultHooks?.performedEffects(effects) ?? effects {
      perform(effect)
      guard !crashes(at: .after(effect)) else { return }
    }
    let time = runTime
    if let machine = self.core?.machine { faultHooks?.turnEnded(machine, disk, at: time) }
    if settings.tracesBlockers { traceBlockers() }
  }

  /// Lets a run that makes progress cost more.
  private mutating func allowMore(after batch: CheckpointBatch) {
    let items = batch.items.count { $0.status != .active }
    let parts = batch.checkpoint.parts.count
    budget.allow(1_000_000 * items + 2_000 * parts, .work)
    if items + parts > 0 { turns = 1 }
  }

  /// Records a fact, and updates the counters for reports.
  mutating func note(_ fact: TraceEvent.Fact) {
    tally.count(fact, at: now, pipeline)
    if settings.isTraced { trace.note(fact, at: now) }
  }

  private mutating func traceBlockers() {
    let current = waiting
    let root = ItemKey(loop: -1, ordinal: -1)
    // A closure that captured `self` would hold a copy of the whole run.
    let known = blockers
    let changed = current.filter { known[$0.key] != $0.value }
    tally.count(changed, gone: known.keys.filter { current[$0] == nil })
    if settings.isTraced {
      for (key, blocker) in changed.sorted(by: { ($0.key ?? root) < ($1.key ?? root) }) {
        trace.note(.blocked(key, blocker), at: now)
      }
    }
    blockers = current
  }

  /// Adopts the transfers that the service still has from an earlier process (TX4); the first
  /// turn of a process names all that it needs.
  private mutating func adoptSession(_ effects: [Effect]) {
    isSessionAdopted = true
    var wanted: [EffectID] = []
    var adopted: [EffectID: InFlightCommand] = [:]
    for case .perform(let command) in effects {
      guard case .adopt = command.action else { continue }
      wanted.append(command.id)
      let known = inFlight[command.id]
      adopted[command.id] = InFlightCommand(
        command: command, operation: known?.operation ?? interpreter.operation(for: command),
        begun: known?.begun ?? now, response: known?.response,
        sender: known.map { $0.sender ?? $0.command })
    }
    inFlight = adopted
    act(device.transfersAdopted(wanted, at: now))
  }

  private mutating func perform(_ effect: Effect) {
    switch effect {
    case .perform(let command): begin(command)
    case .answerRenewal(let id, let decision): renew(id, decision)
    case .interrupt(let id): interrupt(id)
    case .setTimer(let instant):
      timer += 1
      agenda.schedule(.timer(timer), at: max(virtual(instant), now))
    case .loadItems(let loop, let status, let after, let limit):
      do throws(StoreFailure) {
        if faultHooks?.refusesRead() == true {
          throw StoreFailure(.corrupt, message: "the items cannot be read")
        }
        let items = try table.items(loop: loop, status: status, after: after, limit: limit)
        queue.post(.itemsLoaded(loop: loop, items, isLast: items.count < limit))
      } catch { queue.post(.loadFailed(loop: loop, Failure(error.message))) }
    case .enumerate(let loop): enumerate(loop)
    case .discardFiles(let key, let bytes, _):
      for path in interpreter.paths(of: key) { disk.discard(path) }
      queue.post(.filesDiscarded(key, bytes: bytes))
    case .endAllowance:
      queue.suspend()
      let transfers = core?.machine.queuedTransfers ?? 0
      note(.suspended(transfers: transfers))
      act(device.processSuspended(transfers: transfers, at: now))
    // The core decides whether it still holds at the end of the turn.
    case .stop: break
    }
  }

  private mutating func enumerate(_ loop: Int) {
    guard let core else { return }
    let scope = Scope(core.machine.state, item: nil, now: runTime)
    do {
      let subjects = try interpreter.subjects(of: loop, scope, in: core.machine.state.shard)
      try table.enumerate(loop: loop, subjects: subjects, epoch: core.epoch)
      queue.post(.itemsEnumerated(loop: loop, count: subjects.count))
    } catch {
      let failure =
        (error as? EvaluationFailure)?.failure ?? Failure((error as? StoreFailure)?.message ?? "")
      queue.post(.enumerationFailed(loop: loop, failure))
    }
  }

  // MARK: Effects

  private mutating func begin(_ command: Command) {
    let id = command.id
    if case .attempt = command.action, id.attempt == 1, id.generation ?? 1 > 1 {
      let failure = earlierFailure(command)
      // The next turn is not a reissue.
      let isNext = failure == nil && pipeline.step(of: id)?.turnOf != nil
      if !isNext { note(.reissued(id, cause: failure)) }
    }
    // The device has been asked for it already.
    if case .adopt = command.action { return }
    guard let command = withSignIn(command) else { return }
    let operation = authorized(interpreter.operation(for: command))
    inFlight[id] = InFlightCommand(command: command, operation: operation, begun: now)
    if let verdict = verdict(onPresent: operation, command) {
      conclude(id, verdict)
      return
    }
    switch operation {
    case .none(let verdict): conclude(id, verdict)
    case .send(let request): send(request, nil, for: command, after: .zero)
    case .upload, .download:
      guard var transfer = QueuedTransfer(operation, id: id) else { return }
      if let earliest = transfer.settings?.earliest {
        transfer.settings?.earliest = virtual(earliest)
      }
      note(.transferQueued(id, bytes: transfer.bytes))
      act(device.transferQueued(transfer, at: now))
    case .adopt: break
    case .materialize(let plan, let path):
      let duration = disk.duration(of: plan)
      guard duration > .zero else {
        write(id, plan, path)
        return
      }
      agenda.schedule(.file(id, plan, path: path), at: now + duration)
    }
  }

  /// Why the step's result was invalidated, according to its state.
  private func earlierFailure(_ command: Command) -> Failure? {
    guard let step = pipeline.step(of: command.id) else { return nil }
    let frame = command.scope.frame(of: step)
    return frame.indices.contains(step.position) ? frame[step.position].failure : nil
  }

  private mutating func write(_ id: EffectID, _ plan: MaterializationPlan, _ path: String) {
    guard let flight = inFlight[id] else { return }
    let outcome: Result<FileValue, FileFailure>
    do throws(FileFailure) {
      let file = try disk.materialize(plan, at: path, now: now)
      note(.wrote(id, file))
      outcome = .success(file)
    } catch {
      note(.writeFailed(id, error))
      outcome = .failure(error)
    }
    conclude(id, interpreter.verdict(on: outcome, duration: now - flight.begun, of: flight.command))
  }

  /// Sends a request whose body reaches the server after `duration`.
  mutating func send(
    _ request: RenderedRequest, _ upload: (file: FileValue, body: Body)?, for command: Command,
    after duration: Duration
  ) {
    var body: [UInt8]? = request.body
    if let upload {
      do throws(FileFailure) {
        let content = try disk.content(of: upload.body)
        body = if case .bytes(let bytes) = content { bytes } else { nil }
      } catch {
        let kind: TransportFailure.Kind = error.kind == .changed ? .fileChanged : .fileUnreadable
        receive(command.id, failure(kind, error.message, mayHaveBeenSent: false, request.url))
        return
      }
    }
    let purpose: SimulatedRequest.Purpose =
      switch command.action {
      case .attempt, .adopt: .attempt
      case .probe: .probe
      case .abandon: .abandon
      }
    let pieces = upload.map { disk.pieces(of: $0.body) }
    var (request, hops, latency) = (request, [Response.Hop](), duration)
    while true {
      let exchange = SimulatedRequest(
        id: command.id, purpose: purpose, request: request, file: upload?.file, body: body,
        pieces: pieces, isRedirected: !hops.isEmpty, at: now)
      note(.sent(exchange))
      if settings.isTraced { keep(request.url.utf8.count + request.body.count) }
      var response = server.respond(to: exchange, for: command)
      for oddity in response.oddities { note(.odd(command.id, oddity)) }
      latency += response.latency
      response.latency = latency
      let received = response.response(to: request, after: hops, sent: now)
      guard hops.count < Redirection.limit,
        let next = Redirection.next(after: received, to: request, hasFile: upload != nil)
      else {
        agenda.schedule(.response(command.id, received), at: max(received.received, now))
        return
      }
      hops.append(Response.Hop(status: received.status, url: request.url))
      request = next
    }
  }

  func failure(
    _ kind: TransportFailure.Kind, _ message: String, mayHaveBeenSent: Bool, _ url: String
  ) -> Response {
    Response(
      status: 0, url: url,
      error: TransportFailure(kind, message: message, mayHaveBeenSent: mayHaveBeenSent),
      sent: now, received: now)
  }

  private mutating func receive(_ id: EffectID, _ response: Response) {
    guard let flight = inFlight[id] else { return }
    note(.answered(id, response))
    let hops = interpreter.evaluator.hops(of: response, flight.command.scope)
    if !hops.isEmpty { queue.post(.redirected(id, hops)) }
    if flight.operation.transfer != nil {
      inFlight[id]?.response = response
      act(device.transferAnswered(id, response, at: now))
    } else {
      if let time = serverTime(in: response, flight) { queue.post(time) }
      conclude(id, verdict(on: response, flight))
    }
  }

  mutating func conclude(_ id: EffectID, _ verdict: Verdict) {
    var verdict = verdict
    if let flight = inFlight.removeValue(forKey: id) {
      keepSignIn(verdict, of: flight.command)
      if case .success(let result) = verdict { noteLastTurn(result, of: flight.command) }
      verdict = verdict.lasting(now - flight.begun)
      if case .upload(_, _, let body) = flight.operation, flight.response != nil, body.size > 0 {
        queue.post(.moved(id, from: body.offset, to: body.offset + body.size))
      } else if case .download = flight.operation, case .success(let result) = verdict,
        let size = result.file?.size, size > 0
      {
        queue.post(.moved(id, from: 0, to: size))
      }
    }
    queue.post(.concluded(id, verdict))
  }

  private mutating func interrupt(_ id: EffectID) {
    guard let flight = inFlight[id] else { return }
    note(.interrupted(id))
    let verdict: Verdict
    switch flight.operation {
    case .none(let known): verdict = known
    case .adopt: verdict = .interrupted
    case .materialize:
      let failure = FileFailure(.interrupted, message: "interrupted")
      verdict = interpreter.verdict(
        on: .failure(failure), duration: now - flight.begun, of: flight.command)
    case .send(let request), .upload(let request, _, _), .download(let request, _, _):
      let response = failure(.interrupted, "interrupted", mayHaveBeenSent: true, request.url)
      verdict = self.verdict(on: response, flight)
      if flight.operation.transfer != nil { act(device.transferCancelled(id, at: now)) }
    }
    conclude(id, verdict)
  }

  // MARK: Due events

  mutating func fire(_ due: AgendaEntry) {
    switch due {
    case .response(let id, let response): receive(id, response)
    case .file(let id, let plan, let path): write(id, plan, path)
    case .timer(let number): if number == timer, core != nil { queue.post(.timerFired) }
    case .alarm(let alarm): act(device.alarmFired(alarm, at: now))
    case .intervention(.restart):
      terminate()
      relaunch()
    case .intervention(.pause): ask(.pauseRequested(Failure("paused by the simulation")))
    case .intervention(.cancel): ask(.cancelRequested)
    case .intervention(.freeSpace(let bytes)): disk.capacity = bytes
    case .intervention(.purgeFiles): purgeFiles()
    case .intervention(.changeClock(let step)):
      clocks.change(by: step)
      note(.clockChanged(by: step))
    }
  }

  /// Passes the user's request to the process, or to the next one: it is repeated until it is durable.
  private mutating func ask(_ request: Event) {
    requests.append(request)
    if core != nil { queue.post(request, fromDevice: true) }
  }
}

extension Value {
  /// The approximate size in bytes of its texts and members.
  fileprivate var size: Int {
    var meter = Meter(cost: .max, size: .max)
    try? meter.charge(for: self)
    return 32 * (.max - meter.remaining)
  }
}
