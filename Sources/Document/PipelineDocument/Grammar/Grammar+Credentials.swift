extension Construct {
  /// The keys of which a credential has exactly one.
  static let credentialKinds = [
    "bearer", "basic", "header", "oauth2", "challenge", "aws_v4", "shared_key", "oauth1", "jwt",
    "sign",
  ]

  package static let credential = Construct(
    "credential", phrase: "credentials", bearer, basicKey,
    Key("header", .map(.template, names: headerPattern)), oauth2Key, challengeKey,
    Key("aws_v4", .construct(.awsV4)), Key("shared_key", .construct(.sharedKey)),
    Key("oauth1", .construct(.oauth1)), Key("jwt", .construct(.jwt)),
    Key("sign", .construct(.sign)), alternatives: [.exactlyOne(credentialKinds)],
    reserved: ["digest"])

  static let awsV4 = Construct(
    "aws_v4", Key("key", .template), Key("secret", .template), Key("session_token", .template),
    Key("region", .template, isRequired: true), Key("service", .template, isRequired: true),
    Key("payload", .words(SignedPayload.self), default: "signed"),
    Key("in", .words(SignaturePlace.self), default: "header"),
    Key("life", .duration, default: "15m"))

  static let sharedKey = Construct(
    "shared_key", Key("account", .template, isRequired: true),
    Key("key", .template, isRequired: true))

  static let oauth1 = Construct(
    "oauth1", Key("consumer_key", .template, isRequired: true),
    Key("consumer_secret", .template, isRequired: true), Key("token", .template),
    Key("token_secret", .template), Key("realm", .template),
    Key("parameters", .map(.template, names: nil)))

  static let jwt = Construct(
    "jwt", Key("alg", .words(JWTAlgorithm.self), isRequired: true),
    Key("key", .template, isRequired: true), Key("key_id", .template),
    Key("claims", .map(.template, names: nil)), Key("life", .duration, default: "15m"))

  static let sign = Construct(
    "sign", Key("headers", .map(.template, names: headerPattern), isRequired: true))

  /// The constructs of credentials that have keys of their own.
  static let ofCredentials: [Construct] = [
    .oauth2, .challenge, .awsV4, .sharedKey, .oauth1, .jwt, .sign,
  ]
}

/// Credentials that are requested from an authorization server.
extension Construct {
  static let oauth2Key: Key = .init("oauth2", .construct(.oauth2))

  static let challengeKey: Key = .init("challenge", .construct(.challenge))

  static let oauth2 = Construct(
    "oauth2", Key("token_url", .template, isRequired: true), Key("client", .template),
    Key("secret", .template), Key("client_in", .words(OAuth2ClientPlace.self), default: "header"),
    Key("client_field", .text, default: "client_id"), Key("refresh_token", .template),
    Key("device_url", .template), Key("refresh", .flag, default: true),
    Key("assertion", .construct(.jwt)), Key("client_assertion", .construct(.jwt)),
    Key("scope", .template), Key("parameters", .map(.template, names: nil)),
    reserved: ["grant", "rotate"])

  static let challenge = Construct(
    "challenge", Key("url", .template, isRequired: true), Key("realm", .template),
    Key("scope", .template), Key("basic", .construct(.basic)))
}

/// Where client and secret are sent.
enum OAuth2ClientPlace: String, CaseIterable { case header, body }
