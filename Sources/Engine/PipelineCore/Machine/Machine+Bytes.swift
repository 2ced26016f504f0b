/// Bytes that items move over the network: one count, in the state, which progress and all reports read.
extension Machine {
  mutating func noteMoved(_ id: EffectID, from: Int64, to: Int64) {
    guard inFlight.contains(id), let step = id.step, let key = id.item else { return }
    let bytes = newBytes(of: id, from: from, to: to)
    frames.update(StepPlace(key: key, step: step)) { $0.movedTo = max($0.movedTo, to) }
    guard bytes > 0 else { return }
    frames.update(key.whole) { $0.bytesMoved += bytes }
    state.loops[key.loop].bytesMoved += bytes
    frames.changes.isRunChanged = true
  }

  /// How many of the bytes no earlier attempt has moved.
  public func newBytes(of id: EffectID, from: Int64, to: Int64) -> Int64 {
    guard let step = id.step else { return 0 }
    return max(0, to - max(from, frames.stepState(step, for: id.item, \.movedTo) ?? 0))
  }
}
