extension Check {
  /// The checks of the YAML layer on scalars, anchors and limits.
  package static let scalars: [Check] = [
    Check(
      .unusedAnchor, .warning, .yaml, summary: "an anchor is never used",
      explanation: """
        The anchor may be left over, or its name misspelt where an alias should be. Remove it.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
             request: &ping { url: "https://example.com/ping" }
        +  - id: again
        +    request: *ping
        """),
    Check(
      .tagMismatch, .error, .yaml, summary: "a scalar does not match its tag",
      explanation: """
        A tag such as `!!int` declares the type of a value, but the text after it is not of that type. Correct one of \
        them. Tags are hardly ever needed.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
        -    request: { method: POST, url: "https://example.com/ping", json: { n: !!int many } }
        +    request: { method: POST, url: "https://example.com/ping", json: { n: !!int 5 } }
        """),
    Check(
      .unquotedExpression, .error, .yaml,
      summary: "an unquoted expression is split by YAML",
      explanation: """
        Inside `{ }` and `[ ]`, the braces of `${{ … }}` open a mapping, and `: ` and ` #` end a plain value anywhere. \
        Quote the whole value. In block style, `key: ${{ … }}` needs no quotes.
        """,
      example: """
         pipeline: example
         inputs: { server: { type: url } }
         steps:
           - id: ping
        -    request: { url: ${{ inputs.server }} }
        +    request: { url: "${{ inputs.server }}" }
        """),
    Check(
      .tooDeep, .error, .yaml, summary: "nesting is deeper than the limit",
      explanation: """
        Lists and mappings may be nested up to 100 levels, so that a hostile file cannot exhaust the stack. There is \
        no example, because it would be a hundred levels deep.
        """),
    Check(
      .tooLarge, .error, .yaml,
      summary: "the file, or the tree after resolving aliases, is larger than the limit",
      explanation: """
        A file may have up to 16 MiB, and its aliases may expand to up to a million nodes. A larger file is generated, \
        or an attack. There is no example, because it would be as large.
        """),
  ]
}
