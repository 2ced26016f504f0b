/// The declarations of a document and the location of each name, as complete as the text allows.
struct DocumentIndex: Sendable {
  enum Symbol: Hashable, Sendable {
    case input(String)
    case policy(String)
    case credential(String)
    case rate(String)
    case step(String)
    case output(step: String, name: String)
    /// A value that a step names under `let`, by the step's index.
    case value(step: Int, name: String)
    /// The variable of a loop, by the loop's index in file order.
    case variable(loop: Int)
    /// The name of a part, by the inner loop's index among the steps.
    case part(step: Int)
  }

  struct Occurrence: Hashable, Sendable {
    let symbol: Symbol
    let range: TextRange
    let isDefinition: Bool
  }

  struct Input: Sendable {
    let name: Located<String>
    let kind: InputDeclaration.Kind?
    let description, defaultText: String?
    let isOptional: Bool
    let range: TextRange
  }

  struct Definition: Sendable {
    let name: Located<String>
    let range: TextRange
  }

  struct Use: Sendable {
    let file: String
    let given: [Located<String>]
  }

  struct Shared: Sendable {
    var policies: [String] = []
    var credentials: [String] = []
  }

  /// What happens to a secret output when the process ends: it is lost, or it was stored encrypted.
  enum Secrecy: Sendable { case lost, sealed }

  struct Output: Sendable {
    let name: Located<String>
    let value: YAMLNode?
    let secrecy: Secrecy?
    let lifetime: String?
    let range: TextRange
    /// Its type, if the file does not contain its value.
    var type: ValueType?
  }

  struct StepValue: Sendable {
    let name: Located<String>
    let value: YAMLNode
    let range: TextRange
  }

  struct Step: Sendable {
    var id: Located<String>?
    let start: SourcePosition
    let range: TextRange
    let loop, partOf: Int?
    var parts: (variable: Located<String>?, items: YAMLNode?)?
    let action: Located<String>?
    let description: String?
    var outputs: [Output] = []
    var values: [StepValue] = []
    var hasKey = false
    var responseSchema: YAMLNode?
    /// Each item's entry in its batch, and its result in the response.
    var batch: (entry: YAMLNode?, each: YAMLNode?)?
    var used: (inputs: [String], outputs: [String]) = ([], [])
    var kind: StepKind? { action.flatMap { StepKind(rawValue: $0.value) } }
    var makesFile: Bool { kind?.makesFile ?? false }
    var hasResponse: Bool { kind?.hasResponse ?? true }
  }

  struct Loop: Sendable {
    let id, variable: Located<String>?
    let items: YAMLNode?
    let start: SourcePosition
    let range: TextRange
    let firstStep: Int
  }

  struct KeyUse: Sendable {
    let range: TextRange
    let construct: Construct
    let key: String
    let value: TextRange?
  }

  struct ExpressionUse: Sendable {
    let source: String
    let range: TextRange
    let scope: Scope
    let node: YAMLNode
    /// The position of the source's first character in the scalar's text.
    let offset: Int
  }

  struct Scope: Hashable, Sendable {
    var step = 0
    var loop, parts: Int?
    var hasResponse = false
    /// The variables of a test's expression in addition to the inputs.
    var reply: Reply?

    /// The request that a response of a test answers, or that a test expects.
    enum Reply: Hashable, Sendable {
      case any
      case step(String)
    }

    /// Notes that a test's expression sees a request, of any step.
    mutating func enterExpectation(_ construct: Construct, _ key: String) {
      switch (construct, key) {
      case (.test, "on_abandon"), (.testCase, "on_abandon"), (.expectation, "requests"),
        (.expectation, "all_requests"):
        reply = .any
      default: break
      }
    }

    /// Notes the step whose requests the entries under a key answer.
    mutating func enterReplies(of id: String?, _ construct: Construct, _ key: String) {
      guard construct == .test || construct == .testCase, key == "answers" || key == "probes"
      else { return }
      reply = id.map(Reply.step) ?? .any
    }
  }

  var inputs: [Input] = []
  var policies: [Definition] = []
  var rates: [Definition] = []
  var credentials: [Definition] = []
  var shared = Shared()
  var root = Construct.pipeline
  var steps: [Step] = []
  var loops: [Loop] = []
  var keys: [KeyUse] = []
  var expressions: [ExpressionUse] = []
  var uses: [Use] = []
  var files: [Located<String>] = []
  var occurrences: [Occurrence] = []
  var isExact = true
  var tested: Pipeline?
  var document: YAMLDocument?

  func visibleSteps(in scope: Scope) -> [Step] {
    steps.prefix(scope.step).filter { isVisible($0, in: scope) }
  }

  func isVisible(_ step: Step, in scope: Scope) -> Bool {
    (step.loop == nil || step.loop == scope.loop)
      && (step.partOf == nil || step.partOf == scope.parts)
  }

  static func namesFile(_ construct: Construct, _ key: String) -> Bool {
    switch (construct, key) {
    case (.step, "use"), (.pipeline, "use"), (.definitions, "use"), (.test, "pipeline"): true
    default: false
    }
  }

  func step(_ id: String) -> Step? { steps.first { $0.id?.value == id } }
  func input(_ name: String) -> Input? { inputs.first { $0.name.value == name } }
}

extension TextRange {
  func contains(_ other: TextRange) -> Bool { start <= other.start && other.end <= end }
  func touches(_ position: SourcePosition) -> Bool { start <= position && position <= end }
}
