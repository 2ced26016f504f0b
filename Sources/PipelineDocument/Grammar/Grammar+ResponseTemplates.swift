import CEL
import PipelineCore

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
