import Basics
import PipelineCore
import PipelineEngine
import PipelinePostgreSQL
import PipelineSimulator

/// The engine's core in the hands of a worker: apply, commit, perform.
extension ShardSwarm {
  mutating func post(_ hand: Hand, _ event: Event) {
    guard var owner = owner(hand) else { return }
    owner.events.append(event)
    let isDue = owner.isTurnDue
    owner.isTurnDue = true
    workers[hand.worker].owners[hand.shard] = owner
    if !isDue { agenda.schedule(.turn(hand), at: now) }
  }

  mutating func turn(_ hand: Hand) {
    guard var owner = owner(hand) else { return }
    owner.isTurnDue = false
    defer { if self.owner(hand) != nil { workers[hand.worker].owners[hand.shard] = owner } }
    guard owner.pending == nil, !owner.events.isEmpty else { return }
    let events = owner.events
    owner.events = []
    let turn = owner.core.turn(events, at: now)
    let token = random.next()
    owner.pending = token
    send(
      CommitMessage(
        hand: hand, batch: turn.batch, effects: turn.effects, token: token, previous: owner.last,
        mayCount: local(hand.worker) < owner.safeUntil))
  }

  mutating func committed(_ message: CommitMessage, _ answer: ShardTable.Answer) {
    let hand = message.hand
    guard var owner = owner(hand), owner.pending == message.token else { return }
    guard answer == .stored else {
      workers[hand.worker].owners[hand.shard] = nil
      return
    }
    owner.pending = nil
    owner.last = message.token
    workers[hand.worker].owners[hand.shard] = owner
    for effect in message.effects {
      if message.mayCount, case .perform(let command) = effect,
        case .send = interpreter.operation(for: command)
      {
        rate.sent.append(message.batch.at)
      }
      perform(effect, hand)
    }
    guard let now = self.owner(hand), now.pending == nil else { return }
    if now.events.isEmpty, now.core.hasStopped {
      let state = now.core.machine.state
      if table.left(hand.shard, state).isEmpty, state.reason?.lacking == nil {
        table.release(
          hand.worker, hand.shard, hand.epoch, hasEnded: state.status == .finished)
      } else {
        see("left to others")
        table.leave(hand.worker, hand.shard, hand.epoch, at: self.now)
      }
      workers[hand.worker].owners[hand.shard] = nil
    } else if !now.events.isEmpty, !now.isTurnDue {
      workers[hand.worker].owners[hand.shard]?.isTurnDue = true
      agenda.schedule(.turn(hand), at: self.now)
    }
  }

  private mutating func perform(_ effect: Effect, _ hand: Hand) {
    switch effect {
    case .perform(let command):
      workers[hand.worker].owners[hand.shard]?.inFlight.insert(command.id)
      switch interpreter.operation(for: command) {
      case .none(let verdict): conclude(hand, command.id, verdict)
      case .send(let request) where isLacking(hand.worker, request):
        conclude(hand, command.id, .fail(Failure("no such file", lacking: .files)))
      case .send(let request):
        if hand.worker == workers.count - 1 {
          result.violations.append("a process that recorded a request works on shard \(hand.shard)")
        }
        agenda.schedule(
          .depart(hand, command, .send(request)), at: now + .milliseconds(random.below(30)))
      case .upload, .download, .adopt, .materialize:
        preconditionFailure("the pipeline of this swarm sends requests alone")
      }
    case .interrupt(let id): conclude(hand, id, .interrupted)
    case .setTimer(let instant):
      let number = (owner(hand)?.timer ?? 0) + 1
      workers[hand.worker].owners[hand.shard]?.timer = number
      agenda.schedule(.timer(hand, number: number), at: max(instant, now))
    case .loadItems(let loop, let status, let after, let limit):
      let items = try? table.rows[hand.shard].table.items(
        loop: loop, status: status, after: after, limit: limit)
      post(
        hand,
        .itemsLoaded(loop: loop, items ?? [], isLast: (items?.count ?? 0) < limit))
    case .discardFiles(let key, let bytes, _): post(hand, .filesDiscarded(key, bytes: bytes))
    case .enumerate: agenda.schedule(.awaiting(hand), at: now + delay())
    case .answerRenewal, .endAllowance, .stop: break
    }
  }

