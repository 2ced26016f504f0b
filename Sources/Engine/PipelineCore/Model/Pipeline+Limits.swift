extension Pipeline {
  /// The same pipeline with the user's limits.
  ///
  /// - Parameters:
  ///   - concurrency: Items of each loop that are worked on at once, regardless of the file; of parts,
  /// at most the number in     the file. At least 1.
  ///   - bytesPerSecond: Maximum number of bytes per second, unless the file asks for fewer.
  ///   - requests: A rate of all requests, unless the file asks for a lower one.
  public func limited(concurrency: Int?, bytesPerSecond: Int64?, requests: Rate?) -> Pipeline {
    guard concurrency != nil || bytesPerSecond != nil || requests != nil else { return self }
    return Pipeline(
      name: name, description: description, inputs: inputs,
      budgets: budgets.limited(bytesPerSecond: bytesPerSecond, requests: requests), nodes: nodes,
      steps: concurrency.map { most in steps.map { $0.limited(parts: most) } } ?? steps,
      loops: concurrency.map { most in loops.map { $0.with(concurrency: most) } } ?? loops,
      backgroundSession: backgroundSession)
  }
}

extension Budgets {
  fileprivate func limited(bytesPerSecond: Int64?, requests: Rate?) -> Budgets {
    var rates = rates
    if let requests {
      let own = rates.firstIndex { $0.name == requests.name }
      if let own, requests.isLower(than: rates[own]) { rates[own] = requests }
      if own == nil { rates.append(requests) }
    }
    return Budgets(
      diskBytes: diskBytes, transfers: transfers, rates: rates,
      bytesPerSecond: [self.bytesPerSecond, bytesPerSecond].compactMap { $0 }.min(),
      refusals: refusals)
  }
}

extension Rate {
  fileprivate func isLower(than other: Rate) -> Bool {
    Double(requests) / Double(period.milliseconds)
      < Double(other.requests) / Double(other.period.milliseconds)
  }
}

extension Step {
  fileprivate func limited(parts most: Int) -> Step {
    guard case .forEach(let parts) = action, parts.concurrency > most else { return self }
    return with(
      action: .forEach(
        Parts(
          variable: parts.variable, items: parts.items, concurrency: most, collect: parts.collect)))
  }
}
