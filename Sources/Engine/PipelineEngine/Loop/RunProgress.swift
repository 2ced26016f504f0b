/// A run's progress, for the user; as JSON it is for processes of the same version.
public struct RunProgress: Hashable, Sendable, Codable {
  /// The run's status.
  public let status: RunState.Status
  /// Whether this process has stopped working on the run: nothing is in flight.
  public let isAtRest: Bool
  /// Why it is paused.
  public let reason: Failure?
  /// All loops together.
  public let counts: [Item.Status: Int]
  /// Bytes that items have moved over the network, with those of transfers in flight;
  /// bytes that are moved repeatedly count once.
  public let bytesMoved: Int64
  /// Bytes of the files of items in progress that have been moved.
  public let bytesOfActive: Int64
  /// The transfers in flight, in the order in which they started; those of the parts of an item count as one.
  public let transfers: [Transfer]
  /// Bytes of the disk budget that are in use.
  public let diskBytes: Int64
  /// What waits, and why, including attempts in flight.
  public var waits: [Wait]
  /// How far the parts of items in progress are.
  public let parts: Parts
  /// What steps of the run wait for that ask until a server is ready, in its words: where to sign in, for one.
  public let notices: [String]
  /// When this was measured.
  public let at: Instant

  /// The transfer of an item or of a step of the run.
  public struct Transfer: Hashable, Sendable, Codable {
    /// The item; `nil` for a step of the run.
    public let item: ItemKey?
    /// The item's name for the user, or the step.
    public let name: String
    public let step: StepID
    /// Bytes so far, with those of earlier parts and turns.
    public let bytes: Int64
    /// Bytes of the whole; `nil` as long as they are unknown.
    public let size: Int64?
    /// Whether the bytes come from the server.
    public let isDownload: Bool
  }

  /// Parts of the items that are in their parts.
  public struct Parts: Hashable, Sendable, Codable {
    /// Parts that are done.
    public let done: Int
    /// All of them.
    public let count: Int
    /// The done fraction of each item, added up: two items that are half done count as one.
    public let items: Double

    init(_ state: RunState) {
      let open = state.loops.flatMap { $0.active.values.flatMap { $0.frame.compactMap(\.parts) } }
      done = open.reduce(0) { $0 + $1.done }
      count = open.reduce(0) { $0 + $1.count }
      items = open.reduce(0) { $0 + Double($1.done) / Double(max($1.count, 1)) }
    }
  }

  init(
    _ machine: Machine, _ pipeline: Pipeline, _ board: TransferBoard.Content, isAtRest: Bool,
    at now: Instant
  ) {
    let state = machine.state
    status = state.status
    self.isAtRest = isAtRest
    reason = state.reason
    var counts: [Item.Status: Int] = [:]
    for loop in state.loops {
      for status in Item.Status.allCases { counts[status, default: 0] += loop.counts[status] }
    }
    self.counts = counts
    let moving = Self.moving(machine, pipeline, board)
    bytesMoved = state.loops.reduce(moving.bytes) { $0 + $1.bytesMoved }
    (bytesOfActive, transfers) = (moving.ofActive, moving.transfers)
    diskBytes = machine.reservedDiskBytes
    waits = machine.waits()
    parts = Parts(state)
    notices = Self.notices(state, pipeline)
    at = now
  }

  /// The servers' messages to the run's polls, unless the sources of the request have expired.
  private static func notices(_ state: RunState, _ pipeline: Pipeline) -> [String] {
    zip(pipeline.runSteps, state.frame).compactMap { index, current in
      let step = pipeline.steps[index]
      guard step.kind == .poll, let said = current.failure?.message else { return nil }
      let isLost = step.uses.contains { use in
        guard let output = use.output else { return false }
        let outputs = state.frame[pipeline.steps[use.step].position].outputs
        return !outputs.indices.contains(output) || outputs[output].value == nil
      }
      return isLost ? nil : "step '\(step.id)' is \(said)"
    }
  }

  private static func moving(
    _ machine: Machine, _ pipeline: Pipeline, _ board: TransferBoard.Content
  ) -> (bytes: Int64, ofActive: Int64, transfers: [Transfer]) {
    var (bytes, ofActive): (Int64, Int64) = (0, 0)
    var found: [(number: Int, transfer: Transfer)] = []
    let groups = Dictionary(grouping: board.transfers, by: { $0.key.item?.whole })
    for item in machine.state.loops.lazy.flatMap(\.active.values) {
      let group = groups[item.key] ?? []
      let size = size(of: item, group.map(\.value))
      let new = group.reduce(into: Int64(0)) { sum, entry in
        let (id, transfer) = (entry.key, entry.value)
        sum += machine.newBytes(of: id, from: transfer.offset, to: transfer.offset + transfer.bytes)
      }
      bytes += new
      let moved = item.bytesMoved + new
      let shown = size.map { min(moved, $0) } ?? moved
      ofActive += shown
      guard let first = group.min(by: { $0.value.number < $1.value.number }),
        let step = first.key.step
      else { continue }
      found.append(
        (
          first.value.number,
          Transfer(
            item: item.key, name: item.subject.label, step: pipeline.steps[step].id, bytes: shown,
            size: size, isDownload: first.value.isDownload)
        ))
    }
    for (id, transfer) in groups[nil] ?? [] {
      guard let step = id.step else { continue }
      let name = pipeline.steps[step].id
      found.append(
        (
          transfer.number,
          Transfer(
            item: nil, name: name.rawValue, step: name, bytes: transfer.bytes, size: transfer.size,
            isDownload: transfer.isDownload)
        ))
    }
    return (bytes, ofActive, found.sorted { $0.number < $1.number }.map(\.transfer))
  }

  /// Bytes that the item has to move: those of its file, or of its only transfer.
  private static func size(of item: Item, _ transfers: [TransferBoard.Transfer]) -> Int64? {
    // A form around a file is a little larger than the file.
    let only = transfers.count == 1 && !item.isDivided ? transfers.first?.size : nil
    if case .file(let file) = item.subject { return max(file.size, only ?? 0) }
    return only.map { max($0, item.bytesMoved) }
  }
}

extension Item {
  /// Whether it is sent in parts or in turns, so that a transfer is less than the item.
  fileprivate var isDivided: Bool { frame.contains { $0.parts != nil || $0.turn > 0 } }
}
