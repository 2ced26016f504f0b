import Basics
import PipelineCore
import PipelineEngine
import PipelinePostgreSQL
import PipelineSimulator

/// Machines, their clocks, and their leases.
extension ShardSwarm {
  /// The time of a worker's clock.
  func local(_ worker: Int) -> Instant {
    let passed = Double((now - Self.start).milliseconds) * workers[worker].pace
    return Self.start + .milliseconds(Int64(passed)) + workers[worker].offset
  }

  func isCut(_ worker: Int) -> Bool { workers[worker].cutUntil > now }

  /// How long a message is on its way to the database, or back: mostly not long.
  mutating func delay() -> Duration {
    if !isCalm, flip(0.03) { return .milliseconds(1000 + random.below(14_000)) }
    return .milliseconds(1 + random.below(20))
  }

  mutating func revive(_ worker: Int) {
    workers[worker].isAlive = true
    agenda.schedule(
      .look(worker: worker, life: workers[worker].life),
      at: now + .milliseconds(random.below(500)))
    agenda.schedule(.renewal(worker: worker, life: workers[worker].life), at: now + terms.renewal)
  }

  /// When a stopped process would see its due events; `nil` if it sees it now.
  private func wakes(_ worker: Int) -> Instant? {
    workers[worker].stoppedUntil > now ? workers[worker].stoppedUntil : nil
  }

  private func isCurrent(_ worker: Int, _ life: Int) -> Bool {
    workers[worker].isAlive && workers[worker].life == life
  }

  mutating func fire(_ due: Due) {
    switch due {
    case .strike: strike()
    case .request: request()
    case .arrival(let message): arrive(message)
    case .look(let worker, let life), .renewal(let worker, let life):
      guard isCurrent(worker, life) else { return }
      if let wakes = wakes(worker) { return agenda.schedule(due, at: wakes) }
      if case .look = due { look(worker, life) } else { renew(worker, life) }
    case .claimed(let claim, let asked):
      guard let hand = here(claim.hand, due) else { return }
      own(claim, hand, asked)
    case .renewed(let hand, let asked, let shares):
      guard let hand = here(hand, due) else { return }
      renewed(hand, asked, shares)
    case .turn(let hand): if let hand = here(hand, due) { turn(hand) }
    case .resend(let message): if here(message.hand, due) != nil { resend(message) }
    case .committed(let message, let answer):
      if here(message.hand, due) != nil { committed(message, answer) }
    case .depart(let hand, let command, let operation):
      if let hand = here(hand, due) { depart(hand, command, operation) }
    case .write(let hand, let command, let operation, let left):
      if let hand = here(hand, due) { write(hand, command, operation, left) }
    case .response(let hand, let command, let operation, let response):
      guard let hand = here(hand, due) else { return }
      conclude(
        hand, command.id, interpreter.verdict(on: response, to: operation, of: command))
    case .awaiting(let hand): awaitShards(hand)
    case .awaited(let hand, let isDone):
      guard let hand = here(hand, due), owner(hand) != nil else { return }
      post(
        hand,
        isDone
          ? .itemsEnumerated(loop: 0, count: 0)
          : .enumerationFailed(loop: 0, Failure("the others work on the items")))
    case .timer(let hand, let number):
      guard let hand = here(hand, due), owner(hand)?.timer == number else { return }
      post(hand, .timerFired)
    }
  }

  /// The hand if its process lives and is not stopped; a stopped one sees `due` when it wakes up.
  private mutating func here(_ hand: Hand, _ due: Due) -> Hand? {
    guard isCurrent(hand.worker, hand.life) else { return nil }
    guard let wakes = wakes(hand.worker) else { return hand }
    agenda.schedule(due, at: wakes)
    return nil
  }

  // MARK: Leases

  private mutating func look(_ worker: Int, _ life: Int) {
    agenda.schedule(.look(worker: worker, life: life), at: now + .seconds(1))
    guard workers[worker].owners.count < atMost, !isCut(worker) else { return }
    let asked = local(worker)
    guard let (shard, epoch, shares) = table.claim(worker, at: now, local: asked) else { return }
    let requeued = table.requeueLeft(shard, epoch)
    guard let state = try? table.rows[shard].table.load() else { return }
    // A response that is lost leaves a lease that no worker uses.
    guard isCalm || !flip(0.05) else { return see("claim lost") }
    let hand = Hand(worker: worker, life: life, shard: shard, epoch: epoch)
    agenda.schedule(
      .claimed(
        Claim(
          hand: hand, state: state, last: table.rows[shard].last, shares: shares, requeued: requeued
        ),
        asked: asked),
      at: now + delay())
  }

  private mutating func own(_ claim: Claim, _ hand: Hand, _ asked: Instant) {
    let began: [Event] =
      hand.epoch == 1
      ? [.runBegan] : claim.state.status == .paused ? [.runResumed, .unpaused] : [.runResumed]
    let from = bug == .leaseFromAnswer ? local(hand.worker) : asked
    workers[hand.worker].owners[hand.shard] = Owner(
      core: RunCore(read(claim), epoch: hand.epoch, evaluator: interpreter.evaluator),
      epoch: hand.epoch, events: [], safeUntil: from + terms.safe, last: claim.last,
      shares: claim.shares)
    checkParts()
    let machine = bug == .faultCountedAgainstItem ? nil : "machine \(hand.worker)"
    let limits = Event.limitsKnown(ProcessLimits(worker: machine, shares: claim.shares))
    let first = bug == .limitsKnownLate ? began + [limits] : [limits] + began
    for event in first + claim.requeued { post(hand, event) }
    // The only shard of a run, and its lead, have the rate to themselves.
    let startsEmpty = hand.epoch == 1 && table.rows.count > 2
    rate.claims.append(RateCheck.Claim(at: now, shard: hand.shard, startsEmpty: startsEmpty))
  }

