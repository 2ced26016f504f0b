public import CEL
public import PipelineCore

/// The rows of a run and of its items, as a store would hold them: the content of checkpoints,
/// and nothing more.
public struct ModelRows: Hashable, Sendable {
  /// By loop, then by ordinal.
  public private(set) var items: [[Item]]
  /// The run's own row; `nil` before the first checkpoint.
  public private(set) var run: RunState?

  /// The values collected from the finished parts.
  public private(set) var parts: [ItemKey: [Value]] = [:]
  private let pipeline: Pipeline

  /// Rows of items that have not started.
  public init(_ subjects: [[Item.Subject]], of pipeline: Pipeline) {
    self.pipeline = pipeline
    items = subjects.enumerated().map { loop, subjects in
      subjects.enumerated().map { ordinal, subject in
        Item(key: ItemKey(loop: loop, ordinal: ordinal), subject: subject)
      }
    }
  }

  /// Equal if the rows are.
  public static func == (left: Self, right: Self) -> Bool {
    left.items == right.items && left.run == right.run && left.parts == right.parts
  }

  /// Hashes the rows.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(items)
    hasher.combine(run)
    hasher.combine(parts)
  }

  /// Applies the changes of a checkpoint of a machine in `state`.
  public mutating func commit(_ checkpoint: Checkpoint, of state: RunState) {
    if run == nil || checkpoint.state != nil { run = state }
    for change in checkpoint.parts {
      switch change {
      case .concluded(let key, let values): parts[key] = values
      case .forgotten(let key, let step):
        parts = parts.filter { $0.key.whole != key || $0.key.part?.step != step }
      }
    }
    // Collected values are only in the rows of the parts, as in a store.
    for var item in checkpoint.items.map(\.withoutCollected) {
      for case (let part?, let values) in parts.lazy.filter({ $0.key.whole == item.key })
        .map({ ($0.key.part, $0.value) })
      { item.restore(part, values, of: pipeline) }
      items[item.key.loop][item.key.ordinal] = item
    }
    for loop in checkpoint.cancelledLoops {
      for ordinal in items[loop].indices where items[loop][ordinal].status == .pending {
        items[loop][ordinal].status = .cancelled
      }
    }
  }

  /// Sets the elements of a loop.
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

  /// Puts paused and failed rows back, as `pipeline retry` does; `only` names some of them.
  public mutating func requeue(_ loop: Int, only: Set<Int>? = nil) -> Event {
    var paused = 0
    var failed = 0
    for ordinal in items[loop].indices where only?.contains(ordinal) != false {
      switch items[loop][ordinal].status {
      case .paused: paused += 1
      case .failed: failed += 1
      case .pending, .active, .done, .skipped, .cancelled: continue
      }
      items[loop][ordinal].status = .pending
    }
    return .itemsRequeued(loop: loop, paused: paused, failed: failed)
  }

  /// The rows as a store returns them: without secrets.
  public var stored: Self {
    var copy = self
    copy.run = run?.stored
    copy.items = items.map { loop in
      loop.map { item in
        var item = item
        item.redact()
        return item
      }
    }
    return copy
  }

  /// The differences between the process and the store; a sentence for each row.
  ///
  /// State that each process obtains for itself is left out: allowance, pace,
  /// and the generator of jitter.
  public func missing(of state: RunState) -> [String] {
    var found: [String] = []
    for (loop, current) in state.loops.enumerated() {
      for item in current.active.values where items[loop][item.key.ordinal] != item {
        found.append("item \(item.key) is not stored as it is")
      }
    }
    guard let run else { return found }
    let isSame =
      run.status == state.status && run.reason == state.reason && run.frame == state.frame
      && run.ended == state.ended && run.clocks == state.clocks
      && run.loops.map(\.counts) == state.loops.map(\.counts)
      && run.loops.map(\.isEnumerated) == state.loops.map(\.isEnumerated)
      && run.loops.map(\.bytesMoved) == state.loops.map(\.bytesMoved)
      && run.loops.map(\.leftAtServer) == state.loops.map(\.leftAtServer)
      && run.loops.map(\.isRequeued) == state.loops.map(\.isRequeued)
    return isSame ? found : found + ["the run's row is not stored as it is"]
  }
}

extension Frame {
  /// The frame as a store returns it.
  public var redacted: Frame {
    map { step in
      var step = step
      step.outputs = step.outputs.map(\.redacted)
      step.parts = step.parts.map { parts in
        var parts = parts
        parts.active = parts.active.mapValues(\.redacted)
        return parts
      }
      return step
    }
  }
}

extension RunState {
  /// The state as a store returns it to a new process, which receives the secret inputs again.
  public var stored: RunState {
    var copy = self
    copy.frame = frame.redacted
    for loop in copy.loops.indices {
      copy.loops[loop].ready = []
      copy.loops[loop].isLoading = false
      copy.loops[loop].cursor = -1
      copy.loops[loop].active = loops[loop].active.mapValues { item in
        var item = item
        item.redact()
        return item
      }
    }
    return copy
  }
}

extension Item {
  /// Drops the state that a store does not keep.
  mutating func redact() {
    frame = frame.redacted
    for index in remnants.indices { remnants[index].frame = remnants[index].frame.redacted }
  }
}
