extension Check {
  /// What resolving names reports.
  package static let names: [Check] = [
    Check(
      .unknownFile, .error, .names, summary: "a file that another one names cannot be read",
      explanation: """
        A test names the pipeline that it tests, by a path relative to its own folder; the message says what the system says. \
        There is no example, because an example has no folder around it.
        """),
    Check(
      .unknownInput, .error, .names, summary: "no input has this name",
      explanation:
        "Inputs are declared under `inputs`. The nearest name is proposed, else all of them are listed.",
      wrong: """
        pipeline: example
        inputs: { server: { type: url } }
        steps:
          - id: ping
            request: { url: "${{ inputs.sever }}/ping" }
        """,
      right: """
        pipeline: example
        inputs: { server: { type: url } }
        steps:
          - id: ping
            request: { url: "${{ inputs.server }}/ping" }
        """),
    Check(
      .unknownStep, .error, .names, summary: "no step has this id",
      explanation:
        "Steps are named in expressions, in `needs` and in `expired`. The nearest id that can be named there is proposed.",
      wrong: """
        pipeline: example
        steps:
          - id: sign_in
            request: { url: "https://example.com/login" }
          - id: ping
            request: { url: "https://example.com/ping" }
            needs: [signin]
        """,
      right: """
        pipeline: example
        steps:
          - id: sign_in
            request: { url: "https://example.com/login" }
          - id: ping
            request: { url: "https://example.com/ping" }
            needs: [sign_in]
        """),
    Check(
      .unknownOutput, .error, .names, summary: "the step does not have this output",
      explanation: """
        A step has the outputs that it declares under `outputs`; a materialize step has `file` too, and of that the digests \
        that it takes. What the server answered is not seen by later steps unless an output keeps it.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: allocate
            request: { url: "https://example.com/new" }
            outputs: { upload_id: "${{ response.json.id }}" }
          - id: ping
            request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """,
      right: """
        pipeline: example
        steps:
          - id: allocate
            request: { url: "https://example.com/new" }
            outputs: { upload_id: "${{ response.json.id }}" }
          - id: ping
            request: { url: "https://example.com/${{ steps.allocate.upload_id }}" }
        """),
    Check(
      .unknownRetryPolicy, .error, .names, summary: "no retry policy has this name",
      explanation:
        "Policies are declared under `retry` at the top of the file; `standard` is there without being declared.",
      wrong: """
        pipeline: example
        retry: { patient: { attempts: 20 } }
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            retry: patiant
          - id: pong
            request: { url: "https://example.com/pong" }
            retry: patient
        """,
      right: """
        pipeline: example
        retry: { patient: { attempts: 20 } }
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            retry: patient
        """),
    Check(
      .usedBeforeMade, .error, .names, summary: "a step or output is used before it is made",
      explanation: """
        Steps are done in the order of the file, and each sees the results of those before it. Move the step that makes the \
        value before the one that reads it.
        """,
      wrong: """
        pipeline: example
        steps:
          - id: ping
            request: { url: "https://example.com/${{ steps.allocate.id }}" }
          - id: allocate
            request: { url: "https://example.com/new" }
            outputs: { id: "${{ response.json.id }}" }
        """,
      right: """
        pipeline: example
        steps:
          - id: allocate
            request: { url: "https://example.com/new" }
            outputs: { id: "${{ response.json.id }}" }
          - id: ping
            request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """),
    Check(
      .outOfScope, .error, .names, summary: "a step inside a loop is named from outside",
      explanation: """
        Inside a loop there are as many results as items, so that outside of it no single one can be meant. Put the reader into \
        the loop, or what it reads before the loop.
        """,
      wrong: """
        pipeline: example
        steps:
          - for_each: name
            in: ${{ ["a", "b"] }}
            steps:
              - id: allocate
                request: { url: "https://example.com/${{ name }}" }
                outputs: { id: "${{ response.json.id }}" }
          - id: ping
            request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """,
      right: """
        pipeline: example
        steps:
          - for_each: name
            in: ${{ ["a", "b"] }}
            steps:
              - id: allocate
                request: { url: "https://example.com/${{ name }}" }
                outputs: { id: "${{ response.json.id }}" }
              - id: ping
                request: { url: "https://example.com/${{ steps.allocate.id }}" }
        """),
  ]
}