  /// The state that an earlier owner left, as a worker with the bug reads it.
  private func read(_ claim: Claim) -> RunState {
    var state = claim.state
    guard bug == .untilFromRequest else { return state }
    for loop in state.loops.indices {
      for (ordinal, item) in state.loops[loop].active {
        for (position, step) in zip(item.frame.indices, pipeline.steps(of: item.key))
        where item.frame[position].status == .running && pipeline.steps[step].probe != nil {
          state.loops[loop].active[ordinal]?.frame[position].status = .unknown
          state.loops[loop].active[ordinal]?.frame[position].unknownSince =
            item.frame[position].since
        }
      }
    }
    return state
  }

  private mutating func renew(_ worker: Int, _ life: Int) {
    agenda.schedule(.renewal(worker: worker, life: life), at: now + terms.renewal)
    guard !isCut(worker), isCalm || !flip(0.1) else { return }
    let asked = local(worker)
    // One response for all; those that leave something to others come first.
    let delay = delay()
    let owners = workers[worker].owners.sorted { $0.value.shares < $1.value.shares }
    let mine = Set(
      owners.filter { table.renew(worker, $0.key, $0.value.epoch, at: now) }.map(\.key))
    if table.held(at: now) > table.slots {
      result.violations.append(
        "\(table.held(at: now)) shards have leases, and \(table.slots) slots")
    }
    for (shard, owner) in owners {
      let shares =
        mine.contains(shard)
        ? table.divide(shard, using: owner.shares, of: mine, at: now) : nil
      workers[worker].owners[shard]?.asked = asked
      let hand = Hand(worker: worker, life: life, shard: shard, epoch: owner.epoch)
      agenda.schedule(.renewed(hand, asked: asked, shares: shares), at: now + delay)
    }
  }

  private mutating func renewed(_ hand: Hand, _ asked: Instant, _ shares: Int?) {
    guard let owner = owner(hand) else { return }
    guard let shares else {
      see("lease found lost")
      workers[hand.worker].owners[hand.shard] = nil
      return
    }
    guard asked == owner.asked else { return }
    let from = bug == .leaseFromAnswer ? local(hand.worker) : asked
    workers[hand.worker].owners[hand.shard]?.safeUntil = max(owner.safeUntil, from + terms.safe)
    guard shares != owner.shares else { return }
    see("rate divided again")
    workers[hand.worker].owners[hand.shard]?.shares = shares
    post(hand, .sharesChanged(shares))
    checkParts()
  }

  /// No more of the rate is used than there is; new shards together may have a sixteenth in addition.
  private mutating func checkParts() {
    var parts = 0.0
    for (worker, process) in workers.enumerated() {
      for (shard, owner) in process.owners {
        let row = table.rows[shard]
        guard row.worker == worker, row.epoch == owner.epoch, row.leaseUntil >= now,
          owner.safeUntil > local(worker)
        else {
          continue
        }
        parts += 1 / Double(owner.shares)
      }
    }
    if parts > 17.0 / 16 + 1e-6 {
      result.violations.append("the shards use \(parts) times the rate")
    }
  }

  /// The owner, if it is still that of the hand.
  func owner(_ hand: Hand) -> Owner? {
    guard let owner = workers[hand.worker].owners[hand.shard], owner.epoch == hand.epoch else {
      return nil
    }
    return owner
  }

  /// The user requests something from their own machine, which changes nothing but the table.
  private mutating func request() {
    see("requested")
    let machine = workers.count - 1
    table.resume()
    if bug == .requestProcesses { revive(machine) }
    if !isCalm { agenda.schedule(.request, at: now + .milliseconds(1000 + random.below(60_000))) }
  }

  // MARK: Faults

  private mutating func strike() {
    guard !isCalm else { return }
    agenda.schedule(.strike, at: now + .milliseconds(500 + random.below(7500)))
    let worker = random.below(workers.count - 1)
    guard workers[worker].isAlive else { return }
    let until = now + .milliseconds(1000 + random.below(29_000))
    switch random.below(3) {
    case 0:
      see("killed")
      workers[worker].life += 1
      workers[worker].owners = [:]
      workers[worker].stoppedUntil = now
      revive(worker)
    case 1:
      see("stopped")
      workers[worker].stoppedUntil = until
    default:
      see("cut off")
      workers[worker].cutUntil = until
    }
  }

  // MARK: Batches on their way

  mutating func send(_ message: CommitMessage) {
    guard !isCut(message.hand.worker), isCalm || !flip(0.03) else {
      agenda.schedule(.resend(message), at: now + .seconds(1))
      return
    }
    let delay = delay()
    agenda.schedule(.arrival(message), at: now + delay)
    // Who waits too long sends a copy, and the first may still arrive.
    if delay >= .seconds(1) { agenda.schedule(.resend(message), at: now + .seconds(1)) }
  }

  private mutating func resend(_ message: CommitMessage) {
    guard owner(message.hand)?.pending == message.token else { return }
    see("batch sent again")
    send(message)
  }

  private mutating func arrive(_ message: CommitMessage) {
    let (shard, before) = (message.hand.shard, table.rows[message.hand.shard].stored.count)
    let answer = table.commit(
      message.batch, shard, token: message.token, previous: message.previous)
    if table.rows[shard].stored.count > before, table.rows[shard].epoch != message.batch.epoch {
      result.violations.append("a batch of an earlier owner was stored")
    }
    if answer == .stale { see("stale batch") }
    guard !isCut(message.hand.worker), isCalm || !flip(0.03) else {
      agenda.schedule(.resend(message), at: now + .seconds(1))
      return
    }
    agenda.schedule(.committed(message, answer), at: now + delay())
  }
}
