import PipelineCore
import YAMLSyntax

/// A document after reading: values present have the right shape, but names and types are not checked yet.
///
/// Invalid parts are `nil`, with their diagnostics reported; the parts around them are still checked.
struct DraftPipeline {
  let name: Located<String>?
  let description: String?
  let inputs: [DraftInput]
  let budgets: Budgets
  /// The identifier of the background session, if given.
  let session: String?
  let policies: [String: RetryPolicy]
  /// The names of the policies, with their ranges.
  let policyNames: [Located<String>]
  let nodes: [DraftNode]
  /// The outputs that files using this one can read.
  let outputs: [DraftField]
  /// The whole document, for rules that report the range of a single key.
  let root: YAMLNode
  /// Every step, in file order.
  let steps: [DraftStep]
  /// Every request, in file order, including uploads, probes and compensations.
  let requests: [DraftRequest]

  init(
    name: Located<String>?, description: String?, inputs: [DraftInput], budgets: Budgets,
    session: String?, policies: [String: RetryPolicy], policyNames: [Located<String>],
    nodes: [DraftNode], outputs: [DraftField], root: YAMLNode
  ) {
    self.name = name
    self.description = description
    self.inputs = inputs
    self.budgets = budgets
    self.session = session
    self.policies = policies
    self.policyNames = policyNames
    self.nodes = nodes
    self.outputs = outputs
    self.root = root
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

  /// Whether any step includes the steps of another file.
  var usesFiles: Bool { steps.contains { $0.use != nil } }

  /// Whether a file used by a run-level step has loops.
  var usesLoops: Bool {
    nodes.contains { node in
      if case .step(let step) = node { step.use?.file?.hasLoops == true } else { false }
    }
  }

  /// The index of a loop among this draft's loops.
  func number(of loop: DraftLoop) -> Int? {
    let loops = nodes.compactMap { node in
      if case .loop(let loop) = node { loop } else { nil as DraftLoop? }
    }
    return loops.firstIndex { $0.firstStep == loop.firstStep }
  }
}

struct DraftInput {
  let name: Located<String>
  /// `nil` if the type is missing or unknown.
  let kind: InputDeclaration.Kind?
  let description: String?
  let defaultText: Located<String>?
  let isRequired: Located<Bool>?
}

enum DraftNode {
  case step(DraftStep)
  case loop(DraftLoop)
}

struct DraftLoop {
  let variable: Located<String>?
  let items: DraftExpression?
  let concurrency: Int
  /// The number of steps before the loop in the file.
  let firstStep: Int
  let steps: [DraftStep]
  let failures: Loop.Failures
  let onAbandon: [DraftRequest]
  let range: TextRange
  /// The loop's mapping, for rules that report the range of a single key.
  let node: YAMLNode
}

indirect enum DraftAction {
  case request(DraftRequest)
  case materialize(DraftMaterialize)
  case upload(DraftRequest, file: DraftExpression?, DraftTransfer)
  case download(DraftDownload)
  case use(DraftUse)
}

extension DraftAction {
  /// The kind of step; `nil` if it includes the steps of a used file.
  var kind: StepKind? {
    switch self {
    case .request: .request
    case .materialize: .materialize
    case .upload: .upload
    case .download: .download
    case .use: nil
    }
  }

  /// Whether it makes a file that other steps can read.
  var makesFile: Bool { kind?.makesFile ?? false }

  /// The digests computed of the file it makes.
  var digests: [DigestAlgorithm] {
    switch self {
    case .materialize(let materialize): materialize.digests
    case .download(let download):
      download.digests + (download.sha256 == nil ? [] : [.sha256])
    case .request, .upload, .use: []
    }
  }

  /// The file whose steps the step includes.
  var use: DraftUse? { if case .use(let use) = self { use } else { nil } }

  /// The request that is sent, if any.
  var request: DraftRequest? {
    switch self {
    case .request(let request), .upload(let request, _, _): request
    case .download(let download): download.request
    case .materialize, .use: nil
    }
  }
}

extension DraftStep {
  /// Whether the step makes a file.
  var makesFile: Bool { action?.makesFile ?? false }
  /// Whether the step has a response.
  var hasResponse: Bool { action?.kind?.hasResponse ?? true }
}

enum DraftRetry {
  case named(Located<String>)
  case inline(RetryPolicy)
}

struct DraftField {
  let name: Located<String>
  let value: DraftTemplate?
}

struct DraftTransfer {
  let requestTimeout: Duration
  let resourceTimeout: Duration
  let priority: Double
  let isDiscretionary: Bool
  /// The inner value is `nil` if it could not be read.
  let earliest: DraftExpression??
  let network: NetworkUse
  let renewals: Set<Renewal>
}

struct DraftDownload {
  let request: DraftRequest
  let name: DraftTemplate?
  /// The inner value is `nil` if it could not be read.
  let size: DraftExpression??
  let maximumSize: Int64?
  let sha256: DraftTemplate?
  let digests: [DigestAlgorithm]
  let transfer: DraftTransfer
}

struct DraftMaterialize {
  enum Source {
    case file(DraftExpression?, range: (offset: DraftExpression?, length: DraftExpression?)?)
    case multipart([DraftPart])
    case json(DraftJSON?)
    case text(DraftTemplate?)
  }

  let source: Source
  let digests: [DigestAlgorithm]
}

struct DraftPart {
  enum Content {
    case text(DraftTemplate?)
    case file(DraftExpression?, filename: DraftTemplate?)
  }

  let name: String
  let content: Content
  let contentType: String?
}

/// An entry of `on` after reading; a class, like the step that it belongs to.
final class DraftMatcher {
  enum Outcome {
    case expired(Located<String>)
    case word(MatcherWord, TextRange)
  }

  let condition: DraftExpression?
  /// Whether `if` is present, even if it could not be read.
  let hasCondition: Bool
  let outcome: Outcome?
  let message: DraftTemplate?
  let after: DraftExpression?
  let isProgress: Bool
  let isRefused: Bool
  let range: TextRange

  init(
    condition: DraftExpression?, hasCondition: Bool, outcome: Outcome?, message: DraftTemplate?,
    after: DraftExpression?, isProgress: Bool, isRefused: Bool = false, range: TextRange
  ) {
    self.condition = condition
    self.hasCondition = hasCondition
    self.outcome = outcome
    self.message = message
    self.after = after
    self.isProgress = isProgress
    self.isRefused = isRefused
    self.range = range
  }
}

struct DraftOutput {
  enum End {
    case after(DraftExpression?)
    case at(DraftExpression?)
  }

  let name: Located<String>
  let value: DraftTemplate?
  let isSecret: Bool
  let lifetime: (end: End, skew: Duration?)?
}

struct DraftBatch {
  let items: Int?
  let within: Duration?
  let entry: DraftJSON?
  /// The range of the key.
  let range: TextRange
}

struct DraftResults {
  let each: DraftExpression?
  let matchers: [DraftMatcher]
  /// The range of the key.
  let range: TextRange
}

struct DraftProbe {
  let request: DraftRequest?
  let done: DraftExpression?
  /// The example response if the step took effect.
  let doneExample: DraftResponseTemplate?
  /// The example response if it did not.
  let openExample: DraftResponseTemplate?
  let after: Duration?
  let interval: Duration?
  let until: Duration?
}
