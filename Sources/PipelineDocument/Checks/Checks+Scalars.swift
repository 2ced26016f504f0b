extension Check {
  /// What the YAML layer reports of scalars, anchors and limits.
  package static let scalars: [Check] = [
    Check(
      .unusedAnchor, .warning, .yaml, summary: "no alias uses an anchor",
      explanation:
        "The anchor may be left over, or its name misspelt where an alias should be. Remove it.",
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: &ping { url: "https://example.com/ping" }
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: &ping { url: "https://example.com/ping" }
          - id: again
            request: *ping
        """),
    Check(
      .tagMismatch, .error, .yaml, summary: "a scalar does not fit its tag",
      explanation: """
        A tag such as `!!int` says of which type a value is, and the text behind it is no such value. Correct one of them; \
        tags are hardly ever needed.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { method: POST, url: "https://example.com/ping", json: { n: !!int many } }
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { method: POST, url: "https://example.com/ping", json: { n: !!int 5 } }
        """),
    Check(
      .unquotedExpression, .error, .yaml,
      summary: "YAML cuts an expression apart because it is not quoted",
      explanation: """
        Inside `{ }` and `[ ]` the braces of `${{ … }}` open a mapping, and anywhere `: ` and ` #` end a plain value. Put the \
        whole value in quotes. In a block, `key: ${{ … }}` needs none.
        """,
      wrong: """
        pipeline: example
        inputs: { server: { type: url } }
        steps:
          - id: ping
            request: { url: ${{ inputs.server }} }
        """,
      right: """
        pipeline: example
        inputs: { server: { type: url } }
        steps:
          - id: ping
            request: { url: "${{ inputs.server }}" }
        """),
    Check(
      .tooDeep, .error, .yaml, summary: "nesting is deeper than the limit",
      explanation: """
        More than 100 levels of lists and mappings are not read, so that a hostile file cannot exhaust the stack. There is no \
        example, because it would be a hundred levels deep.
        """),
    Check(
      .tooLarge, .error, .yaml,
      summary: "the file, or what its aliases make of it, is larger than the limit",
      explanation: """
        A file of more than 16 MiB, or one whose aliases unfold to more than a million nodes, is not read. Such a file is \
        generated, or an attack. There is no example, because it would be as large.
        """),
  ]
}
