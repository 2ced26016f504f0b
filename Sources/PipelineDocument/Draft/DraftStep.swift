package import PipelineCore
package import YAMLSyntax

/// A step after reading; a class, because every rule visits all steps, and a copy would count a reference for each of a dozen fields.
package final class DraftStep {
  package let index: Int
  package let turnOf: Int?
  package let partOf: Int?
  package let id: Located<String>?
  package let condition: DraftExpression?
  let values: [DraftField]
  package let action: StepAction<Draft>?
  package let use: DraftUse?
  let matchers: [DraftMatcher]
  let successIf: DraftExpression?
  package let outputs: [DraftOutput]
  package let retry: DraftRetry?
  package let effect: Step.ServerEffect
  let effectRange: TextRange?
  /// Where the idempotency key is sent; the usual header unless the author names a place.
  let keyPlace: IdempotencyKeyPlace<Located<String>>?
  let namesKeyPlace: Bool
  let idempotencyKey: DraftTemplate?
  package let probe: DraftProbe?
  package let batch: DraftBatch?
  package let results: DraftResults?
  /// The ranges of keys about responses and repeats, including those that could not be read.
  let responseKeys: [(key: String, range: TextRange)]
  package let dependsOn: [Located<String>]
  let reissueLimit: Int?
  package let range: TextRange
  package let node: YAMLNode

  package let requests: [DraftRequest]

  init(
    index: Int, turnOf: Int? = nil, partOf: Int? = nil, id: Located<String>?,
    condition: DraftExpression?, values: [DraftField] = [], action: StepAction<Draft>?,
    use: DraftUse?, matchers: [DraftMatcher], successIf: DraftExpression? = nil,
    outputs: [DraftOutput], retry: DraftRetry?, effect: Step.ServerEffect, effectRange: TextRange?,
    keyPlace: IdempotencyKeyPlace<Located<String>>? = nil, namesKeyPlace: Bool = false,
    idempotencyKey: DraftTemplate?, probe: DraftProbe?, batch: DraftBatch?, results: DraftResults?,
    responseKeys: [(key: String, range: TextRange)], dependsOn: [Located<String>],
    reissueLimit: Int?, range: TextRange, node: YAMLNode
  ) {
    self.index = index
    self.turnOf = turnOf
    self.partOf = partOf
    self.id = id
    self.condition = condition
    self.values = values
    self.action = action
    self.use = use
    self.matchers = matchers
    self.successIf = successIf
    self.outputs = outputs
    self.retry = retry
    self.effect = effect
    self.effectRange = effectRange
    self.keyPlace = keyPlace
    self.namesKeyPlace = namesKeyPlace
    self.idempotencyKey = idempotencyKey
    self.probe = probe
    self.batch = batch
    self.results = results
    self.responseKeys = responseKeys
    self.dependsOn = dependsOn
    self.reissueLimit = reissueLimit
    self.range = range
    self.node = node
    requests = [action?.request, probe?.request].compactMap { $0 }
  }

  package func with(condition: DraftExpression?) -> DraftStep {
    with(condition: condition, action: action)
  }

  func with(action: StepAction<Draft>?) -> DraftStep { with(condition: condition, action: action) }

  private func with(condition: DraftExpression?, action: StepAction<Draft>?) -> DraftStep {
    DraftStep(
      index: index, turnOf: turnOf, partOf: partOf, id: id, condition: condition, values: values,
      action: action, use: use, matchers: matchers, successIf: successIf, outputs: outputs,
      retry: retry, effect: effect, effectRange: effectRange, keyPlace: keyPlace,
      namesKeyPlace: namesKeyPlace, idempotencyKey: idempotencyKey, probe: probe, batch: batch,
      results: results, responseKeys: responseKeys, dependsOn: dependsOn,
      reissueLimit: reissueLimit, range: range, node: node)
  }

  var isRepeatSafe: Bool { responseKeys.contains { $0.key == "idempotency" || $0.key == "probe" } }
}
