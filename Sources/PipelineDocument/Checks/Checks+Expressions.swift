extension Check {
  /// What compiling an expression reports.
  package static let expressions: [Check] = [
    Check(
      .expressionType, .error, .expressions,
      summary: "an expression, or an operand in it, has the wrong type",
      explanation: """
        Types are known before a run: of inputs by their declaration, of `response.status`, of files and of each function. \
        `response.json` may hold anything, unless the request declares a `schema` for it. The message names the types that \
        were found; conversions are written out, as in `string(photo.size)` and `int(response.text)`.
        """,
      wrong: """
        pipeline: example
        inputs: { page: { type: int } }
        steps:
          - id: ping
            request: { url: "${{ 'https://example.com/' + inputs.page }}" }
            on:
              - if: ${{ response.status == "404" }}
                then: fail
        """,
      right: """
        pipeline: example
        inputs: { page: { type: int } }
        steps:
          - id: ping
            request: { url: "${{ 'https://example.com/' + string(inputs.page) }}" }
            on:
              - if: ${{ response.status == 404 }}
                then: fail
        """),
    Check(
      .unknownField, .error, .expressions, summary: "a value does not have this field",
      explanation: """
        The fields of files are known, and so are those of an answer whose request declares a `schema` for it. In `outputs` and \
        `done` a field that the schema does not declare is taken for a slip; declare it, or write `additionalProperties: true`. \
        Entries of `on` may read other fields too, because errors look different.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: allocate
            request:
              url: https://example.com/new
              response: { schema: { properties: { upload_id: { type: string } } } }
            outputs: { id: "${{ response.json.uploadid }}" }
          - id: ping
            request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """,
      right: """
        pipeline: example
        steps:
          - id: allocate
            request:
              url: https://example.com/new
              response: { schema: { properties: { upload_id: { type: string } } } }
            on:
              - if: ${{ response.json.error == "busy" }}
                then: retry
            outputs: { id: "${{ response.json.upload_id }}" }
          - id: ping
            request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """),
    Check(
      .undeclaredReference, .error, .expressions, summary: "nothing declares this name",
      explanation: """
        Expressions begin with `inputs`, `steps`, `run`, `now`, in a loop with its element and `item`, and where an answer is \
        there with `response` and `history`. A name or function that is like it is proposed.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            on:
              - if: ${{ respons.status == 404 }}
                then: fail
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            on:
              - if: ${{ response.status == 404 }}
                then: fail
        """),
    Check(
      .invalidConstant, .error, .expressions,
      summary: "a constant in an expression can never be right",
      explanation: """
        A regular expression that cannot be read (the syntax is that of RE2), a number beyond 64 bits, an unknown escape: \
        each run would fail at this place.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            on:
              - if: ${{ response.text.matches("busy|[0-9") }}
                then: retry
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            on:
              - if: ${{ response.text.matches("busy|[0-9]") }}
                then: retry
        """),
  ]

  /// What taking an expression out of its text reports.
  static let syntax: [Check] = [
    Check(
      .expressionExpected, .error, .expressions, summary: "text stands where an expression must",
      explanation: """
        Conditions, lists and files are expressions of CEL, written `${{ … }}`, with nothing before or after them. Without the \
        marks the text would be only text.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            on:
              - if: response.status == 404
                then: fail
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            on:
              - if: ${{ response.status == 404 }}
                then: fail
        """),
    Check(
      .expressionNotAllowed, .error, .expressions,
      summary: "an expression stands where the text must be the same for each run",
      explanation: """
        Names, methods, defaults and descriptions belong to the pipeline, not to a run: checkpoints and reports refer to them. \
        Write the text itself.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            description: "Ping for ${{ run.id }}"
            request: { url: "https://example.com/ping" }
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            description: Ping the server
            request: { url: "https://example.com/ping" }
        """),
    Check(
      .unclosedExpression, .error, .expressions, summary: "`${{` is never closed",
      explanation: """
        An expression ends with `}}`. Where the text `${{` itself is meant, write `$${{`.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/${{ run.id }" }
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/${{ run.id }}" }
        """),
    Check(
      .expressionSyntax, .error, .expressions,
      summary: "the text between `${{` and `}}` is not CEL",
      explanation: """
        The [Common Expression Language](https://github.com/google/cel-spec) has the operators of C (`==`, `&&`, `? :`), texts in \
        single or double quotes, lists and maps. The message says what was expected at the place that is marked.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            if: ${{ now > }}
            request: { url: "https://example.com/ping" }
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            if: ${{ now > timestamp("2030-01-01T00:00:00Z") }}
            request: { url: "https://example.com/ping" }
        """),
  ]
}
