extension Check {
  /// The checks made by compiling an expression.
  package static let expressions: [Check] = [
    Check(
      .expressionType, .error, .expressions,
      summary: "an expression, or an operand in it, has the wrong type",
      explanation: """
        The checker knows types before a run: those of declared inputs, of `response.status`, of files and of \
        functions. `response.json` can have any type, unless the request declares a `schema` for it. The message names \
        the types that were found. Conversions are explicit, as in `string(photo.size)` and `int(response.text)`.
        """,
      example: """
         pipeline: example
         inputs: { page: { type: int } }
         steps:
           - id: ping
        -    request: { url: "${{ 'https://example.com/' + inputs.page }}" }
        +    request: { url: "${{ 'https://example.com/' + string(inputs.page) }}" }
             on:
        -      - if: ${{ response.status == "404" }}
        +      - if: ${{ response.status == 404 }}
                 then: fail
        """),
    Check(
      .unknownField, .error, .expressions, summary: "a value does not have this field",
      explanation: """
        The checker knows the fields of files, and of a response with a declared `schema`. In `outputs` and `done`, a \
        field that the schema does not declare counts as a mistake: declare it, or write `additionalProperties: true`. \
        Entries of `on` may read other fields too, because error responses look different.
        """,
      example: """
         pipeline: example
         steps:
           - id: allocate
             request:
               url: https://example.com/new
               response: { schema: { properties: { upload_id: { type: string } } } }
        -    outputs: { id: "${{ response.json.uploadid }}" }
        +    on:
        +      - if: ${{ response.json.error == "busy" }}
        +        then: retry
        +    outputs: { id: "${{ response.json.upload_id }}" }
           - id: ping
             request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """),
    Check(
      .undeclaredReference, .error, .expressions, summary: "a name is not declared",
      explanation: """
        Expressions begin with `inputs`, `steps`, `run` or `now`; inside a loop also with the loop variable or `item`; \
        and where a response is available with `response` or `history`. The help suggests a similar name or function.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
             request: { url: "https://example.com/ping" }
             on:
        -      - if: ${{ respons.status == 404 }}
        +      - if: ${{ response.status == 404 }}
                 then: fail
        """),
    Check(
      .invalidConstant, .error, .expressions,
      summary: "a constant in an expression is invalid",
      explanation: """
        An invalid regular expression (the syntax is RE2), a number beyond 64 bits or an unknown escape fails in every \
        run.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
             request: { url: "https://example.com/ping" }
             on:
        -      - if: ${{ response.text.matches("busy|[0-9") }}
        +      - if: ${{ response.text.matches("busy|[0-9]") }}
                 then: retry
        """),
  ]

  /// The checks made by extracting an expression from its text.
  static let syntax: [Check] = [
    Check(
      .expressionExpected, .error, .expressions,
      summary: "text is given where an expression is required",
      explanation: """
        Conditions, lists and files are CEL expressions, written `${{ … }}` with nothing before or after them. Without \
        the marks they are plain text.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
             request: { url: "https://example.com/ping" }
             on:
        -      - if: response.status == 404
        +      - if: ${{ response.status == 404 }}
                 then: fail
        """),
    Check(
      .expressionNotAllowed, .error, .expressions,
      summary: "an expression is used where constant text is required",
      explanation: """
        Names, methods, defaults and descriptions belong to the pipeline, not to a run: checkpoints and reports refer \
        to them. Write constant text.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
        -    description: "Ping for ${{ run.id }}"
        +    description: Ping the server
             request: { url: "https://example.com/ping" }
        """),
    Check(
      .unclosedExpression, .error, .expressions, summary: "`${{` is never closed",
      explanation: """
        An expression ends with `}}`. For a literal `${{`, write `$${{`.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
        -    request: { url: "https://example.com/${{ run.id }" }
        +    request: { url: "https://example.com/${{ run.id }}" }
        """),
    Check(
      .expressionSyntax, .error, .expressions,
      summary: "the text between `${{` and `}}` is not CEL",
      explanation: """
        The [Common Expression Language](https://github.com/google/cel-spec) has the operators of C (`==`, `&&`, `? \
        :`), strings in single or double quotes, lists and maps. The message says what was expected at the marked \
        position.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
        -    if: ${{ now > }}
        +    if: ${{ now > timestamp("2030-01-01T00:00:00Z") }}
             request: { url: "https://example.com/ping" }
        """),
  ]
}
