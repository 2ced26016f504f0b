public import CEL

/// States of the steps of one scope: of the run, or of one item.
public typealias Frame = [StepState]

/// One element of a loop's list.
public struct Item: Hashable, Sendable {
  /// The state of an item.
  public enum Status: Int, Hashable, Sendable, Codable, CaseIterable {
    /// A row in the store. Can transition to: active, cancelled.
    case pending = 0
    /// In the window. Can transition to: paused, failed, done, skipped, cancelled.
    case active = 1
    /// Waits for `pipeline retry`. Can transition to: pending, cancelled.
    case paused = 2
    /// Failed, until `pipeline retry`. Can transition to: pending.
    case failed = 3
    /// Complete.
    case done = 4
    /// Skipped by a matcher.
    case skipped = 5
    /// Cancelled with the run.
    case cancelled = 6
  }

  /// The subject of an item.
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

    /// Members by which users identify an object, the best first.
    private static let names = [
      "name", "path", "relative", "filename", "file_name", "file", "title", "key", "id", "url",
    ]

    /// A short label: the file's path, what names an object, or the value in CEL form.
    public var label: String {
      switch self {
      case .file(let file): return file.path
      case .value(.string(let text)): return text
      case .value(let value):
        guard case .map(let map) = value else { return value.description }
        for name in Self.names {
          switch map[name] {
          case .string(let text)? where !text.isEmpty: return text
          case .int(let number)?: return String(number)
          default: continue
          }
        }
        return value.description
      }
    }
  }

  /// The item's key.
  public let key: ItemKey
  /// The item's subject.
  public private(set) var subject: Subject
  /// The item's state.
  public var status: Status
  /// Its steps, in the order of the loop; empty before the first activation.
  public var frame: Frame
  /// Why it is paused, failed or skipped.
  public var reason: Failure?
  /// The compensations being sent, or, outside the window, those that failed (``AbandonProgress/left``).
  public var abandoning: AbandonProgress?
  /// What results that were replaced may have left at the server.
  public var remnants: [Remnant]
  /// Bytes that its transfers, with those of parts and turns, have moved over the network;
  /// bytes that were moved repeatedly count once.
  public var bytesMoved: Int64
  /// The workers at which it failed for resources that their machines lack, until enough agree.
  public var refusedBy: [String]

  /// Makes an item.
  public init(
    key: ItemKey, subject: Subject, status: Status = .pending, frame: Frame = [],
    reason: Failure? = nil, abandoning: AbandonProgress? = nil, remnants: [Remnant] = [],
    bytesMoved: Int64 = 0, refusedBy: [String] = []
  ) {
    (self.key, self.subject, self.status, self.frame) = (key, subject, status, frame)
    (self.reason, self.abandoning, self.remnants) = (reason, abandoning, remnants)
    (self.bytesMoved, self.refusedBy) = (bytesMoved, refusedBy)
  }

  /// The same item with a file that has the same bytes.
  package func with(_ file: FileValue) -> Item {
    var item = self
    item.subject = .file(file)
    return item
  }

  /// An item that is being abandoned, has left something at the server, or still has remnants to undo.
  ///
  /// Requests are counted from 0: those of ``Loop/onAbandon``, and then one for each of ``Item/remnants``.
  public struct AbandonProgress: Hashable, Sendable {
    /// Index of the current request.
    public var index: Int
    /// Requests sent so far; makes the fence of each unique.
    public var attempt: Int
    /// The item's final state after all requests.
    public let next: Status
    /// Whether the server confirmed for one of them that it undid the item's effects.
    public var isUndone: Bool
    /// Failed attempts of the current request that count toward its policy's limit.
    public var failures = 0
    /// When its first attempt started.
    public var begun: Instant?
    /// When its last attempt started.
    public var since: Instant?
    /// Not to be sent before: back-off or `Retry-After`.
    public var notBefore: Instant?
    /// Why its last attempt failed.
    public var failure: Failure?
    /// The only requests to send, by index, if an earlier try left these over; otherwise all.
    public var only: [Int] = []
    /// Requests that could not be carried out, by index.
    public var left: [Int] = []
    /// Why the item is abandoned, without the outcome of its compensations.
    public var cause: Failure?

    /// Starts abandoning an item.
    public init(index: Int, attempt: Int, next: Status, isUndone: Bool = false) {
      (self.index, self.attempt, self.next, self.isUndone) = (index, attempt, next, isUndone)
    }
  }

  /// Whether it has left the window but still has something at the server.
  public var isLeftAtServer: Bool { status != .active && abandoning?.left.isEmpty == false }
}

/// The number of a loop's items in each state.
public struct ItemCounts: Hashable, Sendable {
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
  /// Items that will not move without the user: all except pending and active.
  public var settled: Int { total - self[.pending] - self[.active] }
}

extension Item.Status {
  /// The word for the state, the same in every report.
  package var word: String {
    switch self {
    case .pending: "pending"
    case .active: "active"
    case .paused: "paused"
    case .failed: "failed"
    case .done: "done"
    case .skipped: "skipped"
    case .cancelled: "cancelled"
    }
  }
}
