extension Check {
  /// The checks of the YAML layer.
  package static let yaml: [Check] = [
    Check(
      .yamlSyntax, .error, .yaml, summary: "the text is not valid YAML",
      explanation: """
        The reader stops at the reported position, so further mistakes show only after you fix this one. Most often a \
        bracket or quote is not closed, or a line is indented differently from its neighbours.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
        -    request: { url: "https://example.com/ping", timeout: 30s
        +    request: { url: "https://example.com/ping", timeout: 30s }
        """),
    Check(
      .invalidUTF8, .error, .yaml, summary: "a byte sequence is not UTF-8",
      explanation: """
        Pipelines are written in UTF-8 (RFC 3629). Save the file in that encoding. There is no example, because this \
        page is itself UTF-8 and cannot contain other bytes.
        """),
    Check(
      .invalidCharacter, .error, .yaml, summary: "a character is not allowed in YAML",
      explanation: """
        Control characters other than tabs and line breaks are not part of YAML's character set (YAML 1.2.2 §5.1). \
        Remove the character, or write it as an escape such as `"\\0"` in double quotes. There is no example, because \
        such a character would be invisible here.
        """),
    Check(
      .emptyDocument, .error, .yaml, summary: "the file contains no document",
      explanation: """
        The file contains nothing, or only comments. It needs at least `pipeline` and `steps`.
        """,
      example: """
        -# To be written.
        -
        +# To be extended.
        +pipeline: example
        +steps:
        +  - id: ping
        +    request: { url: "https://example.com/ping" }
        """),
    Check(
      .multipleDocuments, .error, .yaml, summary: "the file contains a second document",
      explanation: """
        A line `---` begins another YAML document. A file contains one pipeline; move the second one to its own file.
        """,
      example: """
        +---
         pipeline: example
         steps:
           - id: ping
             request: { url: "https://example.com/ping" }
        ----
        -pipeline: other
        """),
    Check(
      .duplicateKey, .error, .yaml, summary: "a key appears twice in one mapping",
      explanation: """
        The keys of a mapping are unique (YAML 1.2.2 §3.2.1.3). Many readers silently keep the last value, so the \
        first one only seems to count. Remove one of them.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
             request:
               url: https://example.com/ping
        -      timeout: 10s
               timeout: 30s
        """),
    Check(
      .nonStringKey, .error, .yaml, summary: "a key is not text",
      explanation: """
        YAML reads a plain `404`, `true` or `null` as a number, a Boolean or null, even as a key. Quote it if you mean \
        text.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
             request:
               method: POST
               url: https://example.com/ping
        -      json: { names: { 404: gone } }
        +      json: { names: { "404": gone } }
        """),
    Check(
      .mergeKey, .error, .yaml, summary: "the key `<<` is not part of YAML 1.2",
      explanation: """
        The merge key was an extension of YAML 1.1. Here it would be an ordinary key, and nothing would be merged. \
        Write the keys out, or use an alias for the whole mapping.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
             request: { url: "https://example.com/ping", headers: &common { X-A: b } }
           - id: pong
        -    request: { url: "https://example.com/pong", headers: { <<: *common } }
        +    request: { url: "https://example.com/pong", headers: *common }
        """),
    Check(
      .undefinedAnchor, .error, .yaml,
      summary: "an alias names an anchor that is not defined before it",
      explanation: """
        `*name` repeats the node marked `&name` earlier in the file. Add the anchor, or correct the name.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
        -    request: { url: "https://example.com/ping", headers: *common }
        +    request: { url: "https://example.com/ping", headers: &common { X-A: b } }
        +  - id: pong
        +    request: { url: "https://example.com/pong", headers: *common }
        """),
    Check(
      .recursiveAlias, .error, .yaml, summary: "an alias is inside the node that it names",
      explanation: """
        Such a node would contain itself forever. Name another node, or write the value out.
        """,
      example: """
         pipeline: example
         steps:
           - id: ping
        -    request: &self { url: "https://example.com/ping", headers: *self }
        +    request: &same { url: "https://example.com/ping" }
        +  - id: pong
        +    request: *same
        """),
  ]
}
