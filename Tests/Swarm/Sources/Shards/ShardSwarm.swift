import Basics
import CEL
import PipelineCore
import PipelineDocument
import PipelineEngine
import PipelinePostgreSQL
import PipelineSimulator

/// What one seed of shards came to.
public struct ShardResult: Sendable {
  /// The seed.
  public let seed: UInt64
  /// Violations.
  public internal(set) var violations: [String] = []
  /// The coverage marks that were reached.
  public internal(set) var seen: [String: Int] = [:]
  /// Requests that reached the server.
  public internal(set) var requests = 0
}

/// Workers on the shards of one run, each with the engine's own core, over one table and one server: machines that stop, sleep and fail, clocks that differ,
/// a way to the database on which messages and answers are lost, late and doubled.
struct ShardSwarm {
  /// The events due at a moment.
  ///
  /// What belongs to a process names its life, and is forgotten with that.
  enum Due {
    case look(worker: Int, life: Int)
    case claimed(Claim, asked: Instant)
    case renewal(worker: Int, life: Int)
    case renewed(Hand, asked: Instant, shares: Int?)
    case turn(Hand)
    case resend(CommitMessage)
    case arrival(CommitMessage)
    case committed(CommitMessage, ShardTable.Answer)
    case depart(Hand, Command, PortOperation)
    case write(Hand, Command, PortOperation, left: Int)
    case response(Hand, Command, PortOperation, Response)
    case timer(Hand, number: Int)
    case awaiting(Hand)
    case awaited(Hand, isDone: Bool)
    case strike
    case request
  }

  /// A shard in the hands of one life of a worker.
  struct Hand {
    let worker: Int
    let life: Int
    let shard: Int
    let epoch: Int
  }

  /// The state that a worker received when it claimed a shard.
  struct Claim {
    let hand: Hand
    let state: RunState
    let last: UInt64
    let shares: Int
    /// Items that other workers left, and this one is to try.
    let requeued: [Event]
  }

  /// A batch on its way, and whose it is.
  struct CommitMessage {
    let hand: Hand
    let batch: CheckpointBatch
    let effects: [Effect]
    let token: UInt64
    let previous: UInt64
    /// Whether its requests may leave at once, so that they count towards the rate when they are decided.
    let mayCount: Bool
  }

  /// A shard in the hands of a worker.
  struct Owner {
    var core: RunCore
    let epoch: Int
    var events: [Event]
    /// Until when requests may leave, on the worker's clock.
    var safeUntil: Instant
    var last: UInt64
    /// Among how many shards it divides the rate.
    var shares: Int
    /// When it last asked for a renewal: a worker waits for the response before it asks again, so that no earlier one counts.
    var asked: Instant?
    /// The batch that is not answered.
    var pending: UInt64?
    var inFlight: Set<EffectID> = []
    var timer = 0
    var isTurnDue = false
  }

  /// One process, on a machine with a clock of its own.
  struct Worker {
    var life = 0
    var isAlive = true
    /// Stopped, or asleep, until then.
    var stoppedUntil = Instant(milliseconds: 0)
    /// Without a way to the database until then.
    var cutUntil = Instant(milliseconds: 0)
    let offset: Duration
    let pace: Double
    var owners: [Int: Owner] = [:]
    /// Its machine lacks every file whose number divided by this leaves 0.
    var lacks: Int?
  }

  var result: ShardResult
  var random: SplitMix64
  var agenda = Agenda<Due>()
  var now = Self.start
  var table: ShardTable
  var server = ShardServer()
  var rate = RateCheck()
  var workers: [Worker]
  let pipeline: Pipeline
  let interpreter: Interpreter
  let bug: ShardBug?
  let terms = LeaseTerms(length: .seconds(10))
  let atMost = 2
  let files: Int
  /// From when on nothing goes wrong any more.
  let calmFrom: Instant

  static let start = Instant(milliseconds: 1_767_600_000_000)
  private static let limit = Duration.seconds(4 * 3600)

