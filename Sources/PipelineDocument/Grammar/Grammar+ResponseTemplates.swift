import CEL
import PipelineCore

/// Answers of servers, in examples and in tests.
extension Grammar {
  static let exampleKey = Key(
    "example", .construct(.example),
    """
    What a successful answer looks like. It is for readers, `pipeline simulate` and `pipeline verify`: a run for real never \
    looks at it. Left out, a simulation makes up an answer that the step's `on` and `outputs` take.
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
    "json", .json,
    "Body of type `application/json`; expressions may stand in its strings.",
    examples: [["id": "u1", "expires_at": #"${{ string(now + duration("1h")) }}"#]])
  package static let responseText = Key(
    "text", .template, "Body of text, UTF-8.", examples: ["created ${{ request.number }}"])
  package static let responseDelay = Key(
    "delay", .duration, "Time until the answer.", default: "0s")

  package static let example = Construct(
    name: .example, phrase: "an example",
    summary: """
      What an answer looks like. Expressions see what the request's own do, and `request.method`, `.url`, `.headers`, `.json`, \
      `.text`, `.size`, `.number` and `.elapsed`; `now` is when the request arrives.
      """,
    keys: [responseStatus, responseHeaders, responseJSON, responseText, responseDelay],
    alternatives: [.atMostOne("json", "text")], reserved: ["body", "file", "if", "error", "url"])

  static let probeExample = Construct(
    name: .probeExample, phrase: "a probe's examples",
    summary: "What a probe's answers look like.",
    keys: [
      Key(
        "done", .construct(.example), "The answer where the step took effect.",
        examples: [["json": ["state": "complete"]]]),
      Key(
        "open", .construct(.example), "The answer where it did not.",
        examples: [["status": 404]]),
    ])
}
