import PipelineCore

extension Node {
  /// The good answer to a step, or to a batch of it.
  func success(_ step: Step, of members: [ItemKey], _ generation: Int) -> Verdict {
    guard step.batch != nil else { return success(step, generation) }
    return .results(whole, members.map { _ in success(step, generation) })
  }

  private var whole: StepResult { StepResult(status: 200, duration: .milliseconds(100)) }

  /// Responses to a batch that report a problem of its first or of its last member.
  func badResults(_ id: EffectID, _ step: Step) -> [Move] {
    let members = world.members(of: id)
    guard step.batch != nil, !members.isEmpty else { return [] }
    let failure = Failure("bad", status: 200)
    var bad: [Verdict] = [
      .retry(failure), .fail(failure), .pause(failure), .itemSkipped(failure), .itemDone,
    ]
    for use in step.uses where use.step != id.step {
      bad.append(.expired(step: use.step, failure))
    }
    let isProbe = world.commands[id] == .probe
    if step.effect == .create { bad.append(.unknown(failure)) }
    var moves: [Move] = []
    for verdict in bad {
      for place in Set([0, members.count - 1]).sorted() {
        var verdicts = members.map { _ in success(step) }
        verdicts[place] = verdict
        var move = Move(.concluded(id, .results(whole, verdicts)), cost: 1, commits: !isProbe)
        // The request of a member that the response does not mention may have taken effect anyway.
        if case .unknown = verdict {} else { move.refused = [members[place]] }
        moves.append(move)
      }
    }
    return moves
  }
}
