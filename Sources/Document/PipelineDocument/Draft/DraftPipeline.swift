/// A document after reading: values present have the right shape, but names and types are not checked yet.
///
/// Invalid parts are `nil`, with their diagnostics reported; the parts around them are still checked.
package struct DraftPipeline {
  package let name: Located<String>?
  package let description: String?
  package let inputs: [DraftInput]
  package let budgets: Budgets
  let rateNames: [Located<String>]
  let backgroundSession: String?
  package let policies: [String: RetryPolicy]
  let policyNames: [Located<String>]
  let nodes: [DraftNode]
  package let outputs: [DraftField]
  package let root: YAMLNode
  package let steps: [DraftStep]
  package let requests: [DraftRequest]

  init(
    name: Located<String>?, description: String?, inputs: [DraftInput], budgets: Budgets,
    rateNames: [Located<String>] = [], backgroundSession: String?, policies: [String: RetryPolicy],
    policyNames: [Located<String>], nodes: [DraftNode], outputs: [DraftField], root: YAMLNode
  ) {
    (self.name, self.description, self.inputs, self.budgets) = (name, description, inputs, budgets)
    (self.rateNames, self.backgroundSession) = (rateNames, backgroundSession)
    (self.policies, self.policyNames, self.nodes) = (policies, policyNames, nodes)
    (self.outputs, self.root) = (outputs, root)
    // Built once, because every rule visits them.
    steps = nodes.flatMap { node in
      switch node {
      case .step(let step): [step]
      case .loop(let loop): loop.steps
      }
    }
    requests = nodes.flatMap { node in
      switch node {
      case .step(let step): step.requests
      case .loop(let loop): loop.steps.flatMap(\.requests) + loop.onAbandon
      }
    }
  }

  var usesFiles: Bool { steps.contains { $0.use != nil } }

  var loops: [DraftLoop] {
    nodes.compactMap { node in if case .loop(let loop) = node { loop } else { nil as DraftLoop? } }
  }

  package func number(of loop: DraftLoop) -> Int? {
    loops.firstIndex { $0.firstStep == loop.firstStep }
  }
}

struct DraftBudgets {
  var limits = Budgets()
  var rates: [Located<String>] = []
}

package struct DraftInput {
  package let name: Located<String>
  package let kind: InputDeclaration.Kind?
  package let description: String?
  package let defaultText: Located<String>?
  package let isRequired: Located<Bool>?
  package let exclude: [Located<String>]
  let isHidden, followsLinks: Located<Bool>?
  /// Where the first key is that only `files` inputs have; `nil` if there is none.
  let firstFileKey: Located<String>?
}

enum DraftNode {
  case step(DraftStep)
  case loop(DraftLoop)

  var turnOf: Int? { if case .step(let step) = self { step.turnOf } else { nil } }
}

package struct DraftLoop {
  package let id, variable: Located<String>?
  package let condition, items: DraftExpression?
  package let concurrency: Int
  let waiting: Int?
  package let firstStep: Int
  package let steps: [DraftStep]
  let failures: Loop.Failures
  let compensations: [DraftAbandonment]
  package var onAbandon: [DraftRequest] { compensations.map(\.request) }
  package let range: TextRange
  package let node: YAMLNode
}

struct DraftAbandonment {
  let request: DraftRequest
  let undoes: [Located<String>]
}

extension DraftStep {
  package var makesFile: Bool { action?.kind.makesFile ?? false }
  package var isRepeat: Bool { action?.kind == .repeat }
  package var hasResponse: Bool { action?.kind.hasResponse ?? true }
}

package enum DraftRetry {
  case named(Located<String>)
  case inline(RetryPolicy)
}

package typealias DraftField = NamedTemplate<Draft>

/// An entry of `on` after reading; a class, like the step that it belongs to.
package final class DraftMatcher {
  package enum Outcome {
    case expired(Located<String>)
    case word(MatcherWord, TextRange)
  }

  package let condition: DraftExpression?
  /// Whether `if` is present, even if it could not be read.
  let hasCondition: Bool
  package let outcome: Outcome?
  package let message: DraftTemplate?
  package internal(set) var after: DraftExpression?
  let slower: Duration?
  let isProgress, isRefused: Bool
  /// What `same` compares, from which ``condition`` is built; empty for any other entry.
  let compared: [(DraftExpression, ExpectedType)]
  package let range: TextRange

  init(
    condition: DraftExpression?, hasCondition: Bool, outcome: Outcome?, message: DraftTemplate?,
    after: DraftExpression? = nil, slower: Duration? = nil, isProgress: Bool = false,
    isRefused: Bool = false,
    compared: [(DraftExpression, ExpectedType)] = [], range: TextRange
  ) {
    (self.condition, self.hasCondition, self.outcome) = (condition, hasCondition, outcome)
    (self.message, self.after, self.slower, self.isProgress) = (message, after, slower, isProgress)
    (self.isRefused, self.compared, self.range) = (isRefused, compared, range)
  }
}

package struct DraftOutput {
  package enum End {
    case after(DraftExpression?)
    case at(DraftExpression?)
    case url(DraftExpression?)
  }

  package let name: Located<String>
  package let value: DraftTemplate?
  package let isSecret: Bool
  let isSealed: Bool
  package let lifetime: (end: End, skew: Duration?, slides: Bool)?

  init(
    name: Located<String>, value: DraftTemplate?, isSecret: Bool = false, isSealed: Bool = false,
    lifetime: (end: End, skew: Duration?, slides: Bool)? = nil
  ) {
    (self.name, self.value) = (name, value)
    self.isSecret = isSecret || isSealed
    (self.isSealed, self.lifetime) = (isSealed, lifetime)
  }
}

package struct DraftBatch {
  struct Bytes {
    let limit: Int64
    let size: DraftExpression?
    let range: TextRange
  }

  package let items: Int?
  package let within: Duration?
  let by: DraftExpression?
  let isSerial: Bool
  let bytes: Bytes?
  package let entry: DraftJSON?
  package let range: TextRange
}

package struct DraftResults {
  package let each: DraftExpression?
  let matchers: [DraftMatcher]
  package let range: TextRange
}

package struct DraftProbe {
  package let request: DraftRequest?
  package let tookEffect: DraftExpression?
  let effectExample, noEffectExample: ExampleResponse<Draft>?
  package let after: Duration?
  let interval: Duration?
  package let until: Duration?
}
