import PipelineDocument
import PipelineScenarios
import CEL
import PipelineCore
import YAMLSyntax

/// What a document declares and where each name stands; as complete as the text lets it be.
struct DocumentIndex: Sendable {
  /// A thing that has a name.
  enum Symbol: Hashable, Sendable {
    case input(String)
    case policy(String)
    case credential(String)
    case step(String)
    case output(step: String, name: String)
    /// The variable of a loop, by the loop's place in the order of the file.
    case variable(loop: Int)
  }

  /// A place where a name stands.
  struct Occurrence: Hashable, Sendable {
    let symbol: Symbol
    let range: TextRange
    let isDefinition: Bool
  }

  struct Input: Sendable {
    let name: Located<String>
    let kind: InputDeclaration.Kind?
    let description: String?
    let defaultText: String?
    let isOptional: Bool
    /// From the name to the end of the declaration.
    let range: TextRange
  }

  /// A retry policy, or credentials.
  struct Definition: Sendable {
    let name: Located<String>
    let range: TextRange
  }

  /// What this file may name of files that it uses.
  struct Shared: Sendable {
    var policies: [String] = []
    var credentials: [String] = []
  }

  struct Output: Sendable {
    let name: Located<String>
    /// The expressions of its value, as they are written.
    let value: YAMLNode?
    let isSecret: Bool
    /// How long it lives, as it is written.
    let lifetime: String?
    let range: TextRange
  }

  struct Step: Sendable {
    var id: Located<String>?
    let start: TextPosition
    let range: TextRange
    let loop: Int?
    /// The key that says what the step does, and where it stands.
    let action: Located<String>?
    let description: String?
    var outputs: [Output] = []
    /// The JSON Schema of what its request is answered with.
    var responseSchema: YAMLNode?
    /// What each item puts into its batch, and what of the answer is about it.
    var batch: (entry: YAMLNode?, each: YAMLNode?)?
    /// The inputs and outputs of the file that it uses.
    var used: (inputs: [String], outputs: [String]) = ([], [])

    /// What kind of step it is; `nil` where it uses a file, or says nothing.
    var kind: StepKind? { action.flatMap { StepKind(rawValue: $0.value) } }
    /// Whether a file comes of the step.
    var makesFile: Bool { kind?.makesFile ?? false }
    /// Whether a server answers, as far as the file tells.
    var hasResponse: Bool { kind?.hasResponse ?? true }
  }

  struct Loop: Sendable {
    let variable: Located<String>?
    let items: YAMLNode?
    let start: TextPosition
    let range: TextRange
    /// Number of steps that stand before it in the file.
    let firstStep: Int
  }

  /// A key of the language.
  struct KeyUse: Sendable {
    let range: TextRange
    let construct: Construct.Name
    let key: String
    /// The value, where it is a scalar.
    let value: TextRange?
  }

  /// An expression, closed or not.
  struct ExpressionUse: Sendable {
    let source: String
    /// From `${{` to `}}`.
    let range: TextRange
    let scope: Scope
    let node: YAMLNode
    /// The place of the source's first character in the scalar's text.
    let offset: Int
  }

  /// What an expression can see.
  struct Scope: Hashable, Sendable {
    /// Number of steps before it.
    var step = 0
    var loop: Int?
    var hasResponse = false
  }

  var inputs: [Input] = []
  var policies: [Definition] = []
  var credentials: [Definition] = []
  var shared = Shared()
  /// What the whole file is.
  var root = Construct.Name.pipeline
  var steps: [Step] = []
  var loops: [Loop] = []
  var keys: [KeyUse] = []
  var expressions: [ExpressionUse] = []
  /// Every name that is declared or referred to, each place once for each symbol.
  var occurrences: [Occurrence] = []
  /// Whether the text was YAML as it stands.
  var isExact = true
  /// The tree that everything was read from.
  var document: YAMLDocument?

  /// The steps whose results can be read in `scope`.
  func visibleSteps(in scope: Scope) -> [Step] {
    steps.prefix(scope.step).filter { $0.loop == nil || $0.loop == scope.loop }
  }

  func step(_ id: String) -> Step? { steps.first { $0.id?.value == id } }

  func input(_ name: String) -> Input? { inputs.first { $0.name.value == name } }
}

extension TextRange {
  /// Whether the place is in it, or just after it.
  func touches(_ position: TextPosition) -> Bool { start <= position && position <= end }
}
