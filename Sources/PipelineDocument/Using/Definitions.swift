package import PipelineCore

/// The definitions that steps can name: a file's own, and those of the files it uses.
package struct Definitions {
  package var policies: [String: RetryPolicy] = [:]
  package var credentials: [String: DraftRequest.Authorization] = [:]

  /// Adds the definitions of `other`; existing ones take precedence.
  package mutating func add(_ other: Definitions) {
    policies.merge(other.policies) { own, _ in own }
    credentials.merge(other.credentials) { own, _ in own }
  }
}