  init(seed: UInt64, bug: ShardBug?) {
    var random = SplitMix64(seed: seed)
    result = ShardResult(seed: seed)
    self.bug = bug
    let whole = Self.whole
    let shards = 1 + random.below(5)
    let slots = 1 + random.below(shards)
    pipeline = whole
    interpreter = Interpreter(Evaluator(pipeline))
    files = 3 + random.below(15)
    calmFrom = Self.start + .seconds(120)
    let subjects = (0..<files).map { number in
      Item.Subject.file(FileValue(path: "/f/\(number)", name: "\(number)", size: 1, modified: 0))
    }
    let rows = (0...shards).map { number -> ShardTable.Row in
      var table = CheckpointTable(ValueForm(), of: whole)
      let shard = Shard(stored: number, of: shards)
      let state = RunState(
        id: RunID("run.\(number)"), pipeline: whole, inputs: [:], secrets: [:],
        seed: random.next(), began: Self.start, keySeed: "\(seed)-\(number)", shard: shard)
      let own = EnumeratedLoop(loop: 0) { yield in
        for subject in subjects where shard?.owns(subject) == true { try yield(subject) }
      }
      let isLead = number == Shard.leadNumber
      if isLead { _ = try? table.create(state, items: []) }
      return ShardTable.Row(table: table, first: state, items: isLead ? [] : [own])
    }
    table = ShardTable(rows: rows, slots: slots, lease: terms.length, bug: bug)
    workers = (0..<2 + random.below(3)).map { _ in
      Worker(
        offset: .milliseconds(random.below(120_000) - 60_000),
        pace: 0.95 + random.nextFraction() * 0.1)
    }
    // Two may lack something, and one more would be enough to agree; the last is the user's machine, which has no files and no business with shards.
    let lacking = random.below(3) == 0 ? 2 : 0
    for worker in workers.indices.dropFirst().prefix(lacking) where random.below(4) > 0 {
      workers[worker].lacks = 1 + random.below(4)
    }
    workers.append(Worker(isAlive: false, offset: .zero, pace: 1, lacks: 1))
    self.random = random
  }

  private static let whole: Pipeline = {
    do throws(PipelineLibrary.Problem) {
      return try PipelineLibrary.load(ShardServer.pipeline, "shards").pipeline
    } catch {
      preconditionFailure(error.message)
    }
  }()

  /// Works until all shards have ended.
  mutating func execute() -> ShardResult {
    for worker in workers.indices.dropLast() { revive(worker) }
    agenda.schedule(.request, at: now + .milliseconds(random.below(60_000)))
    agenda.schedule(.strike, at: now + .seconds(2))
    while !table.rows.allSatisfy(\.hasEnded), result.violations.count < 5 {
      guard let next = agenda.next, next <= Self.start + Self.limit else {
        result.violations.append("not all shards have ended: \(table.rows.map { $0.hasEnded })")
        break
      }
      now = max(now, next)
      while let due = agenda.popDue(by: now) { fire(due.entry) }
    }
    judge()
    return result
  }

  private mutating func judge() {
    result.requests = server.requests
    if result.violations.isEmpty,
      server.albums != 1 || server.published != 1 || server.strays > 0
    {
      result.violations.append(
        "\(server.albums) albums, published \(server.published) times, \(server.strays) stray requests"
      )
    }
    for number in 0..<files where result.violations.isEmpty {
      for (word, count) in [
        ("finalized", server.finalized["\(number)"]), ("allocated", server.allocated["\(number)"]),
      ] where count != 1 {
        result.violations.append("file \(number) was \(word) \(count ?? 0) times")
      }
    }
    for (shard, row) in table.rows.enumerated() where Set(row.stored).count != row.stored.count {
      result.violations.append("shard \(shard) has a batch twice")
    }
    if result.violations.isEmpty, let excess = rate.excess(over: pipeline.budgets.rates[0]) {
      result.violations.append(excess)
    }
  }

  mutating func flip(_ chance: Double) -> Bool { random.nextFraction() < chance }
  mutating func see(_ what: String) { result.seen[what, default: 0] += 1 }
  var isCalm: Bool { now >= calmFrom }
}

extension SplitMix64 {
  /// From 0 to `count` − 1.
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}
