extension Check {
  /// The checks of files that use other files.
  package static let uses: [Check] = [
    Check(
      .unreadableUse, .error, .names, summary: "a file named by `use` cannot be read",
      explanation: """
        Paths under `use` are relative to the file that contains them, not to the working folder. There is no example, \
        because it takes two files.
        """),
    Check(
      .recursiveUse, .error, .names, summary: "files use each other in a cycle",
      explanation: """
        The steps of a used file replace the step that uses it, so a cycle would never end. The message shows the \
        cycle. Move what both files need into a third one. There is no example, because it takes two files.
        """),
    Check(
      .brokenUse, .error, .names, summary: "a file named by `use` has errors",
      explanation: """
        The errors are reported where they are in that file. The file is checked as a pipeline, or as definitions, by \
        itself. There is no example, because it takes two files.
        """),
    Check(
      .notAPipeline, .error, .shape,
      summary: "a file of definitions is given where a pipeline is expected",
      explanation: """
        A file that begins with `definitions` contains retry policies and credentials for pipelines that name it under \
        `use`. It has no steps to run. `pipeline validate` accepts such files.
        """,
      example: """
        -definitions: company
        +pipeline: example
         retry:
           patient: { attempts: 20 }
        +steps:
        +  - id: ping
        +    request: { url: "https://example.com/ping" }
        +    retry: patient
        """),
    Check(
      .unknownCredentials, .error, .names, summary: "credentials are not defined",
      explanation: """
        `credentials: NAME` in a request refers to credentials that the pipeline, or a file under its `use`, defines \
        by that name.
        """,
      example: """
         pipeline: example
         inputs:
           token: { type: secret }
         credentials:
           api: { bearer: "${{ inputs.token }}" }
         steps:
           - id: ping
        -    request: { url: "https://example.com/ping", credentials: apo }
        -  - id: pong
        -    request: { url: "https://example.com/pong", credentials: api }
        +    request: { url: "https://example.com/ping", credentials: api }
        """),
  ]
}
