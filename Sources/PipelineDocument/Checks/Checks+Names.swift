extension Check {
  /// The checks made by resolving names.
  package static let names: [Check] = [
    Check(
      .unknownFile, .error, .names, summary: "a referenced file cannot be read",
      explanation: """
        A test names the pipeline that it tests, by a path relative to its own folder. The message includes the \
        system's error. There is no example, because it takes two files.
        """),
    Check(
      .unknownInput, .error, .names, summary: "an input does not exist",
      explanation: """
        Inputs are declared under `inputs`. The help suggests the nearest name, or lists all of them.
        """,
      example: """
         pipeline: example
         inputs: { server: { type: url } }
         steps:
           - id: ping
        -    request: { url: "${{ inputs.sever }}/ping" }
        +    request: { url: "${{ inputs.server }}/ping" }
        """),
    Check(
      .unknownStep, .error, .names, summary: "a step does not exist",
      explanation: """
        Steps are named in expressions, in `needs` and in `expired`. The help suggests the nearest ID that is valid \
        there.
        """,
      example: """
         pipeline: example
         steps:
           - id: sign_in
             request: { url: "https://example.com/login" }
           - id: ping
             request: { url: "https://example.com/ping" }
        -    depends_on: [signin]
        +    depends_on: [sign_in]
        """),
    Check(
      .unknownOutput, .error, .names, summary: "a step does not have this output",
      explanation: """
        A step has the outputs declared under `outputs`. A materialize step also has `file`, and on it the digests \
        that it computes. Later steps cannot see a response unless an output keeps part of it.
        """,
      example: """
         pipeline: example
         steps:
           - id: allocate
             request: { url: "https://example.com/new" }
             outputs: { upload_id: "${{ response.json.id }}" }
           - id: ping
        -    request: { url: "https://example.com/${{ steps.allocate.id }}" }
        +    request: { url: "https://example.com/${{ steps.allocate.upload_id }}" }
        """),
    Check(
      .unknownRetryPolicy, .error, .names, summary: "a retry policy does not exist",
      explanation: """
        Policies are declared under `retry` at the top of the file. `standard` always exists.
        """,
      example: """
         pipeline: example
         retry: { patient: { attempts: 20 } }
         steps:
           - id: ping
             request: { url: "https://example.com/ping" }
        -    retry: patiant
        -  - id: pong
        -    request: { url: "https://example.com/pong" }
             retry: patient
        """),
    Check(
      .usedBeforeMade, .error, .names, summary: "a step or output is used before it is made",
      explanation: """
        Steps run in file order, and each sees the results of those before it. Move the step that makes the value \
        before the one that reads it.
        """,
      example: """
         pipeline: example
         steps:
        -  - id: ping
        -    request: { url: "https://example.com/${{ steps.allocate.id }}" }
           - id: allocate
             request: { url: "https://example.com/new" }
             outputs: { id: "${{ response.json.id }}" }
        +  - id: ping
        +    request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """),
    Check(
      .outOfScope, .error, .names, summary: "a step inside a loop is referenced from outside",
      explanation: """
        A step inside a loop has one result per item, so a reference from outside is ambiguous. Move the reader into \
        the loop, or the step that it reads before the loop.
        """,
      example: """
         pipeline: example
         steps:
           - for_each: name
             in: ${{ ["a", "b"] }}
             steps:
               - id: allocate
                 request: { url: "https://example.com/${{ name }}" }
                 outputs: { id: "${{ response.json.id }}" }
        -  - id: ping
        -    request: { url: "https://example.com/${{ steps.allocate.id }}" }
        +      - id: ping
        +        request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """),
  ]
}
