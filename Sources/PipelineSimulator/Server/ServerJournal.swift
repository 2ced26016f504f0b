public import PipelineCore

/// What a simulated server was sent and what it did, in order.
public struct ServerJournal: Hashable, Sendable {
  /// One request that was sent to it.
  public struct Delivery: Hashable, Sendable {
    /// What became of a request.
    public enum Outcome: Hashable, Sendable {
      /// It took effect: the commit with this number.
      case committed(Int)
      /// It showed a key that is known: the answer of the commit with this number was given again.
      case repeated(Int)
      /// A probe, and what it was told.
      case probed(isDone: Bool)
      /// A compensation.
      case abandoned
      /// It used a dead result of the step with this index.
      case refused(status: Int, step: Int)
      /// 503; nothing was done.
      case serverError
      /// 429; nothing was done.
      case throttled
      /// It never arrived.
      case lost
    }

    /// When it was sent.
    public let at: Instant
    /// The fence of the command behind it.
    public let id: EffectID
    /// What it was for.
    public let purpose: SimulatedRequest.Purpose
    /// What became of it.
    public let outcome: Outcome
    /// Whether the answer was lost on its way back.
    public let isReplyLost: Bool
    /// Whether the network delivered one request a second time.
    public let isDuplicate: Bool
    /// Which entry of `on_abandon` a compensation is; `nil` for what is none.
    public let entry: Int?
    /// Numbers of the commits that a compensation is for, in order.
    public let undone: [Int]
  }

  /// One effect of a step.
  public struct Commit: Hashable, Sendable {
    /// Place among the commits, from 1; ids in answers that are made up end with it.
    public let number: Int
    /// The fence of the attempt.
    public let id: EffectID
    /// The idempotency key that it showed.
    public let key: String?
    /// When it happened.
    public let at: Instant
    /// Whether it comes from a second delivery of one request by the network.
    public let isDuplicate: Bool
    /// When its result was last used by another request; only kept for results that others read.
    public internal(set) var used: Instant?
    /// When a compensation took it back.
    public internal(set) var abandoned: Instant?
    /// When all that it left died early.
    public internal(set) var died: Instant?
  }

  /// Every request, in order.
  public private(set) var deliveries: [Delivery] = []
  /// Every effect, in order.
  public private(set) var commits: [Commit] = []

  /// Nothing has happened.
  public init() {}

  mutating func note(_ delivery: Delivery) { deliveries.append(delivery) }

  mutating func commit(
    _ id: EffectID, key: String?, at now: Instant, isDuplicate: Bool
  ) -> Int {
    let number = commits.count + 1
    commits.append(
      Commit(number: number, id: id, key: key, at: now, isDuplicate: isDuplicate))
    return number
  }

  mutating func noteUse(of number: Int, at now: Instant) { commits[number - 1].used = now }

  mutating func noteDeath(of number: Int, at now: Instant) { commits[number - 1].died = now }

  mutating func noteAbandonment(of number: Int, at now: Instant) {
    commits[number - 1].abandoned = now
  }

  /// The effects of a step for an item, in order.
  public func commits(of step: Int, item: ItemKey?) -> [Commit] {
    commits.filter { $0.id.step == step && $0.id.item == item }
  }
}
