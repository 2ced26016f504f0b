/// A file has many readers, and version control keeps it: secrets do not belong there.
enum HardcodedSecretRule: Rule {
  package static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {
    for request in pipeline.requests {
      switch request.authorization {
      case .bearer(let token): check(token, "a token", collector)
      case .basic(let user, let password):
        // If the user is not constant, it is the key, and the password only a filler.
        if user?.constant != nil { check(password, "a password", collector) }
      case .headers(let fields):
        for field in fields where names.contains(field.name.value.lowercased()) {
          check(field.value, "a credential", collector)
        }
      case .signing(let signing):
        for field in signing.values where isSecret(field.name.value, of: signing.scheme) {
          check(field.value, "a key", collector)
        }
      case nil: break
      }
      for header in request.headers where names.contains(header.name.value.lowercased()) {
        check(header.value, "a credential", collector)
      }
    }
    for step in pipeline.steps {
      for output in step.outputs where output.isSecret {
        check(output.value, "a secret", collector)
      }
    }
  }

  private static func check(
    _ template: DraftTemplate?, _ what: String, _ collector: DiagnosticCollector
  ) {
    guard let template, let text = template.constant, !text.isEmpty,
      // Text meant as an expression is reported by another rule.
      UnmarkedExpressionRule.find(in: text).isEmpty
    else { return }
    collector.report(
      .hardcodedSecret, "\(what) is written in the file", at: template.range,
      help: "declare an input of type 'secret', and read it with \"${{ inputs.NAME }}\"")
  }

  /// Whether a value of a signature is secret; the key of `aws_v4` is only the name of one.
  private static func isSecret(_ key: String, of scheme: SigningScheme) -> Bool {
    switch scheme {
    case .awsV4: key == "secret" || key == "session_token"
    case .sharedKey, .jwt: key == "key"
    case .oauth1: key == "consumer_secret" || key == "token_secret"
    case .expressions: false
    }
  }

  /// Headers that hold nothing but a credential; names in lower case.
  private static let names: Set<String> = [
    "authorization", "proxy-authorization", "x-api-key", "api-key", "x-auth-token",
    "x-access-token", "private-token", "x-amz-security-token", "x-goog-api-key",
  ]
}
