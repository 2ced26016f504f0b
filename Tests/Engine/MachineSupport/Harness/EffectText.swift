public import PipelineCore

extension Machine {
  /// An effect in one line, such as `0/3 upload 1.2` (generation 1, attempt 2), `probe 0/3 finalize 1.2`,
  /// `run sign_in 1.1`, `undo 0/3 #0`, `load 0 pending > -1`, `timer 4.0`, `discard 0/3 120`, `stop`.
  public func text(_ effect: Effect) -> String {
    switch effect {
    case .enumerate(let loop): return "enumerate \(loop)"
    case .loadItems(let loop, let status, let after, _): return "load \(loop) \(status) > \(after)"
    case .perform(let command):
      switch command.action {
      case .attempt(let reserved): return text(command.id) + (reserved > 0 ? " \(reserved) B" : "")
      case .adopt: return "adopt \(text(command.id))"
      case .probe: return "probe \(text(command.id))"
      case .abandon(let index):
        return "undo \(command.id.item.map { "\($0)" } ?? "run") #\(index)"
      }
    case .answerRenewal(let id, let decision):
      let word =
        switch decision {
        case .authorization: "authorization of"
        case .request: "request of"
        case .unchanged: "as it was,"
        }
      return "\(word) \(text(id))"
    case .interrupt(let id): return "interrupt \(text(id))"
    case .discardFiles(let key, let bytes, let partials):
      return "discard \(key.map { "\($0)" } ?? "run") \(bytes)" + (partials ? " and partials" : "")
    case .setTimer(let instant): return "timer \(Double(instant.milliseconds) / 1000)"
    case .endAllowance: return "end allowance"
    case .stop: return "stop"
    }
  }

  /// A fence in words.
  public func text(_ id: EffectID) -> String {
    let owner = id.item.map { "\($0)" } ?? "run"
    guard case .step(let step, let generation) = id.target else { return "\(owner) undo" }
    return "\(owner) \(pipeline.steps[step].id) \(generation).\(id.attempt)"
  }
}
