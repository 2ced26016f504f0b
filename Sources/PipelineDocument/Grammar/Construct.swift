import CEL

/// A mapping of the language: which keys it has, and which of them go together.
///
/// A reference, because whoever reads a mapping of a document keeps the one that it is.
final class Construct: Sendable {
  /// The name that the JSON Schema and messages give a construct, and where its keys are.
  ///
  /// Modules with documents of other kinds add theirs.
  struct Name: Hashable, Sendable {
    let rawValue: String
    /// The construct; a function, because constructs hold each other.
    let construct: @Sendable () -> Construct

    init(_ rawValue: String, _ construct: @escaping @Sendable () -> Construct) {
      self.rawValue = rawValue
      self.construct = construct
    }

    static func == (a: Self, b: Self) -> Bool { a.rawValue.isSame(as: b.rawValue) }

    func hash(into hasher: inout Hasher) { rawValue.hash(into: &hasher) }
  }

  /// Keys of which exactly one, or at most one, stands.
  struct Alternatives: Sendable {
    let keys: [String]
    let isRequired: Bool

    static func exactlyOne(_ keys: String...) -> Self { exactlyOne(keys) }
    static func exactlyOne(_ keys: [String]) -> Self { Self(keys: keys, isRequired: true) }
    static func atMostOne(_ keys: String...) -> Self { Self(keys: keys, isRequired: false) }
  }

  let name: Name
  /// How messages call it, with its article.
  let phrase: String
  let summary: String
  let keys: [Key]
  /// The names of ``keys``, which every mapping is held to.
  private let names: [String]
  /// The places of the required ones among ``keys``.
  let required: [Int]
  let alternatives: [Alternatives]
  /// Keys that a later version will have.
  let reserved: Set<String>
  /// Keys of other constructs that are something else here, and what stands for them.
  let renamed: [String: Renamed]

  init(
    name: Name, phrase: String, summary: String, keys: [Key], alternatives: [Alternatives] = [],
    reserved: Set<String> = [], renamed: [String: Renamed] = [:]
  ) {
    self.name = name
    self.phrase = phrase
    self.summary = summary
    self.keys = keys
    names = keys.map(\.name)
    required = keys.indices.filter { keys[$0].isRequired }
    self.alternatives = alternatives
    self.reserved = reserved
    self.renamed = renamed
  }

  /// What stands for a key.
  struct Renamed: Sendable {
    let key: String
    /// Why the other key has no place here.
    let reason: String
  }

  func key(_ name: String) -> Key? { keys.first { $0.name.isSame(as: name) } }

  func hasKey(_ name: String) -> Bool { names.contains { $0.isSame(as: name) } }
}

/// A key of a construct: what readers accept, and what editors show.
struct Key: Sendable {
  let name: String
  let shape: ValueShape
  let summary: String
  let isRequired: Bool
  let defaultValue: Value?
  let examples: [Value]

  init(
    _ name: String, _ shape: ValueShape, _ summary: String, isRequired: Bool = false,
    default defaultValue: Value? = nil, examples: [Value] = []
  ) {
    self.name = name
    self.shape = shape
    self.summary = summary
    self.isRequired = isRequired
    self.defaultValue = defaultValue
    self.examples = examples
  }
}

/// All constructs of the language.
enum Grammar {
  /// The pattern of ids and of names that expressions use.
  static let identifierPattern = "^[a-z][a-z0-9_]*$"
  /// The pattern of a pipeline's name and of names of policies.
  static let namePattern = "^[a-z][a-z0-9_-]*$"
  /// The pattern of a session's identifier.
  static let sessionPattern = "^[A-Za-z0-9][A-Za-z0-9._-]*$"
  /// The pattern of a method, a token of capitals (RFC 9110 §9.1).
  static let methodPattern = "^[A-Z][A-Z0-9!#$%&'*+.^_`|~-]*$"
  /// The pattern of a header's name, a token (RFC 9110 §5.6.2).
  static let headerPattern = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"

  static func construct(_ name: Construct.Name) -> Construct { name.construct() }
}

extension Construct.Name {
  static let pipeline: Self = .init("pipeline") { Grammar.pipeline }
  static let input: Self = .init("input") { Grammar.input }
  static let budgets: Self = .init("budgets") { Grammar.budgets }
  static let retry: Self = .init("retry") { Grammar.retry }
  static let backoff: Self = .init("backoff") { Grammar.backoff }
  static let step: Self = .init("step") { Grammar.step }
  static let loop: Self = .init("loop") { Grammar.loop }
  static let request: Self = .init("request") { Grammar.request }
  static let basic: Self = .init("basic") { Grammar.basic }
  static let upload: Self = .init("upload") { Grammar.upload }
  static let download: Self = .init("download") { Grammar.download }
  static let network: Self = .init("network") { Grammar.network }
  static let materialize: Self = .init("materialize") { Grammar.materialize }
  static let range: Self = .init("range") { Grammar.range }
  static let part: Self = .init("part") { Grammar.part }
  static let response: Self = .init("response") { Grammar.response }
  static let example: Self = .init("example") { Grammar.example }
  static let probeExample: Self = .init("probe_example") { Grammar.probeExample }
  static let credential: Self = .init("credential") { Grammar.credential }
  static let definitions: Self = .init("definitions") { Grammar.definitions }
  static let batch: Self = .init("batch") { Grammar.batch }
  static let results: Self = .init("results") { Grammar.results }
  static let idempotency: Self = .init("idempotency") { Grammar.idempotency }
  static let probe: Self = .init("probe") { Grammar.probe }
  static let output: Self = .init("output") { Grammar.output }
  static let lifetime: Self = .init("lifetime") { Grammar.lifetime }
  static let matcher: Self = .init("matcher") { Grammar.matcher }
  static let abandonment: Self = .init("abandonment") { Grammar.abandonment }

  /// Constructs of pipelines.
  static let ofPipelines: [Self] = [
    .pipeline, .input, .budgets, .retry, .backoff, .step, .loop, .request, .basic, .upload,
    .download, .network, .materialize, .range, .part, .response, .example, .probeExample,
    .credential, .definitions, .batch, .results, .idempotency, .probe, .output, .lifetime, .matcher,
    .abandonment,
  ]
}
