import CEL

extension Machine {
  /// Prepares a step to be reissued after its result expired.
  mutating func prepareReissue(_ place: StepPlace, at now: Instant) {
    let batch = frames.stepState(place.step, for: place.key)?.batch
    defer { if let batch { leaveBatch(place, from: batch, at: now) } }
    let keepsTurn = frames.keepsTurn(place)
    if !keepsTurn { frames.noteRemnants(of: place) }
    dropParts(of: place.step, place.key)
    let readsPrevious = pipeline.readsPrevious.contains(pipeline.steps[place.step].id)
    frames.update(place) { step in
      // An expired result may have to wait before its step is reissued.
      if !step.isInvalidated { step.notBefore = nil }
      step.status = .pending
      step.attempt = 0
      step.failures = 0
      step.isInvalidated = false
      step.isForeign = false
      step.begun = nil
      step.slower = nil
      step.statuses = []
      if !keepsTurn {
        if readsPrevious, !step.outputs.isEmpty { step.previous = step.outputs }
        step.outputs = []
        step.turn = 0
        step.isOver = false
        step.farthest = nil
        // A turn that is kept keeps its sources, so that it starts over if they expire in the meantime.
        step.sources = []
      }
      step.file = nil
      step.parts = nil
      step.batch = nil
      step.since = now
    }
  }
}