  private func isLacking(_ worker: Int, _ request: RenderedRequest) -> Bool {
    let parts = request.url.split(separator: "/")
    guard let lacks = workers[worker].lacks, parts.dropLast().last == "allocate",
      let number = parts.last.flatMap({ Int($0) })
    else { return false }
    return number.isMultiple(of: lacks)
  }

  /// The lead's question reaches the table; a question or a response that is lost is asked again.
  mutating func awaitShards(_ hand: Hand) {
    guard owner(hand) != nil else { return }
    guard !isCut(hand.worker), isCalm || !flip(0.1), let isDone = table.awaitShards(hand.epoch)
    else {
      return agenda.schedule(.awaiting(hand), at: now + .seconds(1))
    }
    see(isDone ? "lead went on" : "lead waited")
    if !isCalm, flip(0.1) { return agenda.schedule(.awaiting(hand), at: now + .seconds(1)) }
    agenda.schedule(.awaited(hand, isDone: isDone), at: now + delay())
  }

  mutating func conclude(_ hand: Hand, _ id: EffectID, _ verdict: Verdict) {
    guard workers[hand.worker].owners[hand.shard]?.inFlight.remove(id) != nil,
      owner(hand) != nil
    else { return }
    post(hand, .concluded(id, verdict))
  }

  /// A request leaves the process, if its gate is open.
  mutating func depart(_ hand: Hand, _ command: Command, _ operation: PortOperation) {
    guard let owner = owner(hand), owner.inFlight.contains(command.id) else { return }
    guard local(hand.worker) < owner.safeUntil || bug == .gateForgotten else {
      see("held at the gate")
      agenda.schedule(.depart(hand, command, operation), at: now + .milliseconds(100))
      return
    }
    // A large body leaves piece by piece, for longer than a lease may last.
    let pieces = !isCalm && flip(0.15) ? random.below(30) : 0
    write(hand, command, operation, pieces)
  }

  /// A piece of a request leaves the process; with the last one it takes effect.
  mutating func write(
    _ hand: Hand, _ command: Command, _ operation: PortOperation, _ left: Int
  ) {
    guard let owner = owner(hand), owner.inFlight.contains(command.id),
      let request = operation.request
    else { return }
    guard local(hand.worker) < owner.safeUntil || [.gateForgotten, .bodyNotGated].contains(bug)
    else {
      see("a body was cut off with its lease")
      return conclude(hand, command.id, .interrupted)
    }
    let row = table.rows[hand.shard]
    if row.epoch != hand.epoch || row.leaseUntil < now {
      result.violations.append(
        "a request of worker \(hand.worker) left for shard \(hand.shard), which may be another's")
    }
    guard left == 0 else {
      return agenda.schedule(
        .write(hand, command, operation, left: left - 1), at: now + .seconds(1))
    }
    let (lost, refused) = (!isCalm && flip(0.03), !isCalm && flip(0.05))
    if refused { return answer(hand, command, operation, 503, "{}") }
    let isSent = !(lost && flip(0.5))
    var told = (status: 0, body: "")
    if isSent { told = server.respond(to: request, at: now) }
    guard lost else { return answer(hand, command, operation, told.status, told.body) }
    see("response lost")
    let failure = TransportFailure(
      .connectionLost, message: "the connection broke", mayHaveBeenSent: true)
    let over = now + .milliseconds(500 + random.below(3000))
    agenda.schedule(
      .response(
        hand, command, operation,
        Response(status: 0, url: request.url, error: failure, sent: now, received: over)),
      at: over)
  }

  private mutating func answer(
    _ hand: Hand, _ command: Command, _ operation: PortOperation, _ status: Int, _ body: String
  ) {
    let over = now + .milliseconds(10 + random.below(isCalm ? 50 : 1500))
    let response = Response(
      status: status, headers: [.init(name: "Content-Type", value: "application/json")],
      body: Array(body.utf8), url: operation.request?.url ?? "", sent: now, received: over)
    agenda.schedule(.response(hand, command, operation, response), at: over)
  }
}
