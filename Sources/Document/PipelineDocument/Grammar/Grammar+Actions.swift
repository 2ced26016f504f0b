extension Construct {
  package static let url = Key("url", .template, isRequired: true)
  package static let query = Key("query", .map(.template, names: nil))
  package static let headers = Key(
    "headers",
    .either([
      .map(.optionalTemplate, names: headerPattern), .expression,
      .list(.either([.map(.optionalTemplate, names: headerPattern), .expression])),
    ]))
  package static let bearer: Key = .init("bearer", .template)
  static let basicKey = Key("basic", .construct(.basic))

  static let credentialsKey = Key("credentials", .pattern(namePattern))
  static let rateKey = Key("rate", .pattern(namePattern))

  static let redirectsKey: Key = .init(
    "redirects", .either([.words(RedirectWord.self), .construct(.redirects)]), default: "follow")

  package static let redirects = Construct(
    "redirects", Key("to", .filledList(.text), isRequired: true))

  static let cookiesKey = Key("cookies", .words(CookieWord.self), default: "ignore")

  static let responseKey: Key = .init("response", .construct(.response))

  package static let response = Construct("response", Key("schema", .json, isRequired: true))

  package static let request = Construct(
    "request", phrase: "a request", Key("method", .pattern(methodPattern), default: "GET"), url,
    query, headers, bearer, basicKey, credentialsKey, rateKey, redirectsKey, cookiesKey, jsonBody,
    formBody, textBody, xml, Key("timeout", .duration, default: "30s"),
    Key("max_response", .size, default: "1 MiB"), responseKey, exampleKey,
    alternatives: [
      .atMostOne("json", "form", "text", "xml"), .atMostOne("bearer", "basic", "credentials"),
    ],
    reserved: actionReserved.union([
      "multipart", "body", "file", "network", "priority", "discretionary", "earliest", "renew",
    ]))

  static let jsonBody = Key("json", .json)
  static let formBody = Key("form", .map(.template, names: nil))
  static let textBody = Key("text", .template)
  static let xml = Key("xml", .template)
  static let actionReserved: Set<String> = ["sign", "auth", "oauth2", "digest"]

  static let basic = Construct(
    "basic", Key("user", .template, isRequired: true), Key("password", .template, isRequired: true))

  package static let upload: Construct = .init(
    name: "upload", phrase: "an upload",
    keys: [
      Key("method", .pattern(methodPattern), default: "PUT"), url, query, headers, bearer, basicKey,
      credentialsKey, rateKey, redirectsKey, cookiesKey, Key("file", .expression, isRequired: true),
      Key("range", .construct(.range)), Key("trailers", .map(.template, names: headerPattern)),
      Key("response_timeout", .duration, default: "5m"),
    ] + transferKeys + [responseKey, exampleKey],
    alternatives: [.atMostOne("bearer", "basic", "credentials")],
    reserved: actionReserved.union(["json", "form", "text", "multipart"]), renamed: transferRenamed)

  package static let materialize = Construct(
    "materialize", Key("file", .expression), Key("range", .construct(.range)),
    Key("multipart", .filledList(.construct(.part))), Key("json", .json), Key("text", .template),
    xml, Key("concat", .filledList(.construct(.piece))),
    Key("digests", .list(.words(DigestAlgorithm.self))),
    alternatives: [.exactlyOne("file", "multipart", "json", "text", "xml", "concat")],
    reserved: ["encrypt", "compress", "name", "content_type"])

  package static let piece = Construct(
    "piece", phrase: "a piece", Key("file", .expression), Key("range", .construct(.range)),
    Key("text", .template), alternatives: [.exactlyOne("file", "text")])

  package static let range = Construct(
    "range", Key("offset", .expression, isRequired: true),
    Key("length", .expression, isRequired: true))

  package static let part = Construct(
    "part", phrase: "a part", Key("name", .text, isRequired: true), Key("text", .template),
    Key("file", .expression), Key("range", .construct(.range)), Key("filename", .template),
    Key("content_type", .text), Key("headers", .map(.optionalTemplate, names: headerPattern)),
    alternatives: [.exactlyOne("text", "file")], reserved: ["json"])
  static let defaultsKey: Key = .init("defaults", .construct(.defaults))

  package static let defaults = Construct(
    "defaults", Key("url", .template), headers, bearer, basicKey, credentialsKey, rateKey,
    alternatives: [.atMostOne("bearer", "basic", "credentials")],
    reserved: ["query", "timeout", "retry", "redirects"])

  package static let poll: Construct = .init(
    name: "poll", phrase: "'poll'",
    keys: request.keys + [
      Key("until", .expression, isRequired: true), Key("fail_when", .expression),
      Key("every", .durationOrExpression, default: "10s"),
      Key("deadline", .durationOrExpression, isRequired: true), Key("message", .template),
    ], alternatives: request.alternatives,
    reserved: request.reserved.union(["wake", "while", "attempts"]),
    renamed: [
      "interval": Construct.Renamed(key: "every", reason: "it is the time between two polls")
    ])
  static let digestNames = DigestAlgorithm.allCases.map(\.rawValue)

  package static let digest = Construct(
    "digest", Key("file", .expression, isRequired: true), Key("range", .construct(.range)),
    Key("take", .filledList(.choice(digestNames)), isRequired: true),
    reserved: ["files", "as", "encoding"])
}

/// Responses of servers, in examples and in tests.
extension Construct {
  static let exampleKey: Key = .init("example", .construct(.example))

  package static let responseStatus = Key("status", .integer(minimum: 100), default: 200)
  package static let responseHeaders = Key("headers", .map(.template, names: headerPattern))
  package static let responseJSON = Key("json", .json)
  package static let responseText = Key("text", .template)
  package static let responseDelay = Key("delay", .duration, default: "0s")

  package static let example = Construct(
    "example", phrase: "an example", responseStatus, responseHeaders, responseJSON, responseText,
    responseDelay, alternatives: [.atMostOne("json", "text")],
    reserved: ["body", "file", "if", "error", "url"])

  static let probeExample = Construct(
    "probe_example", phrase: "a probe's examples", Key("took_effect", .construct(.example)),
    Key("no_effect", .construct(.example)))
}
enum CookieWord: String, CaseIterable, Sendable { case ignore, keep }

enum RedirectWord: String, CaseIterable { case follow, forbid }
