import Foundation
import TestSupport
import Testing

/// The first tools of an author: templates, explanations of checks, tests, an editor's server.
struct NewPipelineTests {
  @Test func `every template is written, valid without a word, and not written over`() async throws
  {
    let scene = try Scene()
    let list = try await scene.pipeline.run("new", "--list")
    // The lines that are not indented are headings.
    let names = list.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
      .compactMap { $0.split(separator: " ").first }
    #expect(names.count >= 30, "\(list)")
    for name in names.map(String.init) {
      let file = "\(name).yaml"
      let made = try await scene.pipeline.run("new", name, "--name", "mine", "--output", file)
      #expect(made.status == 0, "\(made)")
      let checked = try await scene.pipeline.run("validate", file, "--deny", "warnings")
      #expect(checked.status == 0 && checked.output.isEmpty, "\(checked)")
      let text = try String(contentsOfFile: scene.directory.path(file), encoding: .utf8)
      #expect(text.contains("\npipeline: mine\n"))
      for command in text.matches(of: /# +pipeline run (\S+)/) { #expect(command.1 == "mine.yaml") }
      #expect(text.contains("\n      # ") || text.contains("\n# "), "a template explains itself")
      let again = try await scene.pipeline.run("new", name, "--output", file)
      #expect(again.status == 2)
      #expect(
        again.error == "pipeline: error: '\(file)' already exists; use --force to overwrite it\n")
    }
  }

  @Test(arguments: [
    (["new", "nothing"], 2, "there is no template 'nothing'"),
    (["new", "put", "--name", "Not A Name"], 2, "invalid name 'Not A Name'"),
    (["new", "put", "--output", "nowhere/x.yaml"], 3, "cannot write 'nowhere/x.yaml'"),
    (["rule", "unsafe-creat"], 2, "did you mean 'unsafe-create'?"),
    (["rule"], 64, "expected a code or --all"),
    (["test", "nowhere.test.yaml"], 2, "no such file or folder"),
    (["validate", "nowhere/*.yaml"], 2, "'nowhere/*.yaml': cannot read folder"),
  ])
  func `an error names the part that is not available`(
    _ arguments: [String], _ status: Int32, _ words: String
  ) async throws {
    let outcome = try await Scene().pipeline.run(arguments)
    #expect(outcome.status == status, "\(outcome)")
    #expect(outcome.error.contains(words), "\(outcome)")
    #expect(outcome.output.isEmpty)
  }

  @Test func `a check is explained by the checker's findings about an example`() async throws {
    let scene = try Scene()
    let page = try await scene.pipeline.run("rule", "unsafe-create")
    #expect(page.status == 0)
    #expect(page.output.hasPrefix("# unsafe-create\n"), "\(page)")
    #expect(page.output.contains("error[unsafe-create]: "))
    let all = try await scene.pipeline.run("rule", "--all", "--format", "json")
    let codes = try JSON.array(all.output).compactMap { $0["code"] as? String }
    #expect(codes.count > 80 && codes.contains("unsafe-create"))
  }

  @Test func `the tests that ship pass, and a wrong expectation is shown at its place`()
    async throws
  {
    let scene = try Scene()
    let passed = try await scene.pipeline.run(
      "test", Scene.shipped("photos.test.yaml"), Scene.shipped("documents.test.yaml"))
    #expect(passed.status == 0, "\(passed)")
    try scene.directory.write(
      """
      pipeline: tiny
      steps:
        - id: ping
          request: { url: "https://example.com/ping" }

      """, to: "tiny.yaml")
    let test = """
      test: tiny
      pipeline: tiny.yaml
      cases:
        - name: it answers
          answers:
            ping: [{ status: 200 }]
          expect:
            attempts: { ping: 2 }

      """
    try scene.directory.write(test, to: "tiny.test.yaml")
    let failed = try await scene.pipeline.run("test", "tiny.test.yaml")
    #expect(failed.status == 1)
    #expect(failed.output.contains("tiny.test.yaml:8:"), "\(failed)")
    try scene.directory.write(test.replacing("ping: [", with: "pong: ["), to: "tiny.test.yaml")
    let wrong = try await scene.pipeline.run("test", "tiny.test.yaml")
    #expect(wrong.status == 2)
    #expect(wrong.error.contains("tiny.test.yaml:6:7: error[unknown-step]"), "\(wrong)")
    let checked = try await scene.pipeline.run("validate", "tiny.test.yaml")
    #expect(checked.status == 1)
    #expect(checked.output.contains("tiny.test.yaml:6:7: error[unknown-step]"), "\(checked)")
  }

  @Test func `an editor's session over standard streams ends with 0`() async throws {
    let scene = try Scene()
    let messages = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
      #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///x.yaml","languageId":"yaml","version":1,"text":"pipeline: x\nstep: []\n"}}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///x.yaml"},"position":{"line":0,"character":2}}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#, #"{"jsonrpc":"2.0","method":"exit"}"#,
    ]
    let input = messages.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined()
    let outcome = try await scene.pipeline.run("lsp", input: input)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("Name of the pipeline"), "\(outcome)")
    let gone = try await scene.pipeline.run("lsp", input: "")
    #expect(gone.status == 1)
  }

  @Test func `a pipeline of several files runs, and resumes with the files that it started with`()
    async throws
  {
    let scene = try Scene()
    let server = try await scene.server()
    try scene.files(2)
    try scene.directory.write(
      """
      pipeline: sign-in
      inputs:
        server: { type: url }
        password: { type: secret }
      steps:
        - id: sign_in
          request:
            method: POST
            url: ${{ inputs.server + "/v1/login" }}
            json: { user: demo, password: "${{ inputs.password }}" }
          effect: repeatable
          outputs: { token: { value: "${{ response.json.access_token }}", secret: true } }
      outputs:
        token: ${{ steps.sign_in.token }}

      """, to: "lib/sign-in.yaml")
    try scene.directory.write(
      """
      pipeline: several
      inputs:
        server: { type: url }
        password: { type: secret }
        files: { type: files, default: "files/*" }
      steps:
        - id: session
          use: lib/sign-in.yaml
          with: { server: "${{ inputs.server }}", password: "${{ inputs.password }}" }
        - for_each: file
          in: ${{ inputs.files }}
          steps:
            - id: allocate
              request:
                method: POST
                url: ${{ inputs.server + "/v1/uploads" }}
                bearer: ${{ steps.session.token }}
                json: { name: "${{ file.name }}", size: "${{ file.size }}" }
              effect: create
              idempotency: { header: Idempotency-Key }

      """, to: "several.yaml")
    let run = try await scene.pipeline.run(
      "run", "several.yaml", "--input", "server=\(server.url)")
    #expect(run.status == 0, "\(run)")
    #expect(server.journal.count { $0.event == "allocate" } == 2)
    try FileManager.default.removeItem(atPath: scene.directory.path("lib/sign-in.yaml"))
    let history = try await scene.pipeline.run("status")
    #expect(history.status == 0, "\(history)")
    let changed = try await scene.pipeline.run("resume")
    #expect(changed.error.contains("the used file 'lib/sign-in.yaml'"), "\(changed)")
    let kept = try await scene.pipeline.run("resume", "--keep-definition")
    #expect(kept.status == 0, "\(kept)")
  }
}
