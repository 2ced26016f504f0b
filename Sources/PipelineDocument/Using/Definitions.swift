package import PipelineCore

/// What a file defines for steps to name, and what it takes over from files that it uses.
package struct Definitions {
  package var policies: [String: RetryPolicy] = [:]
  package var credentials: [String: DraftRequest.Authorization] = [:]

  /// Takes over what `other` defines; what is there already stays.
  package mutating func add(_ other: Definitions) {
    policies.merge(other.policies) { own, _ in own }
    credentials.merge(other.credentials) { own, _ in own }
  }
}
