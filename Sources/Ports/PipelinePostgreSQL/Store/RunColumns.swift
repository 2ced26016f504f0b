/// The state in the row of a shard: all of it, and the part that can be read without the pipeline.
enum RunColumns {
  /// The states of items whose numbers are in the column `counts`, in this order.
  static let counted: [Item.Status] = [
    .pending, .active, .paused, .failed, .done, .skipped, .cancelled,
  ]

  /// The values of `state`, `frame`, `status`, `reason`, `began`, `ended` and `counts`.
  static func values(
    _ state: RunState?, isFrameNew: Bool, _ coding: CheckpointCoding
  ) -> [Parameter] {
    guard let state else { return [Parameter](repeating: .null, count: 7) }
    let counts = counted.map { status in
      state.loops.reduce(Int64(0)) { $0 + Int64($1.counts[status]) }
    }
    return [
      .bytes(coding.encode(turn: state)), isFrameNew ? .bytes(coding.encode(frame: state)) : .null,
      .text(state.status.rawValue), .text(state.reason?.message),
      .integer(state.began.milliseconds),
      state.ended.map { .integer($0.milliseconds) } ?? .null, .integers(counts),
    ]
  }
}
