package import PipelineCore

/// The definitions that steps can name: a file's own, and those of the files it uses.
package struct Definitions {
  package var policies: [String: RetryPolicy] = [:]
  package var credentials: [String: DraftRequest.Authorization] = [:]
  package var credentialSteps: [String: [CredentialStep]] = [:]

  /// Adds the definitions of `other`; existing ones take precedence.
  package mutating func add(_ other: Definitions) {
    policies.merge(other.policies) { own, _ in own }
    for (name, credential) in other.credentials where credentials[name] == nil {
      credentials[name] = credential
      credentialSteps[name] = other.credentialSteps[name]
    }
  }
}
