extension Check {
  /// Single values.
  package static let values: [Check] = [
    Check(
      .invalidXML, .error, .values, summary: "text under 'xml' is not XML",
      explanation: """
        The text must be one element with everything that is in it, whatever its expressions give. An expression can be \
        part of an element's text or of an attribute's value, where its value is escaped; it cannot give names or tags. For \
        elements that are only known in a run, give a map.
        """,
      example: """
         pipeline: example
         steps:
           - id: tag
        -    request: { method: PUT, url: "https://example.com/tags", xml: "<Tag>${{ run.id }}</Tags>" }
        +    request: { method: PUT, url: "https://example.com/tags", xml: "<Tag>${{ run.id }}</Tag>" }
           - id: other
        -    request: { method: PUT, url: "https://example.com/tags", xml: "<${{ run.id }}/>" }
        +    request: { method: PUT, url: "https://example.com/tags", xml: '<Tags>${{ {"Tag": [1, 2]} }}</Tags>' }
        """),
    Check(
      .invalidName, .error, .values, summary: "a name is invalid",
      explanation: """
        Expressions read inputs, steps and outputs as `steps.ID.NAME`, where a hyphen would be a minus sign. These \
        names use lower-case letters, digits and `_`, and start with a letter. Names of pipelines and of retry \
        policies may also contain `-`.
        """,
      example: """
         pipeline: example
         steps:
        -  - id: sign-in
        +  - id: sign_in
             request: { url: "https://example.com/login" }
        """),
    Check(
      .reservedName, .error, .values, summary: "a name has another meaning in expressions",
      explanation: """
        Reserved words of the expression language, such as `in` and `as`, and the names that expressions begin with, \
        such as `inputs` and `response`, cannot be used as names. Choose another.
        """,
      example: """
         pipeline: example
         steps:
        -  - for_each: item
        +  - for_each: number
             in: ${{ [1, 2] }}
             steps:
               - id: ping
                 request: { url: "https://example.com/ping" }
        """),
    Check(
      .invalidChoice, .error, .values,
      summary: "the text is not one of the allowed words",
      explanation: """
        The message lists the allowed words. They are case-sensitive.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
             request: { url: "https://example.com/ping" }
             on:
               - if: ${{ response.status == 423 }}
        -        then: retries
        +        then: retry
        """),
    Check(
      .outOfRange, .error, .values, summary: "a number is out of range",
      explanation: """
        Counts are integers with a minimum, which the message names.
        """,
      example: """
         pipeline: example
        -budgets: { transfers: 0 }
        +budgets: { transfers: 1 }
         steps:
           - id: ping
             request: { url: "https://example.com/ping" }
        """),
    Check(
      .invalidDuration, .error, .values, summary: "a duration is invalid",
      explanation: """
        A duration is a number with a unit, `ms`, `s`, `m`, `h` or `d`, or several of them: `500ms`, `30s`, `1h30m`, \
        `7d`. A bare number is not allowed, because it does not show whether it means seconds or milliseconds.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
        -    request: { url: "https://example.com/ping", timeout: 5 minutes }
        +    request: { url: "https://example.com/ping", timeout: 5 m }
        """),
    Check(
      .invalidSize, .error, .values, summary: "a size is invalid",
      explanation: """
        A size is a number of bytes, alone or with a unit: `kB`, `MB`, `GB`, `TB` are powers of 1000, and `KiB`, \
        `MiB`, `GiB`, `TiB` powers of 1024 (IEC 80000-13). Upper and lower case matter, because `Mb` means megabit \
        elsewhere.
        """,
      example: """
         pipeline: example
        -budgets: { disk: 512 mib }
        +budgets: { disk: 512 MiB }
         steps:
           - id: ping
             request: { url: "https://example.com/ping" }
        """),
    Check(
      .invalidRate, .error, .values, summary: "a rate of requests is invalid",
      explanation: """
        A rate is a number of requests and a time: `6/1m`, `300/15m`. In no time span of that length more are sent, so it is \
        the number that the server's documentation names.
        """,
      example: """
         pipeline: example
        -budgets: { rates: { init: 6/m } }
        +budgets: { rates: { init: 6/1m } }
         steps:
           - id: ping
             request: { url: "https://example.com/ping", rate: init }
        """),
  ]
}
