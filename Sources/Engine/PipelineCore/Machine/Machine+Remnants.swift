/// What results that were replaced left at the server: dead uploads, and reservations that are no longer used.
///
/// A remnant is recorded when the result is replaced, and undone when its item ends: only then
/// are the results that the item keeps known. So the item's own work never waits for it,
/// and an effect that turns out to be the kept result stays.
extension Machine {
  /// Releases the files of an item that is complete, although its remnants are still being undone.
  mutating func releaseFiles(ofComplete key: ItemKey) {
    for step in pipeline.steps(of: key) { dropParts(of: step, key) }
    guard let frame = frames.item(key)?.frame else { return }
    let reserved = frame.reduce(0) { $0 + $1.reservedBytes }
    let hasSaves = frames.hasBegunSaves(key, frame)
    if hasSaves || frame.contains(where: { $0.holdsFile || $0.reservedBytes > 0 }) {
      discard(key, reserved, partials: hasSaves)
    }
    frames.update(key) { item in
      for index in item.frame.indices {
        item.frame[index] = item.frame[index].withoutFile
        item.frame[index].parts = nil
      }
    }
  }
}
