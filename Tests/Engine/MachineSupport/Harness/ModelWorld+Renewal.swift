import PipelineCore

extension ModelWorld {
  /// Applies the reply to a transfer and returns its problems.
  mutating func take(_ decision: RenewalDecision, to id: EffectID, at now: Instant) -> [String] {
    guard commands[id] != nil else { return ["is answered and not in flight"] }
    defer { removePendingRenewal(of: id) }
    switch (decision, pendingRenewals[id]) {
    case (.unchanged, _), (_, nil): return []
    case (.authorization(let scope), .challenge):
      return stale(id, scope, at: now) { $0.isCredential }
    case (.request(let scope), .begin): return stale(id, scope, at: now) { _ in true }
    case (.authorization, .begin), (.request, .challenge):
      return ["answers something else than was asked"]
    }
  }

  private func stale(
    _ id: EffectID, _ scope: Scope, at now: Instant, where isMeant: (OutputUse) -> Bool
  ) -> [String] {
    (pipeline.step(of: id)?.uses ?? []).filter(isMeant).compactMap { use in
      guard let output = use.output else { return nil }
      let producer = pipeline.steps[use.step]
      let frame = producer.loop == nil ? scope.runFrame : scope.itemFrame
      let outputs = frame[producer.position].outputs
      return outputs.indices.contains(output) && outputs[output].isValid(at: now)
        ? nil : "uses '\(producer.outputs[output].name)', which is stale"
    }
  }
}
