import CEL
import PipelineCore

/// The results of steps that a compensation names, as the store has known them: those that an item once had, and the one
/// that it has.
///
/// The row of a complete item no longer contains them, so they are noted while it is active.
struct ReplacedResults {
  private struct Maker: Hashable {
    let key: ItemKey
    let step: Int
  }

  /// The outputs that compensations use of only the steps that they name.
  private let uses: [Int: Set<Int>]
  private let pipeline: Pipeline
  /// The values that each result had, without those that may have existed before.
  private var made: [Maker: [Int: [Value?]]] = [:]
  /// The generation of the item's own result, as long as it has one.
  private var own: [Maker: Int] = [:]
  /// Items that failed or were cancelled: results that had expired by then, and were not replaced,
  /// may stay on the server.
  private var given: Set<ItemKey> = []

  init(_ pipeline: Pipeline) {
    self.pipeline = pipeline
    var found: [Int: Set<Int>] = [:]
    for compensation in pipeline.loops.flatMap(\.onAbandon) {
      let named = compensation.uses.filter { !$0.isCredential && $0.output != nil }
      guard let step = named.first?.step, named.allSatisfy({ $0.step == step }) else { continue }
      let maker = pipeline.steps[step]
      // A secret result may be lost with its process, and cannot be named then.
      guard maker.loop != nil, maker.partOf == nil, maker.effect == .create,
        !maker.outputs.contains(where: \.isSecret)
      else { continue }
      found[step] = Set(named.compactMap(\.output))
    }
    uses = found
  }

  /// Records durable changes.
  mutating func note(_ frame: Frame, of key: ItemKey, status: Item.Status?) {
    if status == .failed || status == .cancelled { given.insert(key) }
    for (step, outputs) in uses where pipeline.steps[step].loop == key.loop {
      let position = pipeline.steps[step].position
      guard frame.indices.contains(position) else { continue }
      let state = frame[position]
      let maker = Maker(key: key, step: step)
      own[maker] = nil
      guard state.status == .succeeded, !state.isForeign,
        outputs.allSatisfy(state.outputs.indices.contains)
      else { continue }
      made[maker, default: [:]][state.generation] = outputs.sorted().map { state.outputs[$0].value }
      if !state.isInvalidated { own[maker] = state.generation }
    }
  }

  /// How many different results of each step a complete item had before its final one.
  func replaced(of key: ItemKey) -> [(step: Int, count: Int)] {
    guard !given.contains(key) else { return [] }
    return uses.keys.sorted().compactMap { step in
      let maker = Maker(key: key, step: step)
      guard let last = own[maker], let all = made[maker], let kept = all[last] else { return nil }
      // A server that has the key, or a probe, may have returned the same thing again.
      let earlier = Set(all.filter { $0.key < last }.values).subtracting([kept])
      return earlier.isEmpty ? nil : (step, earlier.count)
    }
  }
}
