import PipelineCore

/// Watching that no more requests are sent than the limits of the process and the rates of the budgets allow.
extension InvariantWatch {
  /// The problem with the number of exchanges in flight.
  func excessOfConnections(_ machine: Machine, _ limits: ProcessLimits) -> [String] {
    guard let limit = limits.exchanges else { return [] }
    let count = machine.inFlight.count { id in
      switch pipeline.step(of: id)?.kind {
      case .materialize, .digest: false
      case .request, .poll, .upload, .download, .repeat, .forEach, nil: true
      }
    }
    return count > limit ? ["\(count) exchanges are in flight, with connections for \(limit)"] : []
  }

  /// Notes the requests that an effect sends, and the problems of their number.
  mutating func checkRates(of effect: Effect) -> [String] {
    guard !pipeline.budgets.rates.isEmpty, let (request, now) = sent(by: effect) else { return [] }
    var found: [String] = []
    for rate in pipeline.budgets.rates
    where rate.name == Rate.ofAllRequests || rate.name == request.rate {
      var moments = paced[rate.name] ?? []
      // A device that was restarted with its clock put back has another time.
      if let last = moments.last, now < last { moments = [] }
      moments.append(now)
      if moments.count > rate.requests {
        let first = moments[moments.count - rate.requests - 1]
        if now - first < rate.period {
          found.append(
            "more than \(rate.words) were sent at the \(rate.title), from \(first) to \(now)")
        }
        moments.removeFirst()
      }
      paced[rate.name] = moments
    }
    return found
  }

  private func sent(by effect: Effect) -> (RequestTemplate, Instant)? {
    switch effect {
    case .perform(let command):
      let step = pipeline.step(of: command.id)
      let request: RequestTemplate? =
        switch command.action {
        case .attempt: step?.action.request
        case .probe: step?.probe?.request
        case .abandon(let index):
          command.id.item.map { pipeline.loops[$0.loop].onAbandon[index].request }
        case .adopt: nil
        }
      return request.map { ($0, command.scope.now) }
    case .answerRenewal(let id, .authorization(let scope)):
      return pipeline.step(of: id)?.action.request.map { ($0, scope.now) }
    case .answerRenewal, .enumerate, .loadItems, .interrupt, .discardFiles, .setTimer,
      .endAllowance, .stop:
      return nil
    }
  }
}
