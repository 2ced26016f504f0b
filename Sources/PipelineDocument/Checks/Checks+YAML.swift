extension Check {
  /// What the YAML layer reports.
  package static let yaml: [Check] = [
    Check(
      .yamlSyntax, .error, .yaml, summary: "the text is not YAML",
      explanation: """
        The file is read up to the place that is named, and nothing after it is looked at: further mistakes show once this \
        one is mended. Most often a bracket or quote is not closed, or a line is indented differently from its neighbours.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping", timeout: 30s
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping", timeout: 30s }
        """),
    Check(
      .invalidUTF8, .error, .yaml, summary: "a byte sequence is not UTF-8",
      explanation: """
        Pipelines are written in UTF-8 (RFC 3629). Save the file in that encoding. There is no example, because this page is \
        UTF-8 itself and cannot hold other bytes.
        """),
    Check(
      .invalidCharacter, .error, .yaml, summary: "a character that YAML does not allow",
      explanation: """
        Control characters other than tab and line ends are not part of YAML's character set (YAML 1.2.2 §5.1). Remove the \
        character, or write it as an escape such as `"\\0"` in double quotes. There is no example, because such a character \
        cannot be seen in a page.
        """),
    Check(
      .emptyDocument, .error, .yaml, summary: "the file holds nothing",
      explanation: """
        Nothing, or nothing but comments, stands in the file. It has to hold at least `pipeline` and `steps`.
        """,
      wrong: "# To be written.\n",
      right: """
        # To be extended.
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
        """),
    Check(
      .multipleDocuments, .error, .yaml, summary: "the file holds a second document",
      explanation: """
        A line `---` begins another YAML document. A file is one pipeline; put the second one into a file of its own.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
        ---
        pipeline: other
        """,
      right: """
        ---
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
        """),
    Check(
      .duplicateKey, .error, .yaml, summary: "a key stands twice in one mapping",
      explanation: """
        The keys of a mapping are unique (YAML 1.2.2 §3.2.1.3). Many readers keep the last value without a word, so that the \
        first one looks as if it counted. Remove one of them.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request:
              url: https://example.com/ping
              timeout: 10s
              timeout: 30s
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request:
              url: https://example.com/ping
              timeout: 30s
        """),
    Check(
      .nonStringKey, .error, .yaml, summary: "a key is not text",
      explanation: """
        YAML reads a plain `404`, `true` or `null` as a number, a truth value or nothing, also where it is a key. Quote it \
        where the text is meant.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request:
              method: POST
              url: https://example.com/ping
              json: { names: { 404: gone } }
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request:
              method: POST
              url: https://example.com/ping
              json: { names: { "404": gone } }
        """),
    Check(
      .mergeKey, .error, .yaml, summary: "the key `<<` is not part of YAML 1.2",
      explanation: """
        The merge key was an extension of YAML 1.1. Here it would be a key like any other, and what it names would not be \
        merged. Write the keys out, or use an alias for the whole mapping.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping", headers: &common { X-A: b } }
          - id: pong
            request: { url: "https://example.com/pong", headers: { <<: *common } }
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping", headers: &common { X-A: b } }
          - id: pong
            request: { url: "https://example.com/pong", headers: *common }
        """),
    Check(
      .undefinedAnchor, .error, .yaml,
      summary: "an alias names an anchor that does not stand before it",
      explanation: """
        `*name` repeats the node that is marked `&name` further up. Add the anchor, or correct the name.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping", headers: *common }
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/ping", headers: &common { X-A: b } }
          - id: pong
            request: { url: "https://example.com/pong", headers: *common }
        """),
    Check(
      .recursiveAlias, .error, .yaml, summary: "an alias stands inside the node that it names",
      explanation:
        "Such a node would contain itself without end. Name another node, or write the value out.",
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: &self { url: "https://example.com/ping", headers: *self }
        """,
      right: """
        pipeline: example
        steps:
          - id: ping
            request: &same { url: "https://example.com/ping" }
          - id: pong
            request: *same
        """),
  ]
}
