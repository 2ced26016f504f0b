import PipelineCore

/// The invariants of parts: a finished one is not sent again, and later steps wait for all of them.
extension InvariantWatch {
  mutating func note(_ changes: [PartChange]) {
    for change in changes {
      switch change {
      case .concluded(let key, _): concluded.insert(key)
      case .forgotten(let key, let step):
        concluded = concluded.filter { $0.whole != key || $0.part?.step != step }
      }
    }
  }

  /// The frame of the run, an item or a part, as the store has it.
  func durableFrame(_ key: ItemKey?) -> Frame {
    guard let key, key.part != nil else { return durable[key] ?? [] }
    guard let frame = durable[key.whole] else { return [] }
    return pipeline.parts(of: key.whole, frame).first { $0.0 == key }?.1 ?? []
  }

  /// The problems of an effect, as far as parts are concerned; `frame` is its stored frame.
  func disorderOfParts(_ id: EffectID, _ frame: Frame) -> [String] {
    var found: [String] = []
    if let part = id.item, concluded.contains(part) {
      found.append("\(id) is sent again, but the part is done")
    }
    for index in pipeline.steps(of: id.item) {
      guard id.item != nil, id.item?.part == nil, index < id.step ?? 0,
        case .forEach = pipeline.steps[index].action
      else { continue }
      if frame.indices.contains(pipeline.steps[index].position),
        frame[pipeline.steps[index].position].parts != nil
      {
        found.append("\(id) is sent before all parts of '\(pipeline.steps[index].id)' are done")
      }
    }
    return found
  }
}
