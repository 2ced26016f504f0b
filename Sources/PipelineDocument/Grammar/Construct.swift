import CEL

/// A mapping of the language: its keys, and which of them go together.
///
/// A class, because each field reader keeps the construct of its mapping.
final class Construct: Sendable {
  /// The constructs, by their name in the JSON Schema and in messages.
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

  /// Keys of which exactly one is required, or at most one is allowed.
  struct Alternatives: Sendable {
    let keys: [String]
    let isRequired: Bool

    static func exactlyOne(_ keys: String...) -> Self { exactlyOne(keys) }
    static func exactlyOne(_ keys: [String]) -> Self { Self(keys: keys, isRequired: true) }
    static func atMostOne(_ keys: String...) -> Self { Self(keys: keys, isRequired: false) }
  }

  let name: Name
  /// Its name in messages, with an article.
  let phrase: String
  let summary: String
  let keys: [Key]
  /// The names of ``keys``, for looking up the keys of every mapping.
  private let names: [String]
  /// The indices of the required ones among ``keys``.
  let required: [Int]
  let alternatives: [Alternatives]
  /// Keys reserved for a later version.
  let reserved: Set<String>
  /// Keys of other constructs that have another name here, with that name.
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

  /// The replacement for a key.
  struct Renamed: Sendable {
    let key: String
    /// Why the other key is not valid here.
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
  /// The pattern of IDs and of names in expressions.
  static let identifierPattern = "^[a-z][a-z0-9_]*$"
  /// The pattern of pipeline names and policy names.
  static let namePattern = "^[a-z][a-z0-9_-]*$"
  /// The pattern of session identifiers.
  static let sessionPattern = "^[A-Za-z0-9][A-Za-z0-9._-]*$"
  /// The pattern of methods, tokens of capital letters (RFC 9110 §9.1).
  static let methodPattern = "^[A-Z][A-Z0-9!#$%&'*+.^_`|~-]*$"
  /// The pattern of header names, tokens (RFC 9110 §5.6.2).
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
