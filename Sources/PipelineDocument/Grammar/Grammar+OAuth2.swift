import CEL
import PipelineCore

/// Credentials that are requested from an authorization server.
extension Grammar {
  static let oauth2Key = Key(
    "oauth2", .construct(.oauth2),
    examples: [
      [
        "token_url": "https://login.example.com/token", "client": "${{ inputs.client }}",
        "secret": "${{ inputs.secret }}",
      ]
    ])

  static let challengeKey = Key(
    "challenge", .construct(.challenge),
    examples: [["url": "https://registry.example.com/v2/", "scope": "repository:photos:pull,push"]])

  static let oauth2 = Construct(
    name: .oauth2, phrase: "'oauth2'",
    keys: [
      Key("token_url", .template, isRequired: true, examples: ["https://login.example.com/token"]),
      Key("client", .template, examples: ["${{ inputs.client }}"]),
      Key("secret", .template, examples: ["${{ inputs.secret }}"]),
      Key("client_in", .choice(OAuth2ClientPlace.allCases.map(\.rawValue)), default: "header"),
      Key("refresh_token", .template, examples: ["${{ inputs.refresh_token }}"]),
      Key("device_url", .template, examples: ["https://login.example.com/device"]),
      Key("refresh", .flag, default: true),
      Key(
        "assertion", .construct(.jwt),
        examples: [
          [
            "alg": "RS256", "key": "${{ inputs.key }}",
            "claims": ["iss": "robot@example.com", "scope": "files.write"],
          ]
        ]),
      Key(
        "client_assertion", .construct(.jwt),
        examples: [["alg": "ES256", "key": "${{ inputs.key }}", "key_id": "2X9R4HXF34"]]),
      Key("scope", .template, examples: ["files.write"]),
      Key(
        "parameters", .map(.template, names: nil),
        examples: [["audience": "https://api.example.com"]]),
    ],
    reserved: ["grant", "rotate"])

  static let challenge = Construct(
    name: .challenge, phrase: "'challenge'",
    keys: [
      Key("url", .template, isRequired: true, examples: ["https://registry.example.com/v2/"]),
      Key("realm", .template, examples: ["https://auth.example.com/token"]),
      Key("scope", .template, examples: ["repository:photos:pull,push"]),
      Key(
        "basic", .construct(.basic),
        examples: [["user": "${{ inputs.user }}", "password": "${{ inputs.password }}"]]),
    ])
}

/// Where client and secret are sent.
enum OAuth2ClientPlace: String, CaseIterable {
  case header, body
}

extension Construct.Name {
  package static let oauth2: Self = .init("oauth2") { Grammar.oauth2 }
  package static let challenge: Self = .init("challenge") { Grammar.challenge }
}
