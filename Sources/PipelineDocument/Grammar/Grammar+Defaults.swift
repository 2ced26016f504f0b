import CEL

extension Grammar {
  static let defaultsKey = Key(
    "defaults", .construct(.defaults),
    "What requests have in common. It applies to every request whose URL begins with `/`, and to no other.",
    examples: [["url": "${{ inputs.server }}", "headers": ["Accept": "application/json"]]])

  package static let defaults = Construct(
    name: .defaults, phrase: "'defaults'",
    summary: """
      What requests have in common. It applies to requests whose URL begins with `/`, and to no other: credentials for one \
      server never reach another one, such as the host of a presigned URL. What a request itself says takes precedence, and so \
      do the defaults of a loop over those of the pipeline.
      """,
    keys: [
      Key(
        "url", .template, "What comes before each such URL: scheme, host and perhaps a path.",
        examples: ["${{ inputs.server }}", "https://example.com/v1"]),
      headers, bearer, basicKey, credentialsKey, rateKey,
    ],
    alternatives: [.atMostOne("bearer", "basic", "credentials")],
    reserved: ["query", "timeout", "retry", "redirects"])
}
