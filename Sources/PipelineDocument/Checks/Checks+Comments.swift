extension Check {
  /// The checks of ignore comments, and of documents that are not pipelines.
  package static let comments: [Check] = [
    Check(
      .schemaViolation, .error, .shape,
      summary: "a value does not match the given JSON Schema",
      explanation: """
        `pipeline validate --schema SCHEMA FILE` checks any YAML or JSON file against any JSON Schema (2020-12). The \
        message says what the schema expects. Below it are the keyword that failed, the location as a JSON Pointer, \
        and the location in the schema. There is no example, because pipelines themselves are checked without a \
        schema.
        """),
    Check(
      .invalidIgnore, .warning, .yaml,
      summary: "an ignore comment is invalid",
      explanation: """
        The form is `# pipeline: ignore[CODE, CODE] REASON`, at the end of the line that it applies to, or on its own \
        line above. The reason is for the next reader. Errors of structure cannot be ignored, because the file cannot \
        be read as a pipeline then.
        """,
      example: """
         pipeline: example
         inputs:
        -  # pipeline: ignore[unused-inputs] read by a version to come
        -  quality: { type: int }  # pipeline: ignore[unused-input] read by a version to come
        +  # pipeline: ignore[unused-input] read by a version to come
        +  quality: { type: int }
         steps:
           - id: ping
             request: { url: "https://example.com/ping" }
        """),
    Check(
      .unusedIgnore, .warning, .yaml,
      summary: "an ignore comment has no effect",
      explanation: """
        The finding that the comment ignored has been fixed or has moved. If the comment stays, it hides the next \
        mistake of that kind. `pipeline validate --fix` removes it.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
        -    request: { url: "https://example.com/ping" }  # pipeline: ignore[unsafe-create] the server counts pings once
        +    request: { method: POST, url: "https://example.com/ping" }
        +    # pipeline: ignore[unsafe-create] the server counts pings once
        +    effect: create
        """),
  ]
}
