/// A mapping of the language: its keys, and their allowed combinations.
///
/// A class, because each field reader keeps the construct of its mapping.
package final class Construct: Sendable {
  /// Keys of which exactly one is required, or at most one is allowed.
  package struct Alternatives: Sendable {
    package let keys: [String]
    package let isRequired: Bool

    package static func exactlyOne(_ keys: String...) -> Self { exactlyOne(keys) }
    package static func exactlyOne(_ keys: [String]) -> Self { Self(keys: keys, isRequired: true) }
    package static func atMostOne(_ keys: String...) -> Self { Self(keys: keys, isRequired: false) }
  }

  /// Its name in the JSON Schema; modules with documents of other kinds add theirs.
  package let name: String
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
    name: String, phrase: String, keys: [Key], alternatives: [Alternatives] = [],
    reserved: Set<String> = [], renamed: [String: Renamed] = [:]
  ) {
    (self.name, self.phrase) = (name, phrase)
    self.keys = keys.map { $0.with(construct: name) }
    names = keys.map(\.name)
    required = keys.indices.filter { keys[$0].isRequired }
    (self.alternatives, self.reserved, self.renamed) = (alternatives, reserved, renamed)
  }

  /// A construct that messages call by its name, in quotes, unless it has another phrase.
  package convenience init(
    _ name: String, phrase: String? = nil, _ keys: Key..., alternatives: [Alternatives] = [],
    reserved: Set<String> = [], renamed: [String: Renamed] = [:]
  ) {
    self.init(
      name: name, phrase: phrase ?? "'\(name)'", keys: keys, alternatives: alternatives,
      reserved: reserved, renamed: renamed)
  }

  package struct Renamed: Sendable {
    package let key: String
    /// Why the other key is not valid here.
    package let reason: String
  }

  package func key(_ name: String) -> Key? { keys.first { $0.name.isSame(as: name) } }
  func hasKey(_ name: String) -> Bool { names.contains { $0.isSame(as: name) } }
}

extension Construct: Equatable {
  /// Whether both are the same: each exists once.
  package static func == (a: Construct, b: Construct) -> Bool { a === b }
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

extension Construct {
  /// The pattern of IDs and of names in expressions.
  package static let identifierPattern = "^[a-z][a-z0-9_]*$"
  /// The pattern of pipeline names and policy names.
  package static let namePattern = "^[a-z][a-z0-9_-]*$"
  static let sessionPattern = "^[A-Za-z0-9][A-Za-z0-9._-]*$"
  /// The pattern of methods, tokens of capital letters (RFC 9110 §9.1).
  package static let methodPattern = "^[A-Z][A-Z0-9!#$%&'*+.^_`|~-]*$"
  /// The pattern of header names, tokens (RFC 9110 §5.6.2).
  package static let headerPattern = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"
  package static let ofPipelines: [Construct] =
    [
      .pipeline, .input, .budgets, .pace, .defaults, .retry, .backoff, .step, .loop, .request,
      .basic, .upload, .download, .requiredDigest, .save, .network, .materialize, .poll, .digest,
      .repeat, .resync, .innerLoop, .range, .piece, .part, .redirects, .response, .example,
      .probeExample, .credential, .definitions, .batch, .batchBytes, .results, .idempotency, .probe,
      .output, .lifetime, .matcher, .same, .abandonment,
    ] + ofCredentials
}
