import CEL
import PipelineCore

/// Watching which items share a batch, and that serial batches are sent one at a time.
extension InvariantWatch {
  /// The problems of the members of a batch.
  func disorderOfBatch(_ command: Command) -> [String] {
    let members = command.scope.members
    guard let policy = pipeline.step(of: command.id)?.batch, let first = members.first else {
      return []
    }
    let evaluator = Evaluator(pipeline)
    var found: [String] = []
    if members.count > policy.items { found.append("\(command.id) has \(members.count) members") }
    if let by = policy.by {
      let own = try? evaluator.value(by, command.scope.of(first))
      for member in members where (try? evaluator.value(by, command.scope.of(member))) != own {
        found.append("\(command.id) has members of different groups: \(member.item)")
      }
    }
    if let bytes = policy.bytes, members.count > 1 {
      let sizes = members.map { member -> Int64 in
        guard case .int(let size)? = try? evaluator.value(bytes.size, command.scope.of(member))
        else { return 0 }
        return size
      }
      let sum = sizes.reduce(0, +)
      if sum > bytes.limit { found.append("\(command.id) takes \(sum) of \(bytes.limit) bytes") }
    }
    return found
  }

  /// Serial batches of one group that are in flight at one time.
  func excessOfBatches(_ machine: Machine, at now: Instant) -> [String] {
    var groups: [String: Int] = [:]
    for id in machine.inFlight {
      guard let step = pipeline.step(of: id), let policy = step.batch, policy.isSerial,
        let key = id.item, let item = machine.state.loops[key.loop].active[key.ordinal]
      else { continue }
      let scope = Scope(machine.state, item: item, now: now)
      let group = policy.by.flatMap { try? Evaluator(pipeline).value($0, scope) }
      groups["\(step.id) \(group.map { "\($0)" } ?? "")", default: 0] += 1
    }
    return groups.filter { $0.value > 1 }.map {
      "\($0.value) serial batches of \($0.key) are in flight"
    }
  }
}
