extension Check {
  /// Single values.
  package static let values: [Check] = [
    Check(
      .invalidName, .error, .values, summary: "a name does not follow the pattern of names",
      explanation: """
        Expressions read inputs, steps and outputs as `steps.ID.NAME`, where a hyphen would be a minus: these names are made \
        of lower-case letters, digits and `_`, and begin with a letter. The names of pipelines and of retry policies may hold \
        `-` too.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: sign-in
            request: { url: "https://example.com/login" }
        """,
      right: """
        pipeline: example
        steps:
          - id: sign_in
            request: { url: "https://example.com/login" }
        """),
    Check(
      .reservedName, .error, .values, summary: "expressions use this name for something else",
      explanation: """
        Words of the expression language such as `in` and `as`, and the names that expressions begin with, such as `inputs` \
        and `response`, cannot be given to anything else. Choose another.
        """,
      wrong: """
        pipeline: example
        steps:
          - for_each: item
            in: ${{ [1, 2] }}
            steps:
              - id: ping
                request: { url: "https://example.com/ping" }
        """,
      right: """
        pipeline: example
        steps:
          - for_each: number
            in: ${{ [1, 2] }}
            steps:
              - id: ping
                request: { url: "https://example.com/ping" }
        """),
    Check(
      .invalidChoice, .error, .values,
      summary: "the text is none of the words that may stand there",
      explanation:
        "The message lists the words. They are written in lower case, as they stand in the list.",
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            on:
              - if: ${{ response.status == 423 }}
                then: retries
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            on:
              - if: ${{ response.status == 423 }}
                then: retry
        """),
    Check(
      .outOfRange, .error, .values, summary: "a number is outside of what is allowed",
      explanation: "Counts are whole numbers from a minimum on; the message says which.",
      wrong: """
        pipeline: example
        budgets: { transfers: 0 }
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
        """,
      right: """
        pipeline: example
        budgets: { transfers: 1 }
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
        """),
    Check(
      .invalidDuration, .error, .values, summary: "the text is no duration",
      explanation: """
        A duration is a number with its unit, `ms`, `s`, `m`, `h` or `d`, or several of them: `500ms`, `30s`, `1h30m`, `7d`. \
        A number alone is not one, because nobody sees whether it means seconds or milliseconds.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping", timeout: 5 minutes }
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping", timeout: 5 m }
        """),
    Check(
      .invalidSize, .error, .values, summary: "the text is no size",
      explanation: """
        A size is a number of bytes, alone or with a unit: `kB`, `MB`, `GB`, `TB` are powers of 1000, `KiB`, `MiB`, `GiB`, \
        `TiB` of 1024 (IEC 80000-13). Letter case matters, because `Mb` is a megabit elsewhere.
        """,
      wrong: """
        pipeline: example
        budgets: { disk: 512 mib }
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
        """,
      right: """
        pipeline: example
        budgets: { disk: 512 MiB }
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
        """),
  ]
}
