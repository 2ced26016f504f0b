extension Machine {
  /// Restarts the sliding lifetimes of the used outputs at the time their request was sent.
  mutating func renewLifetimes(
    of uses: [OutputUse], by place: StepPlace, from current: StepState, since moment: Instant
  ) {
    for (index, use) in uses.enumerated() {
      guard let output = use.output else { continue }
      let owner = StepPlace(key: owner(of: use.step, readFrom: place.key), step: use.step)
      guard let producer = stepState(owner.step, for: owner.key),
        producer.outputs.indices.contains(output), producer.outputs[output].slide != nil,
        producer.status == .succeeded,
        !current.sources.indices.contains(index) || current.sources[index] == producer.generation
      else { continue }
      let renewed = producer.outputs[output].renewed(at: moment)
      guard renewed != producer.outputs[output] else { continue }
      update(owner) { $0.outputs[output] = renewed }
    }
  }
}
