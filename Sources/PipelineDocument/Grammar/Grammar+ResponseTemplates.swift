import CEL
import PipelineCore

extension Grammar {
  static let exampleKey = Key(
    "example", .construct(.example),
    """
    What a successful response looks like, for readers, `pipeline simulate` and `pipeline verify`: a real run never \
    reads it. By default, a simulation generates a response that the step's `on` and `outputs` accept.
    """,
    examples: [
      [
        "status": 201,
        "json": [
          "id": "u-${{ request.number }}", "expires_at": #"${{ string(now + duration("1h")) }}"#,
        ],
      ]
    ])

  package static let responseStatus = Key(
    "status", .integer(minimum: 100), "HTTP status, 100 to 599.", default: 200)
  package static let responseHeaders = Key(
    "headers", .map(.template, names: headerPattern), "Headers by name.",
    examples: [["Retry-After": "30"]])
  package static let responseJSON = Key(
    "json", .json, "Body of type `application/json`; its strings may contain expressions.",
    examples: [["id": "u1", "expires_at": #"${{ string(now + duration("1h")) }}"#]])
  package static let responseText = Key(
    "text", .template, "Plain-text body, UTF-8.", examples: ["created ${{ request.number }}"])
  package static let responseDelay = Key(
    "delay", .duration, "Time until the response.", default: "0s")

  package static let example = Construct(
    name: .example, phrase: "an example",
    summary: """
      What a response looks like. Expressions see the same names as the request's, and `request.method`, `.url`, `.headers`, `.json`, \
      `.text`, `.size`, `.number` and `.elapsed`; `now` is when the request arrives.
      """,
    keys: [responseStatus, responseHeaders, responseJSON, responseText, responseDelay],
    alternatives: [.atMostOne("json", "text")], reserved: ["body", "file", "if", "error", "url"])

  static let probeExample = Construct(
    name: .probeExample, phrase: "a probe's examples",
    summary: "What a probe's responses look like.",
    keys: [
      Key(
        "took_effect", .construct(.example), "The response if the step took effect.",
        examples: [["json": ["state": "complete"]]]),
      Key(
        "no_effect", .construct(.example), "The response if it did not.",
        examples: [["status": 404]]),
    ])
}
