package import CEL

/// A mapping of the language: its keys, and which of them go together.
///
/// A class, because each field reader keeps the construct of its mapping.
package final class Construct: Sendable {
  /// A construct, by its name in the JSON Schema and in messages.
  ///
  /// Modules with documents of other kinds add theirs.
  package struct Name: Hashable, Sendable {
    package let rawValue: String
    /// The construct; a function, because constructs hold each other.
    package let construct: @Sendable () -> Construct

    package init(_ rawValue: String, _ construct: @escaping @Sendable () -> Construct) {
      (self.rawValue, self.construct) = (rawValue, construct)
    }

    package static func == (a: Self, b: Self) -> Bool { a.rawValue.isSame(as: b.rawValue) }
    package func hash(into hasher: inout Hasher) { rawValue.hash(into: &hasher) }
  }

  /// Keys of which exactly one is required, or at most one is allowed.
  package struct Alternatives: Sendable {
    package let keys: [String]
    package let isRequired: Bool

    package static func exactlyOne(_ keys: String...) -> Self { exactlyOne(keys) }
    package static func exactlyOne(_ keys: [String]) -> Self { Self(keys: keys, isRequired: true) }
    package static func atMostOne(_ keys: String...) -> Self { Self(keys: keys, isRequired: false) }
  }

  package let name: Name
  /// Its name in messages, with an article.
  package let phrase: String
  package let keys: [Key]
  /// The names of ``keys``, for looking up the keys of every mapping.
  private let names: [String]
  /// The indices of the required ones among ``keys``.
  package let required: [Int]
  package let alternatives: [Alternatives]
  /// Keys reserved for a later version.
  package let reserved: Set<String>
  /// Keys of other constructs that have another name here, with that name.
  package let renamed: [String: Renamed]

  package init(
    name: Name, phrase: String, keys: [Key], alternatives: [Alternatives] = [],
    reserved: Set<String> = [], renamed: [String: Renamed] = [:]
  ) {
    (self.name, self.phrase) = (name, phrase)
    self.keys = keys.map { $0.with(construct: name.rawValue) }
    names = keys.map(\.name)
    required = keys.indices.filter { keys[$0].isRequired }
    (self.alternatives, self.reserved, self.renamed) = (alternatives, reserved, renamed)
  }

  /// The replacement for a key.
  package struct Renamed: Sendable {
    package let key: String
    /// Why the other key is not valid here.
    package let reason: String
  }

  package func key(_ name: String) -> Key? { keys.first { $0.name.isSame(as: name) } }
  func hasKey(_ name: String) -> Bool { names.contains { $0.isSame(as: name) } }
}

/// A key of a construct, as readers accept it; `examples.json` has its examples, `PipelineAuthoring` its description.
package struct Key: Sendable {
  package let name: String
  /// The name of the construct; empty until it has the key.
  package private(set) var construct = ""
  package let shape: ValueShape
  package let isRequired: Bool
  package let defaultValue: Value?

  package init(
    _ name: String, _ shape: ValueShape, isRequired: Bool = false,
    default defaultValue: Value? = nil
  ) {
    (self.name, self.shape, self.isRequired) = (name, shape, isRequired)
    self.defaultValue = defaultValue
  }

  /// Values that it can have.
  package var examples: [Value] {
    let listed = Self.listed[construct]?.mapValue?[name] ?? Self.listed["*"]?.mapValue?[name]
    return listed?.listValue ?? []
  }

  /// Examples by construct and key; under `*` those that constructs share.
  package static let listed: MapValue =
    EmbeddedTexts.examples.lazy.compactMap { try? Value(json: $0.text) }.first?.mapValue ?? [:]

  fileprivate func with(construct: String) -> Key {
    var key = self
    key.construct = construct
    return key
  }
}

