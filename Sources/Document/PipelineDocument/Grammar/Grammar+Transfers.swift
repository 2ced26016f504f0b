/// What background transfers have in common.
extension Construct {
  static let transferKeys = [
    Key("request_timeout", .duration, default: "60s"),
    Key("resource_timeout", .duration, default: "7d"), Key("priority", .fraction, default: 0.5),
    Key("discretionary", .flag, default: false), Key("earliest", .durationOrExpression),
    Key("renew", .list(.words(Renewal.self))), Key("network", .construct(.network)),
  ]

  static let transferRenamed = [
    "timeout": Construct.Renamed(
      key: "resource_timeout",
      reason: """
        'request_timeout' limits the time without progress, 'resource_timeout' the whole transfer
        """)
  ]

  package static let download: Construct = .init(
    name: "download", phrase: "a download",
    keys: [
      Key("method", .pattern(methodPattern), default: "GET"), url, query, headers, bearer, basicKey,
      credentialsKey, rateKey, redirectsKey, cookiesKey, jsonBody, formBody, textBody, xml,
      Key("to", .template), Key("size", .either([.size, .expression])), Key("max_size", .size),
      Key("sha256", .template), Key("digest", .construct(.requiredDigest)),
      Key("digests", .list(.words(DigestAlgorithm.self))), Key("save", .construct(.save)),
    ] + transferKeys + [exampleKey],
    alternatives: [
      .atMostOne("json", "form", "text", "xml"), .atMostOne("bearer", "basic", "credentials"),
      .atMostOne("sha256", "digest"),
    ],
    reserved: actionReserved.subtracting(["digest"]).union([
      "range", "multipart", "file", "response",
    ]), renamed: transferRenamed)

  package static let requiredDigest: Construct = .init(
    name: "required_digest", phrase: "'digest'",
    keys: DigestAlgorithm.allCases.map { algorithm in Key(algorithm.rawValue, .optionalTemplate) })

  package static let save = Construct(
    "save", Key("folder", .expression, isRequired: true), Key("name", .template, isRequired: true),
    Key("existing", .words(ExistingFile.self), default: "refuse"))

  package static let network = Construct(
    "network", Key("cellular", .flag, default: true), Key("expensive", .flag, default: true),
    Key("constrained", .flag, default: true), reserved: ["wifi", "roaming", "metered"])
}
