extension Check {
  /// The checks of keys and their values.
  package static let shape: [Check] = [
    Check(
      .unknownKey, .error, .shape, summary: "a key is unknown",
      explanation: """
        A misspelt key would otherwise be ignored without notice. The help suggests the nearest known key, or lists \
        all of them.
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
      .missingKey, .error, .shape, summary: "a required key is missing",
      explanation: """
        Some keys have no default: a step needs its `id` and exactly one action such as `request`, `materialize` or \
        `upload`; a request needs its `url`; an input needs its `type`. Add the missing key.
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
      summary: "a key is reserved and not supported yet",
      explanation: """
        The name is reserved for a later version, so that this version does not misread a file that uses it. Remove \
        the key, or use a version that supports it.
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
      .conflictingKeys, .error, .shape, summary: "keys that exclude each other are used together",
      explanation: """
        A step does one thing, a request has one body and one kind of authorization, and a header has one value. \
        Remove all but one.
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
      .wrongType, .error, .shape,
      summary: "a value has the wrong kind, such as a list instead of text",
      explanation: """
        The message says what is expected and what was found. A list is written with `- ` or `[ ]`, a mapping with \
        `key: value` or `{ }`. Note that YAML 1.2 reads `yes` and `on` as text: Booleans are `true` and `false`.
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
      summary: "a list or mapping is empty but needs an entry",
      explanation: """
        A pipeline or loop without steps, or a body without parts, does nothing. Add an entry, or remove the key.
        """,
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
