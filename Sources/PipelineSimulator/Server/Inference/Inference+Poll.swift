import PipelineCore

extension Inference {
  /// The first response that keeps a `poll` step waiting; `nil` if none of those that are tried does.
  func waiting(_ index: Int, _ scope: Scope) -> ResponsePlan? {
    let step = evaluator.pipeline.steps[index]
    let reads = reads(of: index)
    let usual = [200, 202]
    let search = ResponseSearch(
      reads, statuses: usual + reads.statuses.filter { !usual.contains($0) })
    let values = values(for: step, scope)
    return search.found(1) { plan in
      if case .poll = evaluator.verdict(
        of: step, response: InferenceWorld.response(plan, values), scope)
      {
        return true
      }
      return false
    }.first
  }
}
