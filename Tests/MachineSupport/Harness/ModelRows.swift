public import PipelineCore

/// The rows of a run's items, as a store would hold them: what a checkpoint says, and nothing more.
public struct ModelRows: Hashable, Sendable {
  /// By loop, then by ordinal.
  public private(set) var items: [[Item]]

  /// Rows of items that have not begun.
  public init(_ subjects: [[Item.Subject]]) {
    items = subjects.enumerated().map { loop, subjects in
      subjects.enumerated().map { ordinal, subject in
        Item(key: ItemKey(loop: loop, ordinal: ordinal), subject: subject)
      }
    }
  }

  /// Rows that a store gave back.
  public init(stored items: [[Item]]) { self.items = items }

  /// Takes in what a checkpoint changed.
  public mutating func commit(_ checkpoint: Machine.Checkpoint) {
    for item in checkpoint.items { items[item.key.loop][item.key.ordinal] = item }
    for loop in checkpoint.cancelledLoops {
      for ordinal in items[loop].indices where items[loop][ordinal].status == .pending {
        items[loop][ordinal].status = .cancelled
      }
    }
  }

  /// Gives a loop its elements.
  public mutating func enumerate(_ loop: Int, _ subjects: [Item.Subject]) {
    items[loop] = subjects.enumerated().map { ordinal, subject in
      Item(key: ItemKey(loop: loop, ordinal: ordinal), subject: subject)
    }
  }

  /// The answer to ``Effect/loadItems(loop:status:after:limit:)``.
  public func load(_ loop: Int, _ status: Item.Status, after: Int, limit: Int) -> Event {
    let found = items[loop].filter { $0.status == status && $0.key.ordinal > after }
    return .itemsLoaded(loop: loop, Array(found.prefix(limit)), isLast: found.count <= limit)
  }

  /// Puts paused and failed rows back, as `pipeline retry` does.
  public mutating func requeue(_ loop: Int) -> Event {
    var paused = 0
    var failed = 0
    for ordinal in items[loop].indices {
      switch items[loop][ordinal].status {
      case .paused: paused += 1
      case .failed: failed += 1
      case .pending, .active, .done, .skipped, .cancelled: continue
      }
      items[loop][ordinal].status = .pending
    }
    return .itemsRequeued(loop: loop, paused: paused, failed: failed)
  }

  /// The rows as a store gives them back: without secrets.
  public var stored: [[Item]] {
    items.map { loop in
      loop.map { item in
        var item = item
        item.frame = item.frame.redacted
        return item
      }
    }
  }
}

extension Frame {
  /// The frame as a store gives it back.
  public var redacted: Frame {
    map { step in
      var step = step
      step.outputs = step.outputs.map(\.redacted)
      return step
    }
  }
}

extension RunState {
  /// The state as a store gives it back to a new process, which knows the secret inputs anew.
  public var stored: RunState {
    var copy = self
    copy.frame = frame.redacted
    for loop in copy.loops.indices {
      copy.loops[loop].ready = []
      copy.loops[loop].isLoading = false
      copy.loops[loop].cursor = -1
      copy.loops[loop].active = loops[loop].active.mapValues { item in
        var item = item
        item.frame = item.frame.redacted
        return item
      }
    }
    return copy
  }
}
