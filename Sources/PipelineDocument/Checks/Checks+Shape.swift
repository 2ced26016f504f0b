extension Check {
  /// Keys, and what stands behind them.
  package static let shape: [Check] = [
    Check(
      .unknownKey, .error, .shape, summary: "a construct does not have this key",
      explanation: """
        A misspelt key would otherwise be passed over, and what it says would not happen. The nearest key that is known is \
        proposed, else all of them are listed.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request:
              methud: POST
              url: https://example.com/ping
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request:
              method: POST
              url: https://example.com/ping
        """),
    Check(
      .missingKey, .error, .shape, summary: "a key that must be there is not",
      explanation: """
        Some keys have no default: a step needs its `id` and exactly one of `request`, `materialize` and `upload`, a request \
        needs its `url`, an input its `type`. Add what is missing.
        """,
      wrong: """
        pipeline: example
        steps:
          - request: { url: "https://example.com/ping" }
          - id: pong
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
        """),
    Check(
      .unsupportedKey, .error, .shape,
      summary: "the language has this key, and this version does not",
      explanation: """
        The name is kept for a later version, so that a file which uses it is not misunderstood by this one. Do without it, \
        or use a version that has it.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            wait: 5s
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
        """),
    Check(
      .conflictingKeys, .error, .shape, summary: "of these keys only one may stand",
      explanation: """
        A step does one thing, a request has one body and one way to authorize itself, and a header has one value. Remove \
        all but one.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request:
              method: POST
              url: https://example.com/ping
              json: { a: 1 }
              text: b
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request:
              method: POST
              url: https://example.com/ping
              json: { a: 1 }
        """),
    Check(
      .wrongType, .error, .shape, summary: "a list stands where text is expected, or the like",
      explanation: """
        The message says what is expected and what was found. A list is written with `- ` or `[ ]`, a mapping with `key: value` \
        or `{ }`. Mind that YAML 1.2 reads `yes` and `on` as text: truth values are `true` and `false`.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: https://example.com/ping
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
        """),
    Check(
      .emptyCollection, .error, .shape,
      summary: "a list or mapping that must hold something is empty",
      explanation:
        "A pipeline or loop without steps and a body without parts do nothing. Add an entry, or remove the key.",
      wrong: """
        pipeline: example
        steps: []
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
        """),
  ]
}
