public import CEL

/// States of the steps of one scope: of the run, or of one item.
public typealias Frame = [StepState]

/// One element of a loop's list.
public struct Item: Hashable, Sendable {
  /// Where an item stands.
  public enum Status: Int, Hashable, Sendable, CaseIterable {
    /// A row in the store. Can transition to: active, cancelled.
    case pending = 0
    /// In the window. Can transition to: paused, failed, done, skipped, cancelled.
    case active = 1
    /// Waits for `pipeline retry`. Can transition to: pending, cancelled.
    case paused = 2
    /// Failed for good, until `pipeline retry`. Can transition to: pending.
    case failed = 3
    /// Complete.
    case done = 4
    /// Left out by a matcher.
    case skipped = 5
    /// Given up with the run.
    case cancelled = 6
  }

  /// What the item is.
  public enum Subject: Hashable, Sendable {
    /// A file of a `files` input.
    case file(FileValue)
    /// Any other element.
    case value(Value)

    /// The element as expressions see it.
    public var value: Value {
      switch self {
      case .file(let file): file.value
      case .value(let value): value
      }
    }

    /// A short name for people: the file's path, or the value in CEL form.
    public var label: String {
      switch self {
      case .file(let file): file.path
      case .value(.string(let text)): text
      case .value(let value): value.description
      }
    }
  }

  /// Which item it is.
  public let key: ItemKey
  /// What it is.
  public let subject: Subject
  /// Where it stands.
  public var status: Status
  /// Its steps, in the order of the loop; empty before the first activation.
  public var frame: Frame
  /// Why it is paused, failed or skipped.
  public var reason: Failure?
  /// How far the item's compensations are: of an active item those that are being sent, of one that
  /// left the window those that could not be carried out (``AbandonProgress/left``).
  public var abandoning: AbandonProgress?

  /// Makes an item.
  public init(
    key: ItemKey, subject: Subject, status: Status = .pending, frame: Frame = [],
    reason: Failure? = nil, abandoning: AbandonProgress? = nil
  ) {
    self.key = key
    self.subject = subject
    self.status = status
    self.frame = frame
    self.reason = reason
    self.abandoning = abandoning
  }

  /// An item on its way out, or one that has left something at the server.
  public struct AbandonProgress: Hashable, Sendable {
    /// Index in ``Loop/onAbandon`` of the request whose turn it is.
    public var index: Int
    /// Requests sent so far; makes the fence of each another one.
    public var attempt: Int
    /// What the item becomes when all are through.
    public let next: Status
    /// Whether the server said of one of them that it took back what the item left.
    public var isUndone: Bool
    /// Failed attempts of the request whose turn it is, that count toward its policy's limit.
    public var failures = 0
    /// When its first attempt was made.
    public var begun: Instant?
    /// When its last attempt was made.
    public var since: Instant?
    /// Not to be sent before: back-off or `Retry-After`.
    public var notBefore: Instant?
    /// Why its last attempt did not succeed.
    public var failure: Failure?
    /// The only requests to be sent, by index, where an earlier try was left with these; else all.
    public var only: [Int] = []
    /// Requests that could not be carried out, by index.
    public var left: [Int] = []
    /// Why the item is on its way out, without what became of its compensations.
    public var cause: Failure?

    /// Begins giving an item up.
    public init(index: Int, attempt: Int, next: Status, isUndone: Bool = false) {
      self.index = index
      self.attempt = attempt
      self.next = next
      self.isUndone = isUndone
    }
  }

  /// Whether something of it is still at the server although it is out of the window.
  public var isLeftAtServer: Bool { status != .active && abandoning?.left.isEmpty == false }
}

/// How many of a loop's items stand where.
public struct ItemCounts: Hashable, Sendable {
  /// By ``Item/Status``'s raw value.
  private var counts = [Int](repeating: 0, count: Item.Status.allCases.count)

  /// No items.
  public init() {}

  /// The number of items with `status`.
  public subscript(status: Item.Status) -> Int {
    get { counts[status.rawValue] }
    set { counts[status.rawValue] = newValue }
  }

  /// All items.
  public var total: Int { counts.reduce(0, +) }
  /// Items that nothing will move any more without a person: all but pending and active.
  public var settled: Int { total - self[.pending] - self[.active] }
}
