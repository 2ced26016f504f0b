extension Machine {
  /// The expected duration of the step's next exchange.
  func expectedDuration(of place: StepPlace, probing: Bool, at now: Instant) -> Duration {
    switch pipeline.steps[place.step].action {
    case .materialize, .digest, .forEach: .zero
    case .repeat: state.pace.expectedRequest
    case .download: probing ? state.pace.expectedRequest : .zero
    case .request(let template): min(state.pace.expectedRequest, template.timeout)
    case .poll(let poll): min(state.pace.expectedRequest, poll.request.timeout)
    case .upload(let template):
      if probing {
        state.pace.expectedRequest
      } else if case let scope = scope(of: place.key, at: now),
        let file = try? evaluator.file(template.file, scope)
      {
        min(
          expected(
            upload: template.range == nil
              ? file.size : (try? evaluator.body(template, of: file, scope))?.size ?? 0),
          template.transfer.resourceTimeout)
      } else {
        .zero
      }
    }
  }

  /// The expected duration of an upload, which the budget may make longer than the network does.
  private func expected(upload bytes: Int64) -> Duration {
    let known = state.pace.expected(upload: bytes)
    guard let limit = pipeline.budgets.bytesPerSecond else { return known }
    return max(known, .milliseconds(Int64(min(Double(bytes) / Double(limit) * 1000, 1e15))))
  }

  mutating func waitForAllowance(_ key: ItemKey?, _ step: Int, _ needed: Duration) {
    queues.allowance.enqueue(key, isFirst: false)
    blockers[key] = .allowance(step: step, needed: needed)
  }

  func isAllowed(_ place: StepPlace, isProbe: Bool, needed: Duration, at now: Instant) -> Bool {
    // A transfer is only handed over; its duration is not limited by the allowance. If it waited for
    // its earliest time, it can be handed over even while the allowance ends (BT5).
    if pipeline.steps[place.step].transfer != nil, !isProbe {
      let isEarly = stepState(place.step, for: place.key)?.earliest != nil
      return isAllowed(.zero, at: now) || isAllowanceEnding && isEarly
    }
    return isAllowed(needed, at: now)
  }

  func isAllowed(_ needed: Duration, at now: Instant) -> Bool {
    switch state.allowance {
    case .unlimited: true
    case .none: false
    case .until(let end): now < end && now + needed <= end
    }
  }
}
