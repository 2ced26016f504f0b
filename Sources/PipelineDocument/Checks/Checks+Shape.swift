extension Check {
  /// The checks of keys and their values.
  package static let shape: [Check] = [
    Check(
      .unknownKey, .error, .shape, summary: "a key is unknown",
      explanation: """
        A misspelt key would otherwise be ignored without notice. The help suggests the nearest known key, or lists \
        all of them.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
             request:
        -      methud: POST
        +      method: POST
               url: https://example.com/ping
        """),
    Check(
      .unknownVersion, .error, .shape,
      summary: "a file is written in a later version of the language",
      explanation: """
        `version` is the version of the language, a whole number. A program that does not know it would misread the file, so \
        it refuses it. Install a newer program.
        """,
      example: """
         pipeline: example
        -version: 2
        +version: 1
         steps:
           - id: ping
             request: { url: "https://example.com/ping" }
        """),
    Check(
      .missingEffect, .error, .shape,
      summary: "a POST or PATCH with outputs does not say what a repeat does",
      explanation: """
        A response can be lost after the server has acted. Whether the request may then simply be sent again is something \
        that only the author knows: GET, PUT and DELETE can be repeated without harm (RFC 9110 §9.2.2), POST and PATCH often \
        make something new. With `effect: create` the step is repeated only with an `idempotency` key, after a `probe`, or \
        when the server cannot have received it; with `effect: repeatable` it is sent again. A request without outputs is \
        usually a plain message, and may leave `effect` out.
        """,
      example: """
         pipeline: example
         steps:
           - id: begin
             request: { method: POST, url: "https://example.com/uploads" }
        +    effect: create
        +    idempotency: { header: Idempotency-Key }
             outputs: { url: "${{ response.headers.location }}" }
           - id: send
             request: { method: PUT, url: "${{ steps.begin.url }}", text: hello }
        """),
    Check(
      .missingKey, .error, .shape, summary: "a required key is missing",
      explanation: """
        Some keys have no default: a step needs its `id` and exactly one action such as `request`, `materialize` or \
        `upload`; a request needs its `url`; an input needs its `type`. Add the missing key.
        """,
      example: """
         pipeline: example
         steps:
        -  - request: { url: "https://example.com/ping" }
        -  - id: pong
        +  - id: ping
        +    request: { url: "https://example.com/ping" }
        """),
    Check(
      .unsupportedKey, .error, .shape,
      summary: "a key is reserved and not supported yet",
      explanation: """
        The name is reserved for a later version, so that this version does not misread a file that uses it. Remove \
        the key, or use a version that supports it.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
             request: { url: "https://example.com/ping" }
        -    wait: 5s
        """),
    Check(
      .conflictingKeys, .error, .shape, summary: "keys that exclude each other are used together",
      explanation: """
        A step does one thing, a request has one body and one kind of authorization, and a header has one value. \
        Remove all but one.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
             request:
               method: POST
               url: https://example.com/ping
               json: { a: 1 }
        -      text: b
        """),
    Check(
      .wrongType, .error, .shape,
      summary: "a value has the wrong kind, such as a list instead of text",
      explanation: """
        The message says what is expected and what was found. A list is written with `- ` or `[ ]`, a mapping with \
        `key: value` or `{ }`. Note that YAML 1.2 reads `yes` and `on` as text: Booleans are `true` and `false`.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
        -    request: https://example.com/ping
        +    request: { url: "https://example.com/ping" }
        """),
    Check(
      .emptyCollection, .error, .shape,
      summary: "a list or mapping is empty but needs an entry",
      explanation: """
        A pipeline or loop without steps, or a body without parts, does nothing. Add an entry, or remove the key.
        """,
      example: """
         pipeline: example
        -steps: []
        +steps:
        +  - id: ping
        +    request: { url: "https://example.com/ping" }
        """),
  ]
}
