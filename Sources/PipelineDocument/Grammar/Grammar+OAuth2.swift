import CEL
import PipelineCore

extension Grammar {
  static let oauth2Key = Key(
    "oauth2", .construct(.oauth2),
    """
    OAuth 2.0 (RFC 6749): an access token by client credentials, by a key's assertion, by a refresh token, or by a person who signs in. A step at the start of \
    the file requests it, once for all; it is renewed before it expires and when a server refuses it.
    """,
    examples: [
      [
        "token_url": "https://login.example.com/token", "client": "${{ inputs.client }}",
        "secret": "${{ inputs.secret }}",
      ]
    ])

  static let challengeKey = Key(
    "challenge", .construct(.challenge),
    """
    A bearer token from the server that `WWW-Authenticate` names, as registries of containers do: two steps at the start of the file ask \
    for the challenge and for the token.
    """,
    examples: [["url": "https://registry.example.com/v2/", "scope": "repository:photos:pull,push"]])

  static let oauth2 = Construct(
    name: .oauth2, phrase: "'oauth2'",
    summary: """
      An access token of OAuth 2.0. The step that requests it has the ID `NAME_token`, where NAME is the name of the credentials. A new \
      refresh token is kept sealed and stored before anything uses the new access token, so that no kill loses it.
      """,
    keys: [
      Key(
        "token_url", .template, "The token endpoint.", isRequired: true,
        examples: ["https://login.example.com/token"]),
      Key(
        "client", .template,
        "The client's ID. With `assertion`, servers may know the client by that.",
        examples: ["${{ inputs.client }}"]),
      Key(
        "secret", .template, "The client's secret. A public client has none.",
        examples: ["${{ inputs.secret }}"]),
      Key(
        "client_in", .choice(OAuth2ClientPlace.allCases.map(\.rawValue)),
        "How client and secret are sent: in the `header` Authorization, or in the `body` (RFC 6749 §2.3.1).",
        default: "header"),
      Key(
        "refresh_token", .template,
        """
        The refresh token that a person obtained by signing in. Without it, the grant is `client_credentials`. If the server \
        rotates it, the new one is used from then on.
        """, examples: ["${{ inputs.refresh_token }}"]),
      Key(
        "device_url", .template,
        """
        The device authorization endpoint (RFC 8628). A person is asked to sign in with a browser, and to enter a code there; \
        `NAME_sign_in` waits for that. A refresh token that is refused asks them again.
        """, examples: ["https://login.example.com/device"]),
      Key(
        "refresh", .flag,
        "Whether the server gives devices a refresh token. Without one, a person signs in again when the access token ends.",
        default: true),
      Key(
        "assertion", .construct(.jwt),
        """
        The grant is a token that a key signs, as service accounts have one (RFC 7523 §2.1). Its `iss` is `client` and its `aud` is `token_url`, \
        unless `claims` name others, and its `jti` differs each time.
        """,
        examples: [
          [
            "alg": "RS256", "key": "${{ inputs.key }}",
            "claims": ["iss": "robot@example.com", "scope": "files.write"],
          ]
        ]),
      Key(
        "client_assertion", .construct(.jwt),
        """
        The client proves by a token that its key signs who it is, instead of by a secret (RFC 7523 §2.2). Its `iss` and `sub` \
        are `client` and its `aud` is `token_url`, unless `claims` name others, and its `jti` differs each time.
        """, examples: [["alg": "ES256", "key": "${{ inputs.key }}", "key_id": "2X9R4HXF34"]]),
      Key("scope", .template, "The scopes, separated by spaces.", examples: ["files.write"]),
      Key(
        "parameters", .map(.template, names: nil), "Further fields of the request, by name.",
        examples: [["audience": "https://api.example.com"]]),
    ],
    reserved: ["grant", "rotate"])

  static let challenge = Construct(
    name: .challenge, phrase: "'challenge'",
    summary: """
      A bearer token for which the server sends its clients elsewhere (RFC 6750 §3, and the token authentication of container \
      registries). The steps have the IDs `NAME_challenge` and `NAME_token`.
      """,
    keys: [
      Key(
        "url", .template, "A URL of the server that answers 401 without a token.",
        isRequired: true, examples: ["https://registry.example.com/v2/"]),
      Key(
        "realm", .template,
        "The server that gives tokens. By default that of the challenge; required with `basic`, because the password goes to no other server.",
        examples: ["https://auth.example.com/token"]),
      Key(
        "scope", .template, "The scope; by default that of the challenge.",
        examples: ["repository:photos:pull,push"]),
      Key(
        "basic", .construct(.basic),
        "User and password for the server that gives tokens. Without them, it is asked anonymously.",
        examples: [["user": "${{ inputs.user }}", "password": "${{ inputs.password }}"]]),
    ])
}

enum OAuth2ClientPlace: String, CaseIterable {
  case header, body
}

extension Construct.Name {
  package static let oauth2: Self = .init("oauth2") { Grammar.oauth2 }
  package static let challenge: Self = .init("challenge") { Grammar.challenge }
}
