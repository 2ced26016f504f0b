/// The changes that must be durable before the effects that come with them may be performed (invariant 2).
public struct Checkpoint: Hashable, Sendable {
  /// Items that changed, in their current state, in no order; each at most once.
  public var items: [Item]
  /// Rows of parts to write and to drop, in order; their collected values are also in ``items``.
  public var parts: [PartChange]
  /// The run in its current state, if its own row changed: its status, frame, counts or estimates.
  public var state: RunState?
  /// Loops whose pending rows are cancelled with the run.
  public var cancelledLoops: [Int]
  /// The claims of the effects that come with it, in order.
  public var claims: [TargetClaim]
  /// Whether effects that reach the world depend on it, so that it must survive a power failure.
  public var isDurable: Bool

  /// Makes a checkpoint.
  public init(
    items: [Item] = [], parts: [PartChange] = [], state: RunState? = nil,
    cancelledLoops: [Int] = [], claims: [TargetClaim] = [], isDurable: Bool = false
  ) {
    self.items = items
    self.parts = parts
    self.state = state
    self.cancelledLoops = cancelledLoops
    self.claims = claims
    self.isDurable = isDurable
  }
}

/// What changed since the last checkpoint.
struct Changes: Hashable, Sendable {
  var isRunChanged = false
  var isDurable = false
  var cancelledLoops: [Int] = []
  var claims: [TargetClaim] = []
  var touched: Set<ItemKey> = []
  var parts: [PartChange] = []
  /// Items that left the window, in their final state.
  var left: [ItemKey: Item] = [:]
}

extension Machine {
  /// The changes that must be durable before the effects so far may be performed; reading it clears it.
  public mutating func takeCheckpoint() -> Checkpoint {
    defer { frames.changes = Changes() }
    for key in frames.changes.touched {
      if let item = state.loops[key.loop].active[key.ordinal] { frames.changes.left[key] = item }
    }
    return Checkpoint(
      items: Array(frames.changes.left.values), parts: frames.changes.parts,
      state: frames.changes.isRunChanged ? state : nil,
      cancelledLoops: frames.changes.cancelledLoops, claims: frames.changes.claims,
      isDurable: frames.changes.isDurable)
  }
}
