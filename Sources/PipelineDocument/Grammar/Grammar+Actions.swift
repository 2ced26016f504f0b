import CEL
import PipelineCore

extension Grammar {
  package static let url = Key(
    "url", .template, isRequired: true, examples: [#"${{ inputs.server + "/v1/uploads" }}"#])
  package static let query = Key(
    "query", .map(.template, names: nil), examples: [["name": "${{ photo.name }}"]])
  package static let headers = Key(
    "headers",
    .either([
      .map(.optionalTemplate, names: headerPattern), .expression,
      .list(.either([.map(.optionalTemplate, names: headerPattern), .expression])),
    ]),
    examples: [
      ["Accept": "application/json"], ["${{ steps.ask.headers }}", ["Content-Type": "image/jpeg"]],
    ])
  package static let bearer = Key("bearer", .template, examples: ["${{ steps.sign_in.token }}"])
  static let basicKey = Key(
    "basic", .construct(.basic),
    examples: [["user": "${{ inputs.user }}", "password": "${{ inputs.password }}"]])

  static let credentialsKey = Key("credentials", .pattern(namePattern), examples: ["api"])
  static let rateKey = Key("rate", .pattern(namePattern), examples: ["init"])

  static let redirectsKey = Key(
    "redirects", .either([.choice(RedirectWord.allCases.map(\.rawValue)), .construct(.redirects)]),
    default: "follow", examples: ["forbid", ["to": ["*.example.com"]]])

  package static let redirects = Construct(
    name: .redirects, phrase: "'redirects'",
    keys: [
      Key(
        "to", .filledList(.text), isRequired: true,
        examples: [["*.example.com", "files.example.org:8443"]])
    ])

  static let responseKey = Key(
    "response", .construct(.response),
    examples: [["schema": ["properties": ["id": ["type": "string"]]]]])

  package static let response = Construct(
    name: .response, phrase: "'response'",
    keys: [
      Key(
        "schema", .json, isRequired: true,
        examples: [["type": "object", "properties": ["id": ["type": "string"]]]])
    ])

  package static let request = Construct(
    name: .request, phrase: "a request",
    keys: [
      Key("method", .pattern(methodPattern), default: "GET"),
      url, query, headers, bearer, basicKey, credentialsKey, rateKey, redirectsKey,
      jsonBody, formBody, textBody, xml,
      Key("timeout", .duration, default: "30s"),
      Key("max_response", .size, default: "1 MiB", examples: ["16 MiB"]),
      responseKey, exampleKey,
    ],
    alternatives: [
      .atMostOne("json", "form", "text", "xml"), .atMostOne("bearer", "basic", "credentials"),
    ],
    reserved: actionReserved.union([
      "multipart", "body", "file", "network", "priority", "discretionary", "earliest", "renew",
    ]))

  static let jsonBody = Key(
    "json", .json, examples: [["name": "${{ photo.name }}", "size": "${{ photo.size }}"]])

  static let formBody = Key(
    "form", .map(.template, names: nil), examples: [["grant_type": "client_credentials"]])

  static let textBody = Key("text", .template, examples: ["${{ photo.name }} is complete"])
  static let xml = Key("xml", .template, examples: [#"<Tag>${{ photo.name }}</Tag>"#])
  static let actionReserved: Set<String> = ["sign", "auth", "oauth2", "digest"]

  static let basic = Construct(
    name: .basic, phrase: "'basic'",
    keys: [
      Key("user", .template, isRequired: true, examples: ["${{ inputs.user }}"]),
      Key("password", .template, isRequired: true, examples: ["${{ inputs.password }}"]),
    ])

  package static let upload = Construct(
    name: .upload, phrase: "an upload",
    keys: [
      Key("method", .pattern(methodPattern), default: "PUT"),
      url, query, headers, bearer, basicKey, credentialsKey, rateKey, redirectsKey,
      Key(
        "file", .expression, isRequired: true, examples: ["${{ steps.body.file }}", "${{ photo }}"]),
      Key(
        "range", .construct(.range),
        examples: [["offset": "${{ steps.sent.offset }}", "length": "${{ 8 * MiB }}"]]),
      Key(
        "trailers", .map(.template, names: headerPattern),
        examples: [["x-amz-checksum-crc32c": "${{ body.crc32c.base64 }}"]]),
    ] + transferKeys + [responseKey, exampleKey],
    alternatives: [.atMostOne("bearer", "basic", "credentials")],
    reserved: actionReserved.union(["json", "form", "text", "multipart"]), renamed: transferRenamed)

  package static let materialize = Construct(
    name: .materialize, phrase: "'materialize'",
    keys: [
      Key("file", .expression, examples: ["${{ photo }}"]),
      Key(
        "range", .construct(.range), examples: [["offset": "${{ 0 }}", "length": "${{ 8 * MiB }}"]]),
      Key(
        "multipart", .filledList(.construct(.part)),
        examples: [[["name": "file", "file": "${{ photo }}"]]]),
      Key("json", .json, examples: [["name": "${{ photo.name }}"]]),
      Key("text", .template, examples: ["${{ photo.name }}"]),
      xml,
      Key(
        "concat", .filledList(.construct(.piece)),
        examples: [[["text": "${{ photo.name }}"], ["file": "${{ photo }}"]]]),
      Key(
        "digests", .list(.choice(DigestAlgorithm.allCases.map(\.rawValue))), examples: [["sha256"]]),
    ], alternatives: [.exactlyOne("file", "multipart", "json", "text", "xml", "concat")],
    reserved: ["encrypt", "compress", "name", "content_type"])

  package static let piece = Construct(
    name: .piece, phrase: "a piece",
    keys: [
      Key("file", .expression, examples: ["${{ photo }}"]),
      Key(
        "range", .construct(.range), examples: [["offset": "${{ 0 }}", "length": "${{ 8 * MiB }}"]]),
      Key("text", .template, examples: ["${{ photo.name }}"]),
    ], alternatives: [.exactlyOne("file", "text")])

  package static let range = Construct(
    name: .range, phrase: "'range'",
    keys: [
      Key("offset", .expression, isRequired: true, examples: ["${{ 0 }}"]),
      Key("length", .expression, isRequired: true, examples: ["${{ 8 * 1024 * 1024 }}"]),
    ])

  package static let part = Construct(
    name: .part, phrase: "a part",
    keys: [
      Key("name", .text, isRequired: true, examples: ["file"]),
      Key("text", .template, examples: ["${{ photo.name }}"]),
      Key("file", .expression, examples: ["${{ photo }}"]),
      Key(
        "range", .construct(.range), examples: [["offset": "${{ 0 }}", "length": "${{ 8 * MiB }}"]]),
      Key("filename", .template, examples: ["${{ photo.name }}"]),
      Key("content_type", .text, examples: ["image/jpeg"]),
      Key(
        "headers", .map(.optionalTemplate, names: headerPattern),
        examples: [["Content-ID": "<photo>"]]),
    ], alternatives: [.exactlyOne("text", "file")],
    reserved: ["json"])

  /// `defaults` of a pipeline or a loop.
  static let defaultsKey = Key(
    "defaults", .construct(.defaults),
    examples: [["url": "${{ inputs.server }}", "headers": ["Accept": "application/json"]]])

  package static let defaults = Construct(
    name: .defaults, phrase: "'defaults'",
    keys: [
      Key("url", .template, examples: ["${{ inputs.server }}", "https://example.com/v1"]),
      headers, bearer, basicKey, credentialsKey, rateKey,
    ], alternatives: [.atMostOne("bearer", "basic", "credentials")],
    reserved: ["query", "timeout", "retry", "redirects"])

  package static let poll = Construct(
    name: .poll, phrase: "'poll'",
    keys: request.keys + [
      Key(
        "until", .expression, isRequired: true, examples: [#"${{ response.json.state == "done" }}"#]
      ),
      Key("fail_when", .expression, examples: [#"${{ response.json.state == "error" }}"#]),
      Key(
        "every", .durationOrExpression, default: "10s",
        examples: ["30s", "${{ duration(string(response.json.check_after_secs) + \"s\") }}"]),
      Key(
        "deadline", .durationOrExpression, isRequired: true,
        examples: ["10m", "${{ inputs.patience }}"]),
      Key("message", .template, examples: ["${{ response.json.progress }} %"]),
    ], alternatives: request.alternatives,
    reserved: request.reserved.union(["wake", "while", "attempts"]),
    renamed: [
      "interval": Construct.Renamed(key: "every", reason: "it is the time between two questions")
    ])

  /// The words for digests.
  static let digestNames = DigestAlgorithm.allCases.map(\.rawValue)

  package static let digest = Construct(
    name: .digest, phrase: "'digest'",
    keys: [
      Key("file", .expression, isRequired: true, examples: ["${{ photo }}"]),
      Key(
        "range", .construct(.range), examples: [["offset": "${{ 0 }}", "length": "${{ 8 * MiB }}"]]),
      Key(
        "take", .filledList(.choice(digestNames)), isRequired: true,
        examples: [["sha256", "crc64nvme"]]),
    ], reserved: ["files", "as", "encoding"])
}

/// Responses of servers, in examples and in tests.
extension Grammar {
  static let exampleKey = Key(
    "example", .construct(.example),
    examples: [
      [
        "status": 201,
        "json": [
          "id": "u-${{ request.number }}", "expires_at": #"${{ string(now + duration("1h")) }}"#,
        ],
      ]
    ])

  package static let responseStatus = Key("status", .integer(minimum: 100), default: 200)
  package static let responseHeaders = Key(
    "headers", .map(.template, names: headerPattern), examples: [["Retry-After": "30"]])
  package static let responseJSON = Key(
    "json", .json, examples: [["id": "u1", "expires_at": #"${{ string(now + duration("1h")) }}"#]])
  package static let responseText = Key(
    "text", .template, examples: ["created ${{ request.number }}"])
  package static let responseDelay = Key("delay", .duration, default: "0s")

  package static let example = Construct(
    name: .example, phrase: "an example",
    keys: [responseStatus, responseHeaders, responseJSON, responseText, responseDelay],
    alternatives: [.atMostOne("json", "text")], reserved: ["body", "file", "if", "error", "url"])

  static let probeExample = Construct(
    name: .probeExample, phrase: "a probe's examples",
    keys: [
      Key("took_effect", .construct(.example), examples: [["json": ["state": "complete"]]]),
      Key("no_effect", .construct(.example), examples: [["status": 404]]),
    ])
}
