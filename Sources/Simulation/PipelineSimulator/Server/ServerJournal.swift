/// The requests and effects of a simulated server, in order.
public struct ServerJournal: Hashable, Sendable {
  /// One request that was sent to it.
  public struct Delivery: Hashable, Sendable {
    /// The outcome of a request.
    public enum Outcome: Hashable, Sendable {
      /// It took effect: the commit with this number.
      case committed(Int)
      /// It sent a known key: the response of the commit with this number was replayed.
      case repeated(Int)
      /// A probe, with its result.
      case probed(isDone: Bool)
      case abandoned
      /// It used an expired result of the step with this index.
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
    public let purpose: SimulatedRequest.Purpose
    public let outcome: Outcome
    /// Whether the response was lost, and whether the network delivered the request a second time.
    public let isReplyLost, isDuplicate: Bool
    /// The index of a compensation in `on_abandon`; `nil` for other requests.
    public let entry: Int?
    /// Numbers of the commits that a compensation undoes, in order.
    public let undone: [Int]
  }

  /// One effect of a step.
  public struct Commit: Hashable, Sendable {
    /// Position among the commits, from 1; ids in derived responses end with it.
    public let number: Int
    /// Index of the step.
    public let step: Int
    /// The fence of the attempt.
    public let id: EffectID
    /// The idempotency key that it sent.
    public let key: String?
    /// When it happened.
    public let at: Instant
    /// Whether it comes from a second delivery of one request by the network.
    public let isDuplicate: Bool
    /// When its result was last used by another request; recorded only for results that others read.
    public internal(set) var used: Instant?
    /// When a compensation undid it.
    public internal(set) var abandoned: Instant?
    /// When everything that it left expired early.
    public internal(set) var died: Instant?
  }

  /// Every request, in order.
  public private(set) var deliveries: [Delivery] = []
  /// Every effect, in order.
  public private(set) var commits: [Commit] = []
  /// The numbers of the effects of a step for an item and its parts: a search among all would be too slow.
  private var numbers: [StepOfItem: [Int]] = [:]

  /// An empty journal.
  public init() {}
  mutating func note(_ delivery: Delivery) { deliveries.append(delivery) }

  mutating func commit(
    _ step: Int, _ id: EffectID, key: String?, at now: Instant, isDuplicate: Bool
  ) -> Int {
    let number = commits.count + 1
    numbers[StepOfItem(step: step, item: id.item?.whole), default: []].append(number)
    commits.append(
      Commit(number: number, step: step, id: id, key: key, at: now, isDuplicate: isDuplicate))
    return number
  }

  mutating func noteUse(of number: Int, at now: Instant) { commits[number - 1].used = now }
  mutating func noteDeath(of number: Int, at now: Instant) { commits[number - 1].died = now }

  mutating func noteAbandonment(of number: Int, at now: Instant) {
    commits[number - 1].abandoned = now
  }

  /// The effects of a step for an item and its parts, in order.
  public func commits(of step: Int, item: ItemKey?) -> [Commit] {
    (numbers[StepOfItem(step: step, item: item?.whole)] ?? []).map { commits[$0 - 1] }
  }
}

/// The received parts of items' files: an item that sends something of its file is done only when the server has all of it.
struct ReceivedPieces: Sendable {
  private var ranges: [ItemKey: [Range<Int64>]] = [:]

  /// Adds the pieces of the item's file among those of a body; without any, the item is noted as one that sends its file.
  mutating func note(_ pieces: [Body.Piece], of scope: Scope) {
    guard let item = scope.item?.whole, case .file(let subject)? = scope.subject else { return }
    for case .file(let file, let offset, let length) in pieces where file.path == subject.path {
      ranges[item, default: []].append(offset..<(offset + length))
    }
    if pieces.isEmpty { ranges[item, default: []] += [] }
  }

  /// The bytes of the file of an item that sends it, if some are missing.
  func shortfall(of item: ItemKey, _ file: FileValue) -> Int64? {
    guard let known = ranges[item.whole] else { return nil }
    var (bytes, end): (Int64, Int64) = (0, 0)
    for range in known.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      bytes += max(range.upperBound - max(range.lowerBound, end), 0)
      end = max(end, range.upperBound)
    }
    return bytes < file.size ? bytes : nil
  }
}
