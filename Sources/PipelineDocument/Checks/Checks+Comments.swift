extension Check {
  /// What is said about comments that silence checks, and about documents that are no pipelines.
  package static let comments: [Check] = [
    Check(
      .schemaViolation, .error, .shape,
      summary: "a value that the given JSON Schema does not allow",
      explanation: """
        `pipeline validate --schema SCHEMA FILE` compares any YAML or JSON file with any JSON Schema (2020-12). The message \
        says what the schema expects at the place; below it stand the keyword that failed, the place as a JSON Pointer, and \
        the place in the schema. There is no example, because pipelines themselves are checked without a schema.
        """),
    Check(
      .invalidIgnore, .warning, .yaml,
      summary: "a comment that silences a check cannot be followed",
      explanation: """
        The form is `# pipeline: ignore[CODE, CODE] REASON`, on the line of the finding or on a line of its own above it. The \
        reason is for the next reader. Errors of shape cannot be silenced, because nothing can be made of the file then.
        """,
      wrong: """
        pipeline: example
        inputs:
          # pipeline: ignore[unused-inputs] read by a version to come
          quality: { type: int }  # pipeline: ignore[unused-input] read by a version to come
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
        """,
      right: """
        pipeline: example
        inputs:
          # pipeline: ignore[unused-input] read by a version to come
          quality: { type: int }
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
        """),
    Check(
      .unusedIgnore, .warning, .yaml,
      summary: "a comment silences a check that reports nothing there",
      explanation: """
        What the comment was about has been mended or has moved. Left in place, it would silence the next mistake of that \
        kind. `pipeline validate --fix` removes it.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }  # pipeline: ignore[unsafe-create] the server counts pings once
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { method: POST, url: "https://example.com/ping" }
            # pipeline: ignore[unsafe-create] the server counts pings once
            effect: create
        """),
  ]
}
