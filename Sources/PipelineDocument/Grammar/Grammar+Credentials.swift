import CEL
import PipelineCore

extension Grammar {
  static let credentialKinds = [
    "bearer", "basic", "header", "oauth2", "challenge", "aws_v4", "shared_key", "oauth1", "jwt",
    "sign",
  ]

  package static let credential = Construct(
    name: .credential, phrase: "credentials",
    summary:
      "How a request is authorized. A signature is made when the request is sent, with the server's time.",
    keys: [
      bearer, basicKey,
      Key(
        "header", .map(.template, names: headerPattern),
        "Headers that are a credential, such as an API key. They are sent to no other host.",
        examples: [["X-Api-Key": "${{ inputs.key }}"]]),
      oauth2Key, challengeKey,
      Key(
        "aws_v4", .construct(.awsV4), "AWS Signature Version 4.",
        examples: [
          [
            "key": "${{ inputs.key }}", "secret": "${{ inputs.secret }}", "region": "us-east-1",
            "service": "s3",
          ]
        ]),
      Key(
        "shared_key", .construct(.sharedKey), "Shared Key of Azure Storage.",
        examples: [["account": "${{ inputs.account }}", "key": "${{ inputs.key }}"]]),
      Key(
        "oauth1", .construct(.oauth1), "OAuth 1.0a with HMAC-SHA1 (RFC 5849).",
        examples: [
          ["consumer_key": "${{ inputs.key }}", "consumer_secret": "${{ inputs.secret }}"]
        ]),
      Key(
        "jwt", .construct(.jwt),
        "A JSON Web Token (RFC 7519) that is signed here and sent as a bearer token.",
        examples: [
          [
            "alg": "ES256", "key": "${{ inputs.key }}", "key_id": "2X9R4HXF34",
            "claims": ["iss": "57246542-96fe", "aud": "api"],
          ]
        ]),
      Key(
        "sign", .construct(.sign),
        "Headers that your own expressions compute from the finished request.",
        examples: [
          [
            "headers": [
              "X-Signature":
                "${{ hex(hmac_sha256(inputs.key, request.method + request.path + string(clock.server))) }}"
            ]
          ]
        ]),
    ],
    alternatives: [.exactlyOne(credentialKinds)],
    reserved: ["digest"])

  static let awsV4 = Construct(
    name: .awsV4, phrase: "'aws_v4'",
    summary: """
      AWS Signature Version 4. All headers of the request are signed. A request that is refused because of its time is \
      signed again with the server's time.
      """,
    keys: [
      Key(
        "key", .template,
        """
        The access key's ID. Without `key` and `secret`, a person gives them for one host: `--credentials \
        NAME=profile:PROFILE@HOST`, or `NAME=environment@HOST`.
        """, examples: ["${{ inputs.key }}"]),
      Key("secret", .template, "The secret access key.", examples: ["${{ inputs.secret }}"]),
      Key(
        "session_token", .template, "The token of temporary keys. An empty one is left out.",
        examples: ["${{ steps.assume.session_token }}"]),
      Key("region", .template, "The region.", isRequired: true, examples: ["us-east-1"]),
      Key(
        "service", .template,
        "The service, as signatures name it. The paths of `s3` are escaped once and not normalized.",
        isRequired: true, examples: ["s3"]),
      Key(
        "payload", .choice(SignedPayload.allCases.map(\.rawValue)),
        """
        Whether the body is signed. With `signed`, a file is read twice: once for its digest, unless it is known already, and \
        once to send it. With `unsigned`, which S3 accepts, it is read once.
        """, default: "signed"),
      Key(
        "in", .choice(SignaturePlace.allCases.map(\.rawValue)),
        "Where the signature is written: in the `header` Authorization, or in the `query` of the URL.",
        default: "header"),
      Key(
        "life", .duration,
        "How long a URL with a signature is valid, at most 7 days. Only with `in: query`.",
        default: "15m"),
    ])

