import CEL

extension Grammar {
  /// `defaults` of a pipeline or a loop.
  static let defaultsKey = Key(
    "defaults", .construct(.defaults),
    examples: [["url": "${{ inputs.server }}", "headers": ["Accept": "application/json"]]])

  package static let defaults = Construct(
    name: .defaults, phrase: "'defaults'",
    keys: [
      Key("url", .template, examples: ["${{ inputs.server }}", "https://example.com/v1"]),
      headers, bearer, basicKey, credentialsKey, rateKey,
    ],
    alternatives: [.atMostOne("bearer", "basic", "credentials")],
    reserved: ["query", "timeout", "retry", "redirects"])
}
