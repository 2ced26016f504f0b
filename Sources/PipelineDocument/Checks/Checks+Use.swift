extension Check {
  /// What is said about files that use other files.
  package static let uses: [Check] = [
    Check(
      .unreadableUse, .error, .names, summary: "a file that `use` names cannot be read",
      explanation: """
        Paths under `use` are relative to the file that names them, not to the folder that a command is started in. There is \
        no example, because it takes two files.
        """),
    Check(
      .recursiveUse, .error, .names, summary: "files use each other in a circle",
      explanation: """
        A used file's steps take the place of the step that uses it, so a circle would never end. The message shows the way \
        around. Move what both need into a third file. There is no example, because it takes two files.
        """),
    Check(
      .brokenUse, .error, .names, summary: "a file that `use` names has errors of its own",
      explanation: """
        The errors are reported at their places in that file. It is checked as the pipeline, or the definitions, that it is by \
        itself. There is no example, because it takes two files.
        """),
    Check(
      .notAPipeline, .error, .shape, summary: "a file of definitions where a pipeline is expected",
      explanation: """
        A file that begins with `definitions` holds retry policies and credentials for pipelines that name it under `use`; it \
        has no steps to run. `pipeline validate` takes such a file for what it is.
        """,
      wrong: """
        definitions: company
        retry:
          patient: { attempts: 20 }
        """,
      right: """
        pipeline: example
        retry:
          patient: { attempts: 20 }
        steps:
          - id: ping
            request: { url: "https://example.com/ping" }
            retry: patient
        """),
    Check(
      .unknownCredentials, .error, .names, summary: "credentials that are not defined",
      explanation: """
        `credentials: NAME` in a request stands for what the pipeline, or a file under its `use`, defines by that name.
        """,
      wrong: """
        pipeline: example
        inputs:
          token: { type: secret }
        credentials:
          api: { bearer: "${{ inputs.token }}" }
        steps:
          - id: ping
            request: { url: "https://example.com/ping", credentials: apo }
          - id: pong
            request: { url: "https://example.com/pong", credentials: api }
        """,
      right: """
        pipeline: example
        inputs:
          token: { type: secret }
        credentials:
          api: { bearer: "${{ inputs.token }}" }
        steps:
          - id: ping
            request: { url: "https://example.com/ping", credentials: api }
        """),
  ]
}
