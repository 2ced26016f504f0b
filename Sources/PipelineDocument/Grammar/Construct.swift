import CEL

/// A mapping of the language: which keys it has, and which of them go together.
///
/// A reference, because whoever reads a mapping of a document keeps the one that it is.
final class Construct: Sendable {
  /// The constructs, by the name that the JSON Schema and messages give them.
  enum Name: String, Sendable, CaseIterable {
    case pipeline, input, budgets, retry, backoff, step, loop, request, basic, upload, download
    case network, materialize
    case range, part, response, example
    case probeExample = "probe_example"
    case credential, definitions, batch, results, idempotency, probe, output, lifetime, matcher,
      abandonment
    case test
    case testCase = "test_case"
    case sourceFile = "source_file"
    case reply, expectation
    case itemExpectation = "item_expectation"
    case requestExpectation = "request_expectation"
    case timeBounds = "time_bounds"
    case sizeBounds = "size_bounds"
    case scenario, device, allowance
    case resumeDelay = "resume_delay"
    case transferRules = "transfer_rules"
    case dayBudget = "day_budget"
    case discretion
    case scenarioItems = "scenario_items"
    case sizeSpread = "size_spread"
    case durationSpread = "duration_spread"
    case scenarioDisk = "scenario_disk"
    case conditions
    case timelineEntry = "timeline_entry"
    case randomEntry = "random_entry"
    case scenarioServer = "scenario_server"
    case faults, property

    /// Constructs of `*.test.yaml` files.
    static let ofTests: [Name] = [
      .test, .testCase, .sourceFile, .reply, .expectation, .itemExpectation, .requestExpectation,
      .timeBounds, .sizeBounds,
    ]

    /// Constructs of scenarios.
    static let ofScenarios: [Name] = [
      .scenario, .device, .allowance, .resumeDelay, .transferRules, .dayBudget, .discretion,
      .scenarioItems, .sizeSpread, .durationSpread, .scenarioDisk, .conditions, .timelineEntry,
      .randomEntry, .scenarioServer, .faults, .property,
    ]

    /// Constructs of pipelines: all others.
    static let ofPipelines = allCases.filter {
      !ofTests.contains($0) && !ofScenarios.contains($0)
    }
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

  static func construct(_ name: Construct.Name) -> Construct {
    switch name {
    case .pipeline: pipeline
    case .input: input
    case .budgets: budgets
    case .retry: retry
    case .backoff: backoff
    case .step: step
    case .loop: loop
    case .request: request
    case .basic: basic
    case .upload: upload
    case .download: download
    case .network: network
    case .materialize: materialize
    case .range: range
    case .part: part
    case .response: response
    case .example: example
    case .probeExample: probeExample
    case .credential: credential
    case .definitions: definitions
    case .batch: batch
    case .results: results
    case .idempotency: idempotency
    case .probe: probe
    case .output: output
    case .lifetime: lifetime
    case .matcher: matcher
    case .abandonment: abandonment
    case .test: test
    case .testCase: testCase
    case .sourceFile: sourceFile
    case .reply: reply
    case .expectation: expectation
    case .itemExpectation: itemExpectation
    case .requestExpectation: requestExpectation
    case .timeBounds: timeBounds
    case .sizeBounds: sizeBounds
    case .scenario: scenario
    case .device: device
    case .allowance: allowance
    case .resumeDelay: resumeDelay
    case .transferRules: transferRules
    case .dayBudget: dayBudget
    case .discretion: discretion
    case .scenarioItems: scenarioItems
    case .sizeSpread: sizeSpread
    case .durationSpread: durationSpread
    case .scenarioDisk: scenarioDisk
    case .conditions: conditions
    case .timelineEntry: timelineEntry
    case .randomEntry: randomEntry
    case .scenarioServer: scenarioServer
    case .faults: faults
    case .property: property
    }
  }
}
