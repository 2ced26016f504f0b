/// Bytes that items move over the network: one count, in the state, which progress and all reports read.
extension Machine {
  mutating func noteMoved(_ id: EffectID, from: Int64, to: Int64) {
    guard inFlight.contains(id), let step = id.step, let key = id.item else { return }
    let bytes = newBytes(of: id, from: from, to: to)
    update(StepPlace(key: key, step: step)) { $0.movedTo = max($0.movedTo, to) }
    guard bytes > 0 else { return }
    update(key.whole) { $0.bytesMoved += bytes }
    state.loops[key.loop].bytesMoved += bytes
    changes.isRunChanged = true
  }

  /// How many of the bytes no earlier attempt has moved.
  public func newBytes(of id: EffectID, from: Int64, to: Int64) -> Int64 {
    guard let step = id.step else { return 0 }
    return max(0, to - max(from, stepState(step, for: id.item, \.movedTo) ?? 0))
  }

  /// A turn has made progress, so its transfers move something new; those of a range of a file continue in it.
  mutating func countTurnAnew(_ place: StepPlace) {
    for step in pipeline.turn(of: place.step) {
      if case .upload(let template) = pipeline.steps[step].action, template.range != nil {
        continue
      }
      let own = StepPlace(key: place.key, step: step)
      if stepState(step, for: place.key, \.movedTo) ?? 0 > 0 { update(own) { $0.movedTo = 0 } }
    }
  }
}