  static let sharedKey = Construct(
    name: .sharedKey, phrase: "'shared_key'",
    summary: "Shared Key of Azure Storage. The request must have the header `x-ms-version`.",
    keys: [
      Key(
        "account", .template, "The storage account.", isRequired: true,
        examples: ["${{ inputs.account }}"]),
      Key(
        "key", .template, "The account's key, in base64.", isRequired: true,
        examples: ["${{ inputs.key }}"]),
    ])

  static let oauth1 = Construct(
    name: .oauth1, phrase: "'oauth1'",
    summary: """
      OAuth 1.0a with HMAC-SHA1 (RFC 5849). The query and the fields of a `form` are signed; files and \
      `multipart/form-data` are not.
      """,
    keys: [
      Key(
        "consumer_key", .template, "The application's key.", isRequired: true,
        examples: ["${{ inputs.key }}"]),
      Key(
        "consumer_secret", .template, "The application's secret.", isRequired: true,
        examples: ["${{ inputs.secret }}"]),
      Key(
        "token", .template, "The user's token. An empty one is left out.",
        examples: ["${{ inputs.token }}"]),
      Key(
        "token_secret", .template, "The secret of the user's token.",
        examples: ["${{ inputs.token_secret }}"]),
      Key("realm", .template, "The realm, if the server wants one.", examples: ["Photos"]),
      Key(
        "parameters", .map(.template, names: nil),
        """
        Fields of a `multipart/form-data` body that are signed too, by name: the standard leaves them out, and some servers \
        want them.
        """, examples: [["title": "${{ photo.name }}"]]),
    ])

  static let jwt = Construct(
    name: .jwt, phrase: "'jwt'",
    summary: "A JSON Web Token (RFC 7519), made and signed for each request.",
    keys: [
      Key(
        "alg", .choice(JWTAlgorithm.allCases.map(\.rawValue)), "The algorithm (RFC 7518 §3.1).",
        isRequired: true, examples: ["ES256"]),
      Key(
        "key", .template, "The private key, in PEM form.", isRequired: true,
        examples: ["${{ inputs.key }}"]),
      Key("key_id", .template, "The key's ID, for the token's `kid`.", examples: ["2X9R4HXF34"]),
      Key(
        "claims", .map(.template, names: nil),
        "The token's claims by name. `iat` and `exp` are added.",
        examples: [["iss": "57246542-96fe", "aud": "api"]]),
      Key("life", .duration, "How long the token is valid.", default: "15m"),
    ])

  static let sign = Construct(
    name: .sign, phrase: "'sign'",
    summary: """
      Headers that are computed when the request is sent. Their expressions also see `request.method`, `.url`, `.host`, \
      `.path`, `.query`, `.headers` (names in lower case), `.body.size`, `.body.sha256` and the other digests of the body in \
      hexadecimal, and `clock.server`, the server's time.
      """,
    keys: [
      Key(
        "headers", .map(.template, names: headerPattern), "Headers by name.", isRequired: true,
        examples: [["X-Signature": "${{ hex(hmac_sha256(inputs.key, request.path)) }}"]])
    ])

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

extension Construct.Name {
  package static let awsV4: Self = .init("aws_v4") { Grammar.awsV4 }
  package static let sharedKey: Self = .init("shared_key") { Grammar.sharedKey }
  package static let oauth1: Self = .init("oauth1") { Grammar.oauth1 }
  package static let jwt: Self = .init("jwt") { Grammar.jwt }
  package static let sign: Self = .init("sign") { Grammar.sign }

  static let ofCredentials: [Self] = [
    .oauth2, .challenge, .awsV4, .sharedKey, .oauth1, .jwt, .sign,
  ]

  package static let oauth2: Self = .init("oauth2") { Grammar.oauth2 }
  package static let challenge: Self = .init("challenge") { Grammar.challenge }
}

enum OAuth2ClientPlace: String, CaseIterable {
  case header, body
}
