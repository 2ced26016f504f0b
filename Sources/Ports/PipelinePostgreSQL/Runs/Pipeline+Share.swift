extension Pipeline {
  /// The pipeline with a share of the server's limits: its rates and the number of transfers.
  ///
  /// They are divided by `slots`, the number of shards that may be processed at once. What belongs to the machine stays.
  /// A share is at least one request in a longer period, and one transfer.
  public func share(of slots: Int) -> Pipeline {
    guard slots > 1, !budgets.rates.isEmpty || budgets.transfers != nil else { return self }
    return Pipeline(
      name: name, description: description, inputs: inputs,
      budgets: Budgets(
        diskBytes: budgets.diskBytes, transfers: budgets.transfers.map { max($0 / slots, 1) },
        rates: budgets.rates.map { $0.share(of: slots) }, bytesPerSecond: budgets.bytesPerSecond,
        refusals: budgets.refusals),
      nodes: nodes, steps: steps, loops: loops, backgroundSession: backgroundSession)
  }
}

extension Rate {
  fileprivate func share(of slots: Int) -> Rate {
    let share = max(requests / slots, 1)
    // As many requests in a longer time, where they cannot be divided.
    let wanted = Double(period.milliseconds) * Double(slots) * Double(share) / Double(requests)
    let longest = Self.maximumPeriod.milliseconds
    return Rate(
      name: name, requests: share, period: .milliseconds(min(Int64(wanted.rounded(.up)), longest)),
      burst: min(burst, share))
  }
}
