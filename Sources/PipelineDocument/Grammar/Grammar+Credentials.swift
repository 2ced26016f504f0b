import CEL
import PipelineCore

/// The kinds of credentials.
extension Grammar {
  /// The keys of which a credential has exactly one.
  static let credentialKinds = [
    "bearer", "basic", "header", "oauth2", "challenge", "aws_v4", "shared_key", "oauth1", "jwt",
    "sign",
  ]

  package static let credential = Construct(
    name: .credential, phrase: "credentials",
    keys: [
      bearer, basicKey,
      Key(
        "header", .map(.template, names: headerPattern),
        examples: [["X-Api-Key": "${{ inputs.key }}"]]),
      oauth2Key, challengeKey,
      Key(
        "aws_v4", .construct(.awsV4),
        examples: [
          [
            "key": "${{ inputs.key }}", "secret": "${{ inputs.secret }}", "region": "us-east-1",
            "service": "s3",
          ]
        ]),
      Key(
        "shared_key", .construct(.sharedKey),
        examples: [["account": "${{ inputs.account }}", "key": "${{ inputs.key }}"]]),
      Key(
        "oauth1", .construct(.oauth1),
        examples: [
          ["consumer_key": "${{ inputs.key }}", "consumer_secret": "${{ inputs.secret }}"]
        ]),
      Key(
        "jwt", .construct(.jwt),
        examples: [
          [
            "alg": "ES256", "key": "${{ inputs.key }}", "key_id": "2X9R4HXF34",
            "claims": ["iss": "57246542-96fe", "aud": "api"],
          ]
        ]),
      Key(
        "sign", .construct(.sign),
        examples: [
          [
            "headers": [
              "X-Signature":
                "${{ hex(hmac_sha256(inputs.key, request.method + request.path + string(clock.server))) }}"
            ]
          ]
        ]),
    ], alternatives: [.exactlyOne(credentialKinds)],
    reserved: ["digest"])

  static let awsV4 = Construct(
    name: .awsV4, phrase: "'aws_v4'",
    keys: [
      Key("key", .template, examples: ["${{ inputs.key }}"]),
      Key("secret", .template, examples: ["${{ inputs.secret }}"]),
      Key("session_token", .template, examples: ["${{ steps.assume.session_token }}"]),
      Key("region", .template, isRequired: true, examples: ["us-east-1"]),
      Key("service", .template, isRequired: true, examples: ["s3"]),
      Key("payload", .choice(SignedPayload.allCases.map(\.rawValue)), default: "signed"),
      Key("in", .choice(SignaturePlace.allCases.map(\.rawValue)), default: "header"),
      Key("life", .duration, default: "15m"),
    ])

  static let sharedKey = Construct(
    name: .sharedKey, phrase: "'shared_key'",
    keys: [
      Key("account", .template, isRequired: true, examples: ["${{ inputs.account }}"]),
      Key("key", .template, isRequired: true, examples: ["${{ inputs.key }}"]),
    ])

  static let oauth1 = Construct(
    name: .oauth1, phrase: "'oauth1'",
    keys: [
      Key("consumer_key", .template, isRequired: true, examples: ["${{ inputs.key }}"]),
      Key("consumer_secret", .template, isRequired: true, examples: ["${{ inputs.secret }}"]),
      Key("token", .template, examples: ["${{ inputs.token }}"]),
      Key("token_secret", .template, examples: ["${{ inputs.token_secret }}"]),
      Key("realm", .template, examples: ["Photos"]),
      Key("parameters", .map(.template, names: nil), examples: [["title": "${{ photo.name }}"]]),
    ])

  static let jwt = Construct(
    name: .jwt, phrase: "'jwt'",
    keys: [
      Key(
        "alg", .choice(JWTAlgorithm.allCases.map(\.rawValue)), isRequired: true, examples: ["ES256"]
      ),
      Key("key", .template, isRequired: true, examples: ["${{ inputs.key }}"]),
      Key("key_id", .template, examples: ["2X9R4HXF34"]),
      Key(
        "claims", .map(.template, names: nil), examples: [["iss": "57246542-96fe", "aud": "api"]]),
      Key("life", .duration, default: "15m"),
    ])

  static let sign = Construct(
    name: .sign, phrase: "'sign'",
    keys: [
      Key(
        "headers", .map(.template, names: headerPattern), isRequired: true,
        examples: [["X-Signature": "${{ hex(hmac_sha256(inputs.key, request.path)) }}"]])
    ])
}

extension Construct.Name {
  package static let awsV4: Self = .init("aws_v4") { Grammar.awsV4 }
  package static let sharedKey: Self = .init("shared_key") { Grammar.sharedKey }
  package static let oauth1: Self = .init("oauth1") { Grammar.oauth1 }
  package static let jwt: Self = .init("jwt") { Grammar.jwt }
  package static let sign: Self = .init("sign") { Grammar.sign }

  /// The constructs of credentials that have keys of their own.
  static let ofCredentials: [Self] = [
    .oauth2, .challenge, .awsV4, .sharedKey, .oauth1, .jwt, .sign,
  ]
}

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
      Key("client_field", .text, default: "client_id", examples: ["client_key"]),
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
    ], reserved: ["grant", "rotate"])

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
enum OAuth2ClientPlace: String, CaseIterable { case header, body }

extension Construct.Name {
  package static let oauth2: Self = .init("oauth2") { Grammar.oauth2 }
  package static let challenge: Self = .init("challenge") { Grammar.challenge }
}