/// All constructs of the language.
package enum Grammar {
  /// The pattern of IDs and of names in expressions.
  package static let identifierPattern = "^[a-z][a-z0-9_]*$"
  /// The pattern of pipeline names and policy names.
  package static let namePattern = "^[a-z][a-z0-9_-]*$"
  /// The pattern of session identifiers.
  static let sessionPattern = "^[A-Za-z0-9][A-Za-z0-9._-]*$"
  /// The pattern of methods, tokens of capital letters (RFC 9110 §9.1).
  package static let methodPattern = "^[A-Z][A-Z0-9!#$%&'*+.^_`|~-]*$"
  /// The pattern of header names, tokens (RFC 9110 §5.6.2).
  package static let headerPattern = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"

  package static func construct(_ name: Construct.Name) -> Construct { name.construct() }
}

extension Construct.Name {
  package static let pipeline: Self = .init("pipeline") { Grammar.pipeline }
  package static let input: Self = .init("input") { Grammar.input }
  package static let pace: Self = .init("pace") { Grammar.pace }
  package static let budgets: Self = .init("budgets") { Grammar.budgets }
  package static let retry: Self = .init("retry") { Grammar.retry }
  static let backoff: Self = .init("backoff") { Grammar.backoff }
  package static let step: Self = .init("step") { Grammar.step }
  package static let loop: Self = .init("loop") { Grammar.loop }
  package static let request: Self = .init("request") { Grammar.request }
  static let basic: Self = .init("basic") { Grammar.basic }
  package static let upload: Self = .init("upload") { Grammar.upload }
  package static let download: Self = .init("download") { Grammar.download }
  package static let requiredDigest: Self = .init("required_digest") { Grammar.requiredDigest }
  package static let save: Self = .init("save") { Grammar.save }
  package static let network: Self = .init("network") { Grammar.network }
  package static let materialize: Self = .init("materialize") { Grammar.materialize }
  package static let poll: Self = .init("poll") { Grammar.poll }
  package static let digest: Self = .init("digest") { Grammar.digest }
  package static let `repeat`: Self = .init("repeat") { Grammar.repeat }
  package static let innerLoop: Self = .init("inner_loop") { Grammar.innerLoop }
  package static let resync: Self = .init("resync") { Grammar.resync }
  package static let range: Self = .init("range") { Grammar.range }
  package static let piece: Self = .init("piece") { Grammar.piece }
  package static let defaults: Self = .init("defaults") { Grammar.defaults }
  package static let part: Self = .init("part") { Grammar.part }
  package static let redirects: Self = .init("redirects") { Grammar.redirects }
  package static let response: Self = .init("response") { Grammar.response }
  package static let example: Self = .init("example") { Grammar.example }
  static let probeExample: Self = .init("probe_example") { Grammar.probeExample }
  package static let credential: Self = .init("credential") { Grammar.credential }
  package static let definitions: Self = .init("definitions") { Grammar.definitions }
  package static let batch: Self = .init("batch") { Grammar.batch }
  package static let batchBytes: Self = .init("batch_bytes") { Grammar.batchBytes }
  package static let results: Self = .init("results") { Grammar.results }
  package static let idempotency: Self = .init("idempotency") { Grammar.idempotency }
  package static let probe: Self = .init("probe") { Grammar.probe }
  package static let output: Self = .init("output") { Grammar.output }
  package static let lifetime: Self = .init("lifetime") { Grammar.lifetime }
  package static let matcher: Self = .init("matcher") { Grammar.matcher }
  package static let abandonment: Self = .init("abandonment") { Grammar.abandonment }

  /// Constructs of pipelines.
  package static let ofPipelines: [Self] =
    [
      .pipeline, .input, .budgets, .pace, .defaults, .retry, .backoff, .step, .loop, .request,
      .basic, .upload, .download, .requiredDigest, .save, .network, .materialize, .poll, .digest,
      .repeat, .resync, .innerLoop, .range, .piece, .part, .redirects, .response, .example,
      .probeExample, .credential, .definitions, .batch, .batchBytes, .results, .idempotency, .probe,
      .output, .lifetime, .matcher, .abandonment,
    ] + ofCredentials
}
