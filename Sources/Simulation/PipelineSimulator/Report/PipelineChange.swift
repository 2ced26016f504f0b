/// Another value for one key of a pipeline.
struct PipelineChange {
  let setting: SimulationComparison.Setting
  let pipeline: Pipeline

  /// Settings worth trying: concurrency, the run's limits, and transfer timeouts.
  static func all(of pipeline: Pipeline, _ scenario: Scenario) -> [Self] {
    concurrencies(pipeline, most: scenario.items.count) + disks(pipeline)
      + transfers(pipeline, most: scenario.items.count) + timeouts(pipeline)
  }

  private static func concurrencies(_ pipeline: Pipeline, most: Int) -> [Self] {
    pipeline.loops.indices.flatMap { index in
      let loop = pipeline.loops[index]
      let wished = [4 * loop.concurrency, 25, 100, 250, max(loop.concurrency / 4, 1)]
      return distinct(wished.map { min($0, max(most, 1)) }, but: loop.concurrency).map { value in
        var loops = pipeline.loops
        loops[index] = loop.with(concurrency: value)
        return Self(
          setting: .init("\(loop.variable).concurrency", "\(value)"),
          pipeline: pipeline.with(loops: loops))
      }
    }
  }

  private static func disks(_ pipeline: Pipeline) -> [Self] {
    guard let bytes = pipeline.budgets.diskBytes else { return [] }
    return [Int64(2), 4].compactMap { factor in
      let (more, overflow) = bytes.multipliedReportingOverflow(by: factor)
      guard !overflow else { return nil }
      return Self(
        setting: .init("budgets.disk", "\(more) B"),
        pipeline: pipeline.with(
          budgets: pipeline.budgets.with(diskBytes: more, transfers: pipeline.budgets.transfers)))
    }
  }

  private static func transfers(_ pipeline: Pipeline, most: Int) -> [Self] {
    guard pipeline.steps.contains(where: { $0.transfer != nil }) else { return [] }
    let now = pipeline.budgets.transfers
    let wished = now.map { [4 * $0] } ?? (most > 100 ? [100] : [])
    return distinct(wished, but: now ?? 0).map { value in
      Self(
        setting: .init("budgets.transfers", "\(value)"),
        pipeline: pipeline.with(
          budgets: pipeline.budgets.with(diskBytes: pipeline.budgets.diskBytes, transfers: value)))
    }
  }

  private static let timeouts: [(text: String, Duration)] = [
    ("1h", .seconds(3600)), ("6h", .seconds(6 * 3600)), ("1d", .seconds(86400)),
    ("2d", .seconds(2 * 86400)), ("7d", .seconds(7 * 86400)),
  ]

  private static func timeouts(_ pipeline: Pipeline) -> [Self] {
    pipeline.steps.indices.flatMap { index -> [Self] in
      let step = pipeline.steps[index]
      guard let policy = step.transfer else { return [] }
      return timeouts.filter { $0.1 != policy.resourceTimeout }.map { text, timeout in
        var steps = pipeline.steps
        steps[index] = step.with(action: step.action.with(resourceTimeout: timeout))
        return Self(
          setting: .init("\(step.id).\(step.kind.rawValue).resource_timeout", text),
          pipeline: pipeline.with(steps: steps))
      }
    }
  }

  private static func distinct(_ values: [Int], but current: Int) -> [Int] {
    var seen: Set<Int> = [current]
    return values.filter { seen.insert($0).inserted }
  }
}

extension Pipeline {
  fileprivate func with(
    budgets: Budgets? = nil, steps: [Step]? = nil, loops: [Loop]? = nil
  ) -> Pipeline {
    Pipeline(
      name: name, description: description, inputs: inputs, budgets: budgets ?? self.budgets,
      nodes: nodes, steps: steps ?? self.steps, loops: loops ?? self.loops,
      backgroundSession: backgroundSession)
  }
}
