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
      "multipart", "body", "file", "network", "priority", "discretionary", "earliest",
      "renew",
    ]))

  static let jsonBody = Key(
    "json", .json, examples: [["name": "${{ photo.name }}", "size": "${{ photo.size }}"]])

  static let formBody = Key(
    "form", .map(.template, names: nil), examples: [["grant_type": "client_credentials"]])

  static let textBody = Key("text", .template, examples: ["${{ photo.name }} is complete"])

  static let xml = Key("xml", .template, examples: [#"<Tag>${{ photo.name }}</Tag>"#])

  static let actionReserved: Set<String> = [
    "sign", "auth", "oauth2", "digest",
  ]

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
    reserved: actionReserved.union(["json", "form", "text", "multipart"]),
    renamed: transferRenamed)

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
    ],
    alternatives: [.exactlyOne("file", "multipart", "json", "text", "xml", "concat")],
    reserved: ["encrypt", "compress", "name", "content_type"])

  package static let piece = Construct(
    name: .piece, phrase: "a piece",
    keys: [
      Key("file", .expression, examples: ["${{ photo }}"]),
      Key(
        "range", .construct(.range), examples: [["offset": "${{ 0 }}", "length": "${{ 8 * MiB }}"]]),
      Key("text", .template, examples: ["${{ photo.name }}"]),
    ],
    alternatives: [.exactlyOne("file", "text")])

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
    ],
    alternatives: [.exactlyOne("text", "file")],
    reserved: ["json"])
}
